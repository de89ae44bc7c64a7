// Set-up as a whole, in a small checkout with stand-ins for the programs that it starts: what runs, what is
// skipped, what it prints, and that it can continue after a failure or an interrupt.

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateArchive } from "../../scripts/lib/archive.mjs";
import { isAlive, processIdentity } from "../../scripts/lib/lock.mjs";
import { SetupTree } from "../support/setup-tree.js";

const LINUX = process.platform === "linux";

let tree: SetupTree;
beforeEach(() => {
  tree = new SetupTree();
});
afterEach(() => tree.dispose());

describe("the steps", () => {
  it("run once, and not again while nothing changed", async () => {
    const first = await tree.run();
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(tree.takeCalls()).toEqual(["install", "build"]);
    expect(first.stderr).toMatch(/installing packages: \d+(\.\d+)? m?s/);

    const second = await tree.run();
    expect(second).toMatchObject({ code: 0, stdout: "" });
    expect(second.stderr).toMatch(/packages\s+up to date/);
    expect(tree.takeCalls()).toEqual([]);
  });

  it("run again only for what changed", async () => {
    await tree.run();
    tree.takeCalls();
    tree.write("packages/one/src/index.ts", "export const one = 1;\n");
    await tree.run();
    expect(tree.takeCalls()).toEqual(["build"]);
  });

  it("notice an output that was deleted or truncated", async () => {
    await tree.run();
    tree.takeCalls();
    tree.remove("packages/one/dist");
    await tree.run();
    expect(tree.takeCalls()).toEqual(["build"]);
    tree.write("packages/one/dist/index.js", "");
    await tree.run();
    expect(tree.takeCalls()).toEqual(["build"]);
  });

  it("delete the outputs of deleted sources, and nothing else", async () => {
    const stale = ["old.js", "old.js.map", "old.d.ts", "old.d.ts.map", "emit/older.js"];
    const kept = ["table.json", "tsconfig.tsbuildinfo", "old.css"];
    await tree.run();
    tree.takeCalls();
    for (const name of [...stale, ...kept]) tree.write(`packages/one/dist/${name}`, "");
    expect((await tree.run()).code).toBe(0);
    expect(tree.takeCalls()).toEqual(["build"]);
    expect(stale.filter((name) => tree.exists(`packages/one/dist/${name}`))).toEqual([]);
    // The build info of the deleted files has to be deleted with them.
    expect(kept.filter((name) => !tree.exists(`packages/one/dist/${name}`))).toEqual([
      "tsconfig.tsbuildinfo",
    ]);
    expect(tree.exists("packages/one/dist/index.js")).toBe(true);
    await tree.run();
    expect(tree.takeCalls()).toEqual([]);
  });

  it("delete what the build restores from its cache for a deleted source", async () => {
    tree.write("cached-orphan", "");
    await tree.run();
    expect(tree.exists("packages/one/dist/index.js")).toBe(true);
    expect(tree.exists("packages/one/dist/orphan.js")).toBe(false);
  });

  it("notice that a dependency is missing", async () => {
    const manifest = '{ "name": "one", "scripts": { "build": "tsc -b" }, "dependencies": { "two": "1" } }';
    tree.write("packages/one/package.json", manifest);
    tree.write("packages/one/node_modules/two/package.json", "{}");
    await tree.run();
    tree.takeCalls();
    tree.remove("packages/one/node_modules");
    const { code, stderr } = await tree.run();
    expect(tree.takeCalls()).toEqual(["install"]);
    expect(code).toBe(1);
    expect(stderr).toContain("found some of them missing");
  });

  it("refuse an unknown option", async () => {
    const { code, stderr } = await tree.run({}, ["--chek"]);
    expect(code).toBe(2);
    expect(stderr).toContain("found `--chek`");
  });

  it("are printed, not run, with --check", async () => {
    const { code, stdout, stderr } = await tree.run({}, ["--check"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/packages\s+would run/);
    expect(stderr).toContain("CMake is missing (install: `");
    expect(tree.takeCalls()).toEqual([]);
    expect(tree.exists(".setup")).toBe(false);
  });
});

describe.runIf(LINUX)("parts of the toolkit", () => {
  it("are fetched on request only, and verified by their hash", async () => {
    tree.addPython();
    await tree.run();
    expect(tree.takeCalls()).toEqual(["install", "build"]);
    const { code, stderr } = await tree.run({}, ["--with", "nvjitlink,nvdisasm"]);
    // They were requested, so a failure to fetch them is reported.
    expect(code).toBe(1);
    expect(tree.takeCalls()).toEqual(["download", "download"]);
    expect(stderr).toMatch(
      /expected .*\.whl with SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}: the download is damaged/,
    );
    expect(stderr).toMatch(/nvjitlink\s+failed/);
    expect(tree.exists(".deps/nvjitlink-13.0.88")).toBe(false);
  });

  it("that cannot be downloaded are reported in one sentence with a remedy", async () => {
    tree.addPython();
    tree.write("broken-download", "");
    const { code, stderr } = await tree.run({}, ["--with", "nvjitlink"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "set-up: nvidia-nvjitlink 13.0.88 could not be downloaded; check the network, or install a CUDA toolkit\n",
    );
    // Everything else is done.
    expect(tree.takeCalls().sort()).toEqual(["build", "download", "install"]);
  });

  it("are not fetched again", async () => {
    tree.write(".deps/nvjitlink-13.0.88/lib/libnvJitLink.so.13", "");
    const { code, stderr } = await tree.run({}, ["--with", "nvjitlink"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/nvjitlink\s+up to date/);
    expect(tree.takeCalls()).toEqual(["install", "build"]);
  });

  it.each([
    [["--with", "nvrtcc"], "expected `--with` and names of nvrtc, nvjitlink, nvdisasm"],
    [["--with", "nvrtc,"], "found ``"],
    [["--with", "constructor"], "found `constructor`"],
    [["--with"], "expected no option, `--check` or `--with LIST`, found `--with`"],
  ])("that do not exist are refused: %o", async (args, message) => {
    const { code, stderr } = await tree.run({}, args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(tree.takeCalls()).toEqual([]);
  });
});

const ownArchive = locateArchive({ root: "/nowhere", environment: {}, machine: process.arch }).archive;
describe.runIf(LINUX && ownArchive === undefined)("the archive", () => {
  beforeEach(() => {
    tree.addCompiler();
  });

  it("is not unpacked if its hash differs, and no files remain", async () => {
    tree.addPython();
    const { code, stderr } = await tree.run();
    expect(code).toBe(0);
    expect(tree.takeCalls().sort()).toEqual(["addon", "build", "download", "install"]);
    expect(stderr).toContain("expected nvidia_nvptxcompiler-13.0.88-any.whl with SHA-256 ");
    expect(stderr).toContain("nothing can compile PTX here");
    expect(tree.exists(".deps/nvptxcompiler-13.0.88")).toBe(false);
    expect(tree.exists(".deps")).toBe(true);
  });

  it("that cannot be downloaded is reported in one sentence with a remedy", async () => {
    tree.addPython();
    tree.write("broken-download", "");
    const { code, stderr } = await tree.run();
    expect(code).toBe(0);
    expect(stderr).toContain(
      "    no network\nset-up: nvPTXCompiler 13.0.88 could not be downloaded; check the network",
    );
  });

  it("needs Python, and says so", async () => {
    tree.addProgram("dnf");
    const { code, stderr } = await tree.run();
    expect(code).toBe(0);
    expect(stderr).toContain(
      "set-up: Python 3 and pip for Python 3 are missing (install: `dnf install -y python3 python3-pip`)",
    );
  });
});

describe("a step that fails or is interrupted", () => {
  it("shows why the packages are not installed, exits with 1, and works when run again", async () => {
    tree.write("broken-install", "");
    const { code, stdout, stderr } = await tree.run();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("    the reason of the failure\nset-up: the packages could not be installed");
    expect(tree.takeCalls()).toEqual(["install"]);
    tree.remove("broken-install");
    expect((await tree.run()).code).toBe(0);
  });

  it.each(["install", "build"])(
    "ends with 130 on an interrupt during %s, and works when run again",
    async (kind) => {
      tree.write(`slow-${kind}`, "");
      const { child, outcome } = tree.start();
      await tree.called(kind);
      child.kill("SIGINT");
      const { code, stdout, stderr } = await outcome;
      expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
      expect(stderr).toContain("interrupted by SIGINT");
      expect(stderr).not.toContain("failed");
      expect(tree.exists(".setup/lock")).toBe(false);
      tree.remove(`slow-${kind}`);
      tree.takeCalls();
      expect((await tree.run()).code).toBe(0);
      expect(tree.takeCalls()).toEqual(kind === "install" ? ["install", "build"] : ["build"]);
    },
  );

  it.runIf(LINUX)(
    "that was killed leaves a lock that the next one removes, along with the child that kept running",
    async () => {
      tree.write("slow-install", "");
      const { child, outcome } = tree.start();
      await tree.called("install");
      const holder = JSON.parse(await readWhenComplete());
      child.kill("SIGKILL");
      await outcome;
      expect(isAlive(holder.children[0])).toBe(true);
      tree.remove("slow-install");
      expect((await tree.run()).code).toBe(0);
      expect(isAlive(holder.children[0])).toBe(false);
    },
  );

  async function readWhenComplete(): Promise<string> {
    for (;;) {
      const text = readFileSync(`${tree.root}/.setup/lock`, "utf8");
      if (text.includes('"pid"', text.indexOf("children"))) return text;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

describe("two set-ups in one folder", () => {
  it("do everything once", async () => {
    const outcomes = await Promise.all([tree.run(), tree.run(), tree.run()]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(tree.takeCalls().sort()).toEqual(["build", "install"]);
  });

  it("wait for a live one and say so, until interrupted", async () => {
    const owner = processIdentity(process.pid);
    tree.write(".setup/lock", JSON.stringify({ owner }));
    const { child, outcome, seen } = tree.start();
    while (!seen().includes("waiting")) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    const { code, stderr } = await outcome;
    expect(code).toBe(130);
    expect(stderr).toContain(`waiting for another set-up of this folder (process ${process.pid})`);
    expect(tree.exists(".setup/lock")).toBe(true);
  });

  it.each([
    ["of a process that is gone", JSON.stringify({ owner: { pid: 2 ** 22 + 1, started: "1" } })],
    ["of a process whose id was reused", JSON.stringify({ owner: { pid: process.pid, started: "1" } })],
    ["that can't be read", "{"],
  ])("ignore a lock %s", async (_, text) => {
    tree.write(".setup/lock", text);
    expect((await tree.run()).code).toBe(0);
    expect(tree.exists(".setup/lock")).toBe(false);
  });
});
