// The main job in adverse surroundings: a part of the compiler is missing, stdout is full, the output folder
// has other files, or npm has moved the process to another folder.

import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CudaCompiler, capabilities } from "../packages/cuda/dist/index.js";
import { IN_ONE_FILE, run, runAlone, script } from "./support/main-job.js";
import { NO_TOOLKITS } from "./support/no-toolkits.js";
import { ROOT } from "./support/workspace.js";

const IN_PROCESS = capabilities().backends.some(({ name, available }) => name === "in-process" && available);
const CUDA = hasCudaCompiler();

function hasCudaCompiler(): boolean {
  try {
    new CudaCompiler().dispose();
    return true;
  } catch {
    return false;
  }
}

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

let folders = 0;
const folder = (): string => join(base, `out-${folders++}`);

/** Node's own option that runs a module before the job. */
const before = (module: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}`,
});

/** Pretends that no file of that name exists anywhere, nor nvJitLink, which would compile instead. */
const without = (name: string): Record<string, string> =>
  before(`
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const { existsSync } = fs;
    const hidden = [${JSON.stringify(name)}, "libnvJitLink.so.13"];
    fs.existsSync = (path) => !hidden.some((each) => String(path).endsWith(each)) && existsSync(path);
    syncBuiltinESMExports();
  `);

/** A machine on which PATH names all tools. */
const NO_OTHERS = { CUDA_HOME: "", CUDA_PATH: "", MM_PTX_PTXAS: "" };

describe.runIf(IN_PROCESS)("the remedy for a missing compiler", () => {
  const ADDON = "`npm run setup` builds the addon if you have a C++ compiler, make and CMake";
  const LIBRARY =
    "`npm run setup` builds the compiler library if you have Python 3 with pip, or if MM_PTX_NVPTXCOMPILER_DIR or CUDA_HOME names a folder with nvPTXCompiler";

  /** The message of a run in which a file is missing; `tools` is its PATH. */
  function said({ NODE_OPTIONS }: Record<string, string>, tools = "") {
    const env = { PATH: tools, ...NO_OTHERS, NODE_OPTIONS: `${NO_TOOLKITS} ${NODE_OPTIONS}` };
    const { status, stderr } = runAlone(["--programs", "2", "--run", "none", "--out", folder()], env);
    expect(status).toBe(0);
    return stderr;
  }

  it("is Python if only the addon's library is missing", () => {
    const text = said(without("libmmptxc.so"));
    expect(text).toContain("libmmptxc.so: not there");
    expect(text).toContain(`(compiled: 0): ${LIBRARY}, or put ptxas of a CUDA toolkit on PATH\n`);
    expect(text).not.toContain("C++");
  });

  it("is a C++ compiler if the addon is missing", () => {
    const text = said(without("mmptx.node"));
    expect(text).toContain(`(compiled: 0): ${ADDON}, or put ptxas of a CUDA toolkit on PATH\n`);
    expect(text).not.toContain("Python");
  });

  it("is ptxas alone on a platform without native packages", () => {
    const text = said(before('Object.defineProperty(process, "arch", { value: "none" })'));
    expect(text).toContain("(compiled: 0): put ptxas of a CUDA toolkit on PATH\n");
  });

  it("names the missing part if ptxas compiles", () => {
    const tools = folder();
    mkdirSync(tools);
    const body = `[ "$1" = --version ] && echo V13.0.88\nexit 1`;
    writeFileSync(join(tools, "ptxas"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const args = ["--programs", "1", "--run", "none", "--out", folder()];
    const env = { PATH: `${tools}:/bin:/usr/bin` };
    const library = runAlone(args, { ...env, ...without("libmmptxc.so") }).stderr;
    expect(library).toMatch(
      /^ptxas compiles, with a process for each program, because the addon's compiler library is missing \(/m,
    );
    expect(library).toContain(`): ${LIBRARY}\n`);
    const addon = runAlone(args, { ...env, ...without("mmptx.node") }).stderr;
    expect(addon).toMatch(
      /^ptxas compiles, with a process for each program, because the addon is missing \(/m,
    );
    expect(addon).toContain(`): ${ADDON}\n`);
  });
});

describe("a relative output folder", () => {
  const args = (out: string) => ["--programs", "1", "--run", "none", "--out", out];

  it("is below the folder where npm was started", () => {
    const caller = folder();
    mkdirSync(caller);
    const { status, stdout, stderr } = runAlone(args("a/b"), { INIT_CWD: caller }, ROOT);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/written to\s+a\/b\n/);
    expect(existsSync(join(caller, "a/b/run.json"))).toBe(true);
    expect(existsSync(join(ROOT, "a"))).toBe(false);
  });

  it("is below the process's own folder if npm has not moved it", () => {
    const [cwd, other] = [folder(), folder()];
    for (const path of [cwd, other]) mkdirSync(path);
    const { status, stderr } = runAlone(args("given"), { INIT_CWD: other }, cwd);
    expect(status, stderr).toBe(0);
    expect(existsSync(join(cwd, "given/run.json"))).toBe(true);
    expect(existsSync(join(other, "given"))).toBe(false);
  });
});

describe.runIf(existsSync("/dev/full"))("when stdout is full", () => {
  /** Runs with a stream that is always full: 1 is stdout, 2 is stderr. */
  function full(descriptor: 1 | 2, args: readonly string[]) {
    const file = openSync("/dev/full", "w");
    try {
      const stdio: ("ignore" | "pipe" | number)[] = ["ignore", "pipe", "pipe"];
      stdio[descriptor] = file;
      return spawnSync(process.execPath, [IN_ONE_FILE, ...args], { encoding: "utf8", stdio });
    } finally {
      closeSync(file);
    }
  }

  it.each([[[]], [["--json"]], [["--help"]]])("the job says so in one sentence (%j)", (more) => {
    const out = folder();
    const { status, stderr } = full(1, ["--programs", "2", "--run", "none", "--out", out, ...more]);
    expect(stderr).toMatch(/(?:^|\n)error: could not write to stdout: the disk is full\n$/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(status).toBe(1);
    if (!more.includes("--help"))
      expect(readFileSync(join(out, "results.jsonl"), "utf8").split("\n")).toHaveLength(3);
  });

  it("and when stderr is full, the job continues without its progress", () => {
    const { status, stdout } = full(2, ["--programs", "2", "--run", "none", "--json", "--out", folder()]);
    expect(JSON.parse(stdout)).toMatchObject({ done: 2 });
    expect(status).toBe(0);
  });
});

describe("foreign files in the output folder", () => {
  /** A folder with such files. */
  function holding(...names: string[]): string {
    const out = folder();
    mkdirSync(out);
    for (const name of names) writeFileSync(join(out, name), `my ${name}`);
    return out;
  }
  const refusal = (path: string, more = "") =>
    `error: expected only files of an earlier run where this one writes, found \`${path}\`${more}: name another folder with \`--out\`, or move what is there\n`;

  it.each([
    [["report.svg"], [], ""],
    [["results.jsonl"], [], ""],
    [["annotated.ptx"], [], ""],
    [["run.json"], [], ""],
    [["00000.ptx", "00001.cubin", "00002.ptx", "report.svg"], ["--keep"], " and 2 more"],
  ])("are not overwritten (%j)", async (names, more, others) => {
    const out = holding(...names);
    const { status, stdout, stderr } = await run(["--programs", "2", "--out", out, ...more]);
    expect(stderr).toBe(refusal(join(out, names[0]!), others));
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(readdirSync(out).sort()).toEqual(names);
    for (const name of names) expect(readFileSync(join(out, name), "utf8")).toBe(`my ${name}`);
  });

  it("do no harm if the run writes no file of that name", async () => {
    const names = ["00000.cubin", "00007.ptx", "0.ptx", "notes.txt"];
    const out = holding(...names);
    const first = await run(["--programs", "2", "--out", out]);
    expect(first.status, first.stderr).toBe(0);
    const second = await run(["--programs", "2", "--out", out]);
    expect(second.status, second.stderr).toBe(0);
    for (const name of names) expect(readFileSync(join(out, name), "utf8")).toBe(`my ${name}`);
  });

  it("are distinguished from those of an earlier run even if there are both", async () => {
    const out = holding("00001.ptx");
    await run(["--programs", "1", "--keep", "--out", out]);
    const { status, stderr } = await run(["--programs", "3", "--keep", "--out", out]);
    expect(stderr).toBe(refusal(join(out, "00001.ptx")));
    expect(status).toBe(1);
    expect(existsSync(join(out, "00000.ptx"))).toBe(true);
    expect(readFileSync(join(out, "00001.ptx"), "utf8")).toBe("my 00001.ptx");
  });
});

