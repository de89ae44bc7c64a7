// Machines on which the native package is missing, made for another machine, or corrupt: they get errors, and
// nothing crashes.

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_TOOLKITS } from "../../../../tests/support/no-toolkits.js";
import { InstalledPackage, NATIVE } from "../support/installed.js";

let installed: InstalledPackage;
beforeAll(() => {
  installed = new InstalledPackage();
});
afterAll(() => installed.remove());

const node: InstalledPackage["node"] = (...args) => installed.node(...args);

describe("a machine", () => {
  const message =
    "try { new PtxCompiler({ cache: false, arch: 'sm_90', backend: 'in-process' }); } catch (e) { console.log(e.code, e.message); }";
  const place = (name: string, fill: (path: string) => void): string => {
    const path = join(installed.folder, name);
    mkdirSync(path);
    fill(path);
    return path;
  };

  test("without the native package gets an error with every place and a remedy", async () => {
    const empty = place("empty", () => {});
    const { stdout } = await node(message, { MM_PTX_NATIVE_DIR: empty });
    expect(stdout.replace(empty, "EMPTY")).toBe(
      "UNAVAILABLE expected the `in-process` backend, found none:\n" +
        "  - MM_PTX_NATIVE_DIR: EMPTY: mmptx.node: not there\n" +
        "  - @mm-ptx/cuda-linux-x64: the package is not installed\n" +
        "install the optional dependencies of @mm-ptx/cuda for this platform and Node, or name a folder with mmptx.node, libmmptxc.so and mmptx-worker in MM_PTX_NATIVE_DIR (in a clone: `npm run setup` builds them)\n",
    );
  });

  const pretend = (of: string, more = "") =>
    `--import=data:text/javascript,${encodeURIComponent(`for (const [name, value] of Object.entries(${of})) Object.defineProperty(process, name, { value });${more}`)}`;

  const HERE = "install the optional dependencies of @mm-ptx/cuda for this platform and Node, ";
  const ELSEWHERE = "use a machine of one of these platforms\n";
  test.each([
    [
      "macOS",
      pretend('{ platform: "darwin", arch: "arm64" }'),
      "platform package: there is no native package for darwin-arm64, only for linux-x64, linux-arm64 and win32-x64",
      ELSEWHERE,
    ],
    [
      "another processor",
      pretend('{ arch: "riscv64" }'),
      "platform package: there is no native package for linux-riscv64, only for linux-x64, linux-arm64 and win32-x64",
      ELSEWHERE,
    ],
    [
      "musl",
      pretend("{}", "process.report.getReport = () => ({ header: {} });"),
      "@mm-ptx/cuda-linux-x64: not installed: it needs glibc, and this Node is built for musl",
      "use a Node that is built for glibc\n",
    ],
    ["arm64", pretend('{ arch: "arm64" }'), "@mm-ptx/cuda-linux-arm64: the package is not installed", HERE],
    [
      "Windows",
      pretend('{ platform: "win32" }'),
      "@mm-ptx/cuda-win32-x64: the package is not installed",
      `${HERE}or name a folder with mmptx.node, mmptxc.dll and mmptx-worker.exe in MM_PTX_NATIVE_DIR\n`,
    ],
  ])("with %s gets one sentence on what is missing and what helps", async (_, option, sentence, cure) => {
    const { stdout } = await node(message, { NODE_OPTIONS: option });
    expect(stdout).toContain(`found none:\n  - ${sentence}\n${cure}`);
  });

  test("with Windows looks for a worker by its Windows name", async () => {
    const empty = place("no-worker", () => {});
    const source =
      "import { Nvrtc } from '@mm-ptx/cuda'; try { new Nvrtc(); } catch (e) { console.log(e.message); }";
    const { stdout } = await node(source, {
      MM_PTX_NATIVE_DIR: empty,
      NODE_OPTIONS: pretend('{ platform: "win32" }'),
    });
    expect(stdout.replace(empty, "EMPTY")).toContain("MM_PTX_NATIVE_DIR: EMPTY/mmptx-worker.exe: not there");
  });

  test("reports packages that were installed for another machine", async () => {
    const other = join(installed.packages, "cuda-linux-arm64");
    mkdirSync(other);
    writeFileSync(join(other, "package.json"), "{}");
    const { stdout } = await node(message);
    rmSync(other, { recursive: true });
    expect(stdout).toContain(
      "  - @mm-ptx/cuda-linux-x64: not installed, but @mm-ptx/cuda-linux-arm64 is: these packages were installed for another machine\n",
    );
  });

  test("reports a corrupt package manifest", async () => {
    const damaged = join(installed.packages, "cuda-linux-x64");
    mkdirSync(damaged);
    writeFileSync(join(damaged, "package.json"), "{");
    const { stdout } = await node(message);
    rmSync(damaged, { recursive: true });
    expect(stdout).toMatch(/ {2}- @mm-ptx\/cuda-linux-x64: .*cuda-linux-x64\/package\.json/);
  });

  test("without any backend gets a suggestion of what to install where", async () => {
    const empty = place("nothing", () => {});
    const source =
      "console.log(capabilities().backends.map(({ available }) => available).join()); try { new PtxCompiler({ cache: false, arch: 'sm_90' }); } catch (e) { console.log(e.code, e.message); }";
    const environment = { MM_PTX_NATIVE_DIR: empty, MM_PTX_CACHE_DIR: empty, PATH: empty };
    const { stdout } = await node(source, {
      ...environment,
      NODE_OPTIONS: NO_TOOLKITS,
      CUDA_HOME: "",
      CUDA_PATH: "",
    });
    expect(stdout).toContain("false,false,false,false\nUNAVAILABLE expected a compiler for PTX, found none:");
    expect(stdout).toContain(`  - ptxas: PATH: ${empty}: not there\n`);
    expect(stdout).toContain("run `npx mm-ptx fetch compiler`");
    expect(stdout).toContain("or put ptxas of a CUDA toolkit on PATH");
  });

  test("reports garbage in place of the addon", async () => {
    const garbage = place("garbage", (path) => writeFileSync(join(path, "mmptx.node"), "garbage"));
    const { stdout } = await node(message, { MM_PTX_NATIVE_DIR: garbage });
    expect(stdout).toContain("mmptx.node: expected a shared object (ELF), found another kind of file");
  });

  test.runIf(existsSync(join(NATIVE, "libmmptxc.so")))(
    "with broken or foreign files is told which and why",
    async () => {
      const addon = readFileSync(join(NATIVE, "mmptx.node"));
      const foreign = place("foreign", (path) => {
        const copy = Buffer.from(addon);
        copy.writeUInt16LE(183, 18);
        writeFileSync(join(path, "mmptx.node"), copy);
      });
      const cut = place("cut", (path) => writeFileSync(join(path, "mmptx.node"), addon.subarray(0, 2000)));
      // The possible contents of a file that was being written when the machine lost power.
      const unwritten = place("unwritten", (path) => {
        const copy = Buffer.from(addon);
        writeFileSync(join(path, "mmptx.node"), copy.fill(0, 8192));
      });
      const stranger = place("stranger", (path) =>
        copyFileSync(join(NATIVE, "libmmptxc.so"), join(path, "mmptx.node")),
      );
      const alone = place("alone", (path) => writeFileSync(join(path, "mmptx.node"), addon));
      const wrong = place("wrong", (path) => {
        writeFileSync(join(path, "mmptx.node"), addon);
        writeFileSync(join(path, "libmmptxc.so"), addon);
      });
      const other = place("other-version", (path) => {
        const text = addon.toString("latin1").replaceAll("0.1.0\0", "9.9.9\0");
        writeFileSync(join(path, "mmptx.node"), text, "latin1");
      });
      const said = async (path: string) => (await node(message, { MM_PTX_NATIVE_DIR: path })).stdout;
      expect(await said(foreign)).toContain("built for another machine: expected x86-64, found aarch64");
      expect(await said(cut)).toContain("mmptx.node: truncated: expected at least ");
      expect(await said(unwritten)).toContain("mmptx.node: corrupt: expected a section table at its end");
      expect(await said(stranger)).toContain("mmptx.node: built for another Node or platform: ");
      expect(await said(alone)).toContain("libmmptxc.so: not there");
      expect(await said(wrong)).toContain("libmmptxc.so: the library has no function mmptxc_abi");
      expect(await said(other)).toContain("mmptx.node: expected version 0.1.0, found 9.9.9");
    },
  );

  test.runIf(existsSync(join(NATIVE, "libmmptxc.so")))(
    "takes a folder that is named from the current one, and stays with it",
    async () => {
      const source =
        "const c = new PtxCompiler({ cache: false, arch: 'sm_90' }); process.chdir('/'); console.log((await c.compile(ptx)).info.backend);";
      const { stdout } = await node(source, { MM_PTX_NATIVE_DIR: relative(installed.folder, NATIVE) });
      expect(stdout).toBe("isolated\n");
    },
  );

  describe.runIf(existsSync(join(NATIVE, "libmmptxc.so")))("whose worker cannot be used", () => {
    const compile =
      "const c = new PtxCompiler({ cache: false, arch: 'sm_90' }); console.log((await c.compile(ptx)).info.backend); new PtxCompiler({ cache: false, arch: 'sm_80' });";

    test.each<[string, (worker: string) => void, string]>([
      ["lost its exec bit", (worker) => chmodSync(worker, 0o644), "not executable"],
      ["is missing", (worker) => rmSync(worker), "not there"],
      ["is damaged", (worker) => writeFileSync(worker, "#!/bin/sh\n"), "expected a shared object (ELF)"],
    ])("because it %s make compiles run in the process, with one warning", async (name, harm, reason) => {
      const path = place(name.replaceAll(" ", "-"), (copy) => {
        for (const file of ["mmptx.node", "libmmptxc.so", "mmptx-worker"])
          cpSync(join(NATIVE, file), join(copy, file));
        harm(join(copy, "mmptx-worker"));
      });
      const { stdout, stderr } = await node(compile, { MM_PTX_NATIVE_DIR: path });
      expect(stdout).toBe("in-process\n");
      expect(stderr.match(/MM_PTX_NOT_ISOLATED/g)).toHaveLength(1);
      expect(stderr).toContain(`mmptx-worker: ${reason}`);
    });
  });
});
