// `mm-ptx-cuda compile`: which files are written, what is reported, and how bad files affect the others.

import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CODE_FLAGS } from "../../src/cli/code-flags.js";
import { inspectCubin, PtxCompiler, readCubin } from "../../src/index.js";
import { CODE_OPTIONS } from "../../src/ptx/code-options.js";
import { BACKENDS, IN_PROCESS, ISOLATED, PTXAS } from "../support/backends.js";
import { VARIATIONS } from "../support/code-options.js";
import { CommandLine } from "../support/command-line.js";
import { module, stubbornModule } from "../support/ptx.js";

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
  line.write("a.ptx", module("a"));
  line.write("b.ptx", module("b"));
});
afterEach(() => line.remove());

const cubin = (path: string) => readCubin(readFileSync(line.path(path)));

describe.runIf(BACKENDS.length > 0)("compile", () => {
  it("writes cubins into a folder, and leaves unchanged ones alone", async () => {
    expect(await line.run(["compile", "a.ptx", "b.ptx", "-a", "sm_90", "-o", "out"])).toEqual({
      code: 0,
      stdout: "written out/a.cubin\nwritten out/b.cubin\n",
      stderr: "",
    });
    expect(cubin("out/a.cubin")).toMatchObject({ arch: "sm_90", entries: ["a"] });
    const before = line.modified("out/a.cubin");
    line.write("b.ptx", module("c"));
    const again = await line.run(["compile", "a.ptx", "b.ptx", "-a", "sm_90", "-o", "out"]);
    expect(again.stdout).toBe("unchanged out/a.cubin\nwritten out/b.cubin\n");
    expect(line.modified("out/a.cubin")).toEqual(before);
    expect(readdirSync(line.path("out"))).toEqual(["a.cubin", "b.cubin"]);
  });

  it("accepts patterns, several architectures, and the current folder", async () => {
    const { code, stdout } = await line.run([
      "compile",
      "*.ptx",
      "--arch",
      "sm_75, sm_120a",
      "--arch",
      "sm_75",
    ]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: ["a.sm_75", "a.sm_120a", "b.sm_75", "b.sm_120a"]
        .map((name) => `written ${name}.cubin\n`)
        .join(""),
    });
    expect(cubin("b.sm_120a.cubin")).toMatchObject({ arch: "sm_120a", entries: ["b"] });
  });

  it("reads stdin and writes to stdout", async () => {
    const options = { input: module("piped"), encoding: "latin1" } as const;
    const { code, stdout, stderr } = await line.run(["compile", "-", "-a", "sm_80", "-o", "-"], {}, options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(readCubin(Buffer.from(stdout, "latin1"))).toMatchObject({ arch: "sm_80", entries: ["piped"] });
    await line.run(["compile", "-", "-a", "sm_80", "-o", "made.bin"], {}, { input: module("piped") });
    expect(cubin("made.bin").entries).toEqual(["piped"]);
  });

  it("accepts a filled kernel as JSON, and names the line of its stub", async () => {
    const [before, after] = module("k").split("\tret;") as [string, string];
    const feeds = (text: string) => text.split("\n").length - 1;
    const lines = [
      { kernelLine: 1, lines: feeds(before), head: 0, tail: 0 },
      { kernelLine: feeds(before) + 1, lines: feeds(after), head: 0, tail: 0 },
    ];
    const template = { names: ["func"], segments: [before, after], holes: [0], lines };
    const write = (name: string, stub: string) =>
      line.write(name, JSON.stringify({ template, stubs: { func: stub } }));
    write("good.json", "\tret;");
    write("bad.json", "\tret;\n\trot;");
    line.write("odd.json", '{ "template": {} }');
    const { code, stdout, stderr } = await line.run([
      ...["compile", "good.json", "bad.json", "odd.json", "-a", "sm_90", "-o", "filled"],
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "written filled/good.cubin\n" });
    expect(cubin("filled/good.cubin").entries).toEqual(["k"]);
    expect(stderr).toMatch(/^bad\.json: error: .*: injection `func`, site 1, stub line 2: /m);
    expect(stderr).toContain(
      "expected PTX or a filled kernel, found `odd.json`: `template.names`: expected an array",
    );
  });

  it("prints the resources that kernels need", async () => {
    const { stdout } = await line.run(["compile", "a.ptx", "-a", "sm_90", "-i"]);
    const [, head, row] = stdout.split("\n");
    expect(head!.trim().split(/ {2,}/).slice(0, 4)).toEqual(["file", "arch", "kernel", "registers"]);
    expect(row).toMatch(/^ {2}a\.ptx {2}sm_90 {2}a +\d+ +0 +0 +0 +0 +0$/);
    expect((await line.run(["compile", "a.ptx", "-a", "sm_90", "-q"])).stdout).toBe("");
  });

  it("reports everything as JSON, with the origin of each cubin", async () => {
    const run = async (...words: string[]) =>
      JSON.parse((await line.run(["compile", "a.ptx", "b.ptx", "-a", "sm_90", "--json", ...words])).stdout);
    const first = await run("-o", "out");
    expect(first).toMatchObject({
      ok: true,
      backend: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      problems: [],
      cubins: [
        {
          input: "a.ptx",
          output: "out/a.cubin",
          arch: "sm_90",
          state: "written",
          from: "compiled",
          warnings: [],
        },
        { input: "b.ptx", kernels: [{ name: "b" }] },
      ],
    });
    expect(first.cubins[0].bytes).toBe(statSync(line.path("out/a.cubin")).size);
    expect((await run()).cubins.map((each: { from: string }) => each.from)).toEqual(["cache", "cache"]);
    expect((await run("--no-cache")).cubins.map((each: { from: string }) => each.from)).toEqual([
      "compiled",
      "compiled",
    ]);
    const printed = JSON.parse(
      (await line.run(["compile", "a.ptx", "-a", "sm_90", "-o", "-", "--json"])).stdout,
    );
    expect(Buffer.from(printed.cubins[0].cubin, "base64")).toEqual(readFileSync(line.path("out/a.cubin")));
  });

  it("passes every option to the compiler", async () => {
    const told = async (...words: string[]): Promise<string | undefined> => {
      const { code } = await line.run(["compile", "a.ptx", "-o", "made.cubin", ...words]);
      expect(code).toBe(0);
      return inspectCubin(readFileSync(line.path("made.cubin"))).tool?.options;
    };
    const variations = VARIATIONS.filter(({ row }) => row.values.kind !== "architecture");
    for (const { name, row, value } of [
      { name: "arch", row: CODE_OPTIONS.arch, value: "sm_120" },
      ...variations,
    ]) {
      const flag = row.values.kind === "boolean" ? [CODE_FLAGS[name]!] : [CODE_FLAGS[name]!, `${value}`];
      const options = { arch: "sm_90", [name]: value, cache: false };
      using compiler = new PtxCompiler(options);
      const { cubin } = await compiler.compile(module("a"));
      const arch = name === "arch" ? [] : ["-a", "sm_90"];
      expect(await told(...arch, ...flag)).toBe(inspectCubin(cubin).tool!.options);
    }
  }, 60_000);

  it("accepts comments in other alphabets on request", async () => {
    line.write("a.ptx", `// é\n${module("a")}`);
    expect((await line.run(["compile", "a.ptx", "-a", "sm_90"])).stderr).toMatch(
      /^a\.ptx:1:4: error: expected ASCII.*\nhint: .*; `--ascii-comments` replaces /,
    );
    expect((await line.run(["compile", "a.ptx", "-a", "sm_90", "--ascii-comments"])).code).toBe(0);
  });

  it.runIf(PTXAS && IN_PROCESS)("uses the requested backend", async () => {
    for (const backend of BACKENDS) {
      const words = [
        "compile",
        "a.ptx",
        "-a",
        "sm_90",
        "--backend",
        backend,
        "--workers",
        "1",
        "--no-cache",
        "--json",
      ];
      expect(JSON.parse((await line.run(words)).stdout)).toMatchObject({ ok: true, backend });
    }
  });

  it("prints the compiler's warnings", async () => {
    line.write("a.ptx", stubbornModule(400, 100));
    const { code, stderr } = await line.run(["compile", "a.ptx", "-a", "sm_90", "--max-registers", "24"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^a\.ptx: warning: .*spill/im);
  });

  it("prints colours only on request", async () => {
    const words = ["compile", "a.ptx", "missing.ptx", "-a", "sm_90"];
    const colored = await line.run(words, { FORCE_COLOR: "1" });
    expect(colored.stdout).toBe("\u001b[32mwritten\u001b[39m a.cubin\n");
    expect(colored.stderr).toContain("\u001b[31merror\u001b[39m");
    const { stdout, stderr } = await line.run(words, { NO_COLOR: "1", FORCE_COLOR: "1" });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});

describe.runIf(BACKENDS.length > 0)("a failing file does not affect others:", () => {
  it("with any kind of mistake", async () => {
    line.write("bad.ptx", module("bad", "\tadd.f33 %f1, %f1, %f1;\n"));
    line.write("empty.ptx", "");
    line.write("text.ptx", "hello world\n");
    line.write("binary.ptx", Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1));
    line.write("out/bad.cubin", "as it was");
    mkdirSync(line.path("folder"));
    const names = ["bad.ptx", "empty.ptx", "text.ptx", "binary.ptx", "folder", "missing.ptx", "x*.ptx"];
    const { code, stdout, stderr } = await line.run([
      "compile",
      ...names,
      "a.ptx",
      "-a",
      "sm_90",
      "-o",
      "out",
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "written out/a.cubin\n" });
    for (const expected of [
      /^bad\.ptx:15:5: error: PTX does not compile for `sm_90`/m,
      /^empty\.ptx:1:1: error: expected PTX, found an empty text$/m,
      /^text\.ptx:1(?::\d+)?: error: /m,
      /^binary\.ptx:1:5: error: expected PTX, found a NUL byte/m,
      /^folder: error: expected a file to read, found `folder`: a folder, did you mean `folder\/\*\.ptx`\?$/m,
      /^missing\.ptx: error: expected a file to read, found `missing\.ptx`: no such file/m,
      /^x\*\.ptx: error: expected a file, found none that matches `x\*\.ptx`$/m,
    ]) {
      expect(stderr).toMatch(expected);
    }
    expect(line.read("out/bad.cubin")).toBe("as it was");
    expect(readdirSync(line.path("out")).sort()).toEqual(["a.cubin", "bad.cubin"]);
  });

  it("one that needs another architecture", async () => {
    line.write("a.ptx", module("a").replace(".target sm_75", ".target sm_90").replace("7.5", "8.0"));
    const { code, stdout, stderr } = await line.run(["compile", "a.ptx", "-a", "sm_80,sm_90", "--json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      cubins: [
        { arch: "sm_80", state: "failed", problem: { code: "TARGET_TOO_LOW", file: "a.ptx" } },
        { arch: "sm_90", state: "written" },
      ],
    });
    expect(readdirSync(line.path(".")).filter((name) => name.endsWith(".cubin"))).toEqual(["a.sm_90.cubin"]);
  });

  it.runIf(ISOLATED)("one that takes too long", async () => {
    line.write("slow.ptx", stubbornModule(20_000, 512));
    const words = ["compile", "slow.ptx", "a.ptx", "-a", "sm_90", "--timeout", "2000", "--json"];
    const { cubins } = JSON.parse((await line.run(words)).stdout);
    expect(cubins).toMatchObject([{ state: "failed", problem: { code: "TIMEOUT" } }, { state: "written" }]);
  });

  it.skipIf(process.platform === "win32")("one that cannot be written or read", async () => {
    expect(await line.run(["compile", "a.ptx", "-a", "sm_90", "-o", "/dev/full"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "a.ptx: error: expected a file to write, found `/dev/full`: no room on the disk\n",
    });
    line.write("file", "");
    mkdirSync(line.path("out/a.cubin"), { recursive: true });
    const { stderr } = await line.run(["compile", "a.ptx", "b.ptx", "-a", "sm_90", "-o", "out"]);
    expect(stderr).toBe("a.ptx: error: expected a file to write, found `out/a.cubin`: a folder\n");
    expect((await line.run(["compile", "a.ptx", "-a", "sm_90", "-o", "file/a.cubin"])).stderr).toMatch(
      /is not a folder$/m,
    );
    expect(readdirSync(line.path("out")).sort()).toEqual(["a.cubin", "b.cubin"]);
    if (process.getuid?.() === 0) return;
    chmodSync(line.path("a.ptx"), 0);
    expect((await line.run(["compile", "a.ptx", "-a", "sm_90"])).stderr).toMatch(/: no permission$/m);
  });
});

it.runIf(ISOLATED)("an interruption exits with 130, and leaves whole files and no workers", async () => {
  line.write("slow.ptx", stubbornModule(6000, 512));
  const child = line.start([
    "compile",
    "a.ptx",
    "slow.ptx",
    "-a",
    "sm_90",
    "-o",
    "out",
    "--workers",
    "2",
    "--no-cache",
  ]);
  while (!existsSync(line.path("out/a.cubin"))) await pause(10);
  const workers = childrenOf(child.pid!);
  expect(workers.length).toBeGreaterThan(0);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect(readdirSync(line.path("out"))).toEqual(["a.cubin"]);
  expect(cubin("out/a.cubin").entries).toEqual(["a"]);
  while (workers.some((pid) => existsSync(join("/proc", pid, "exe")))) await pause(10);
});

/** The ids of the child processes of a process, as Linux lists them. */
function childrenOf(pid: number): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return (
        readFileSync(join("/proc", name, "stat"), "latin1")
          .split(") ")[1]
          ?.split(" ")[1] === String(pid)
      );
    } catch {
      return false;
    }
  });
}