/** Pretends that kernel.cu was edited; `further` statements run before the job as well. */
const edited = (find: string, replacement: string, further = ""): Record<string, string> =>
  before(`
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => {
      const content = readFileSync(path, ...rest);
      if (!String(path).endsWith("kernel.cu")) return content;
      return content.replace(${JSON.stringify(find)}, ${JSON.stringify(replacement)});
    };
    ${further}
    syncBuiltinESMExports();
  `);

describe("a kernel.cu that was edited and that nothing compiles", { timeout: 60_000 }, () => {
  const SUM = ["z_values[i] = z;", "z_values[i] = z + 1.0f;"] as const;

  const withoutCompilers = (find: string, replacement: string) => ({
    // NVRTC runs in a worker, which this platform lacks, and no folder contains a toolkit.
    ...edited(
      find,
      replacement,
      `Object.defineProperty(process, "arch", { value: "none" });
       const { readdirSync } = fs;
       fs.readdirSync = (...words) => words[0] === "/usr/local" ? [] : readdirSync(...words);`,
    ),
    PATH: "",
    CUDA_HOME: "",
    CUDA_PATH: "",
  });

  it("ends the run", () => {
    const args = ["--programs", "2", "--out", folder()];
    const { status, stdout, stderr } = runAlone(args, withoutCompilers(...SUM));
    expect(stderr).toMatch(
      /^error: expected a compiler for kernel\.cu, which was edited since kernel\.ptx was made of it, found neither nvcc nor NVRTC; `npm run setup -- --with nvrtc`/,
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  });

  it("is not assumed for other line ends", () => {
    const { status, stderr } = runAlone(
      ["--programs", "1", "--run", "none", "--out", folder()],
      withoutCompilers("\n", "\r\n"),
    );
    expect(stderr).toContain("kernel PTX: committed PTX\n");
    expect(status).toBe(0);
  });

  it("ends the run if nvcc fails for another reason", () => {
    const tools = folder();
    script(
      tools,
      "nvcc",
      "[ \"$1\" = --version ] && echo 'V13.0.99' && exit 0\necho 'no host compiler' >&2; exit 1",
    );
    const { status, stderr } = runAlone(["--programs", "2", "--out", folder()], {
      ...edited(...SUM),
      PATH: `${tools}:/bin:/usr/bin`,
    });
    expect(stderr).toMatch(
      /was edited since kernel\.ptx was made of it, but nvcc 13\.0\.99 made no usable PTX/,
    );
    expect(status).toBe(1);
  });
});

describe.runIf(IN_PROCESS && CUDA)("a kernel.cu that was edited", { timeout: 60_000 }, () => {
  it.each([
    [
      "does not compile",
      "= z;",
      "= zz;",
      /^error: CUDA does not compile .*kernel\.cu:\d+:.*"zz" is undefined\n.*= zz;/,
    ],
    [
      "has no site",
      '"func"',
      '"other"',
      /^error: expected a site `func` in the kernel \(made anew .*\), found `other`/,
    ],
    [
      "has an annotation for `annotateCuda` instead of a site",
      'PTX_INJECT("func",\n    PTX_IN(F32, x),\n    PTX_IN(F32, y),\n    PTX_IN(F32, w),\n    PTX_OUT(F32, z)\n  );',
      "/* PTX_INJECT func\n    in f32 x\n    out f32 z\n  */",
      /found none; expected a site `func`, found a comment: `annotateCuda` of/,
    ],
    ["has no kernel", "__global__", "__device__", /^error: expected PTX with .*entry/],
  ])("and %s ends the run, because no other kernel was requested", (_, find, replacement, message) => {
    const out = folder();
    const { status, stdout, stderr } = runAlone(["--programs", "2", "--out", out], edited(find, replacement));
    expect(stderr).toMatch(message);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  });

  it("is compiled again, with the headers beside it", () => {
    // README.md takes the place of a header: it is in the same folder, where compilers look only if they are
    // told to.
    const source = `#if !__has_include("README.md")\n#error not found\n#endif\n#include <ptx_inject.h>`;
    const { status, stdout } = runAlone(
      ["--programs", "2", "--run", "none", "--json", "--out", folder()],
      edited("#include <ptx_inject.h>", source),
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout).kernel).toMatch(/^made anew by /);
  });
});
