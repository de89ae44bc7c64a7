// Programs that call the CUDA runtime, built by the C compiler: what they print and how they end.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.js";
import { run as runCommand } from "../../src/cli/run.js";
import { buildRun } from "../../src/cli/run-command.js";
import { runCorpus } from "../../src/runtime/corpus.js";
import { readExecutable, refuseOwnRuntime } from "../../src/runtime/executable.js";
import { gpuLibraryOf } from "../../src/runtime/gpu-libraries.js";
import { runProgram } from "../../src/runtime/run-program.js";

const HERE = import.meta.dirname;
const LIBRARIES = join(HERE, `../../npm/${process.platform}-${process.arch}`);
const HAS_LIBRARY =
  existsSync(join(LIBRARIES, "libcudart.so.13")) && spawnSync("cc", ["--version"]).status === 0;

describe.runIf(HAS_LIBRARY)("programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-run-"));
  const program = join(folder, "program");
  const complaints: string[] = [];
  const launches: string[] = [];

  const run = async (file: string, words: readonly string[]) => {
    complaints.length = 0;
    launches.length = 0;
    return runProgram(file, words, {
      device: { memoryBytes: 2 ** 26 },
      capability: { major: 9, minor: 0 },
      complain: (message) => complaints.push(message),
      onLaunch: ({ kernel }) => launches.push(kernel),
      output: "pipe",
    });
  };

  beforeAll(() => {
    const library = join(LIBRARIES, "libcudart.so.13");
    const { status, stderr } = spawnSync("cc", ["-o", program, join(HERE, "program.c"), library]);
    expect(`${stderr}`).toBe("");
    expect(status).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("copies memory, fills it and reads variables", async () => {
    const { stdout, exitCode } = await run(program, ["copies"]);
    expect(stdout).toBe(
      "11 0 18\n11 0 15 16\n13\noutside cudaErrorInvalidValue\ntwice cudaErrorInvalidValue\n",
    );
    expect(exitCode).toBe(3);
  });

  it("shares managed and pinned memory with kernels", async () => {
    const { stdout, exitCode } = await run(program, ["shared"]);
    expect(stdout).toBe("7\n6 52\n71 124\n");
    expect(exitCode).toBe(0);
  });

  it("reports faults as errors that stay until a reset", async () => {
    const { stdout, stderr } = await run(program, ["faults"]);
    expect(stdout.split("\n")).toEqual([
      "launch cudaSuccess",
      "wait cudaErrorIllegalAddress",
      "later cudaErrorIllegalAddress",
      "reset cudaSuccess",
      "again cudaSuccess",
      "wait cudaSuccess",
      "threads cudaErrorInvalidConfiguration",
      "last cudaErrorInvalidConfiguration",
      "last cudaSuccess",
      "refused cudaErrorNotSupported",
      "",
    ]);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain("right after buffer 1 (16 bytes");
    const [launch, call, ...more] = stderr.split("\n");
    expect(launch).toMatch(
      /^mm-ptx-emulate: expected a launch that the device can run, found `\w+` with .* threads and 0 bytes of dynamic shared memory: cudaErrorInvalidConfiguration$/,
    );
    expect(call).toBe(
      "mm-ptx-emulate: expected a CUDA call that the emulator has, found cudaMallocMipmappedArray",
    );
    expect(more).toEqual([""]);
  });

  it("end with 1 if a launch stopped during checks", async () => {
    const options = { engine: "auto", memory: 2 ** 26, check: { sync: true }, json: true } as const;
    const outcome = await runCommand(program, ["faults"], options);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.json?.()).toMatchObject({
      ok: false,
      kernels: [{ kernel: "add", kernelName: "add" }],
      findings: { errors: 0, stopped: true },
    });
  });

  it("refuse options that are not about them", async () => {
    const launch = buildProgram(() => {}).exitOverride();
    await expect(launch.parseAsync([program, "--grid", "7"], { from: "user" })).rejects.toThrow(
      "expected `--kernel` or `--arg` with `--grid`, found neither",
    );
    const corpus = buildRun(() => {}).exitOverride();
    await expect(corpus.parseAsync(["--corpus", folder, "--check", "all"], { from: "user" })).rejects.toThrow(
      "expected `--check` with one program, found it with `--corpus`",
    );
  });

  it("captures work and repeats it", async () => {
    expect((await run(program, ["graph"])).stdout).toBe("33\n");
  });

  it("links files, and sets the size of the heap of kernels until they use it", async () => {
    const { stdout } = await run(program, ["linked"]);
    expect(stdout).toBe(
      "heap cudaSuccess\n41 32\nheap cudaErrorInvalidValue\n42 32\nlate cudaErrorInvalidValue\n",
    );
    expect(complaints[0]).toContain("found it set after that");
  });

  it("prints the text of kernels where the program synchronizes", async () => {
    expect((await run(program, ["print"])).stdout).toBe("before\nlaunched\nhello\nafter\n");
  });

  it("records what kernels launch", async () => {
    expect((await run(program, ["nested"])).stdout).toBe("hello\nwait cudaSuccess\n");
    expect(launches).toEqual(["greet", "hello"]);
  });

  it("returns the signal of a program as a shell does, and names it", async () => {
    expect((await run(program, ["crash"])).exitCode).toBe(134);
    expect(complaints).toEqual([
      `expected \`${program}\` to end by itself, found that SIGABRT (an abort, such as a failed assertion) ended it`,
    ]);
  });

  it("keeps the device of a program from what it forks, as CUDA does", async () => {
    expect((await run(program, ["fork"])).stdout).toBe(
      "child cudaErrorInitializationError\nparent cudaSuccess\n",
    );
  });

  it("gives each program of a script a device of its own", async () => {
    const script = join(folder, "both.sh");
    writeFileSync(script, `#!/bin/sh\n"${program}" graph\n"${program}" graph\nexit 4\n`);
    chmodSync(script, 0o755);
    const { stdout, exitCode } = await run(script, []);
    expect(stdout).toBe("33\n33\n");
    expect(exitCode).toBe(4);
  });

  it("runs all programs of a folder", async () => {
    const corpus = mkdtempSync(join(folder, "corpus-"));
    for (const name of ["graph", "copies", "faults"]) copyFileSync(program, join(corpus, name));
    writeFileSync(
      join(corpus, "arguments.json"),
      '{ "graph": ["graph"], "copies": ["copies"], "faults": ["faults"] }',
    );
    const rows = [];
    const options = { device: { memoryBytes: 2 ** 26 }, capability: { major: 9, minor: 0 } };
    for await (const { program, result, exitCode, kernels } of runCorpus(corpus, options))
      rows.push([program, result, exitCode, kernels]);
    expect(rows).toEqual([
      ["copies", "wrong", 3, 1],
      // It goes on after a launch that failed, and after a call that the emulator does not have.
      ["faults", "refused", 0, 1],
      ["graph", "right", 0, 6],
    ]);
    writeFileSync(join(corpus, "arguments.json"), '{ "grahp": [] }');
    await expect(runCorpus(corpus, options).next()).rejects.toThrow("found `grahp`");
    const empty = mkdtempSync(join(folder, "empty-"));
    await expect(runCorpus(empty, options).next()).rejects.toMatchObject({ code: "NOT_FOUND" });
    writeFileSync(join(corpus, "arguments.json"), '{ "graph": "graph" }');
    await expect(runCorpus(corpus, options).next()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(runCorpus(join(corpus, "none"), options).next()).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("starts programs that are linked with cuBLAS if it is installed, and says so if they fail", async () => {
    const build = (...words: string[]) => expect(spawnSync("cc", words).status).toBe(0);
    const source = join(folder, "blas.c");
    const installed = mkdtempSync(join(folder, "installed-"));
    writeFileSync(source, "int cublasCreate_v2(void** handle) { return 1; }\n");
    const blas = join(installed, "libcublas.so.13");
    build("-shared", "-fPIC", "-Wl,-soname,libcublas.so.13", "-o", blas, source);
    const linked = join(folder, "linked");
    const library = join(LIBRARIES, "libcudart.so.13");
    build("-Wl,--no-as-needed", "-o", linked, join(HERE, "program.c"), library, blas);
    await expect(run(linked, ["graph"])).rejects.toThrow(/which needs libcublas\.so\.13: its kernels/);
    const before = process.env.LD_LIBRARY_PATH;
    process.env.LD_LIBRARY_PATH = installed;
    try {
      expect(await run(linked, ["graph"])).toMatchObject({ exitCode: 0, stdout: "33\n" });
      expect(complaints).toEqual([]);
      expect((await run(linked, ["copies"])).exitCode).toBe(3);
      expect(complaints.at(-1)).toBe(
        `expected a program that needs only the CUDA runtime, found \`${linked}\` with exit code 3, which is linked with libcublas.so.13, whose kernels are machine code, which the emulator cannot run`,
      );
    } finally {
      if (before === undefined) delete process.env.LD_LIBRARY_PATH;
      else process.env.LD_LIBRARY_PATH = before;
    }
  });

  it("refuses files that are no programs", async () => {
    await expect(run(join(folder, "none"), [])).rejects.toMatchObject({ code: "NOT_FOUND" });
    const text = join(folder, "text");
    writeFileSync(text, "words");
    await expect(run(text, [])).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const cut = join(folder, "cut");
    copyFileSync(program, cut);
    // A shell would read what is left as a script.
    for (const bytes of [5000, 200, 20]) {
      truncateSync(cut, bytes);
      await expect(run(cut, [])).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("refusals", () => {
  const needs = (libraries: readonly string[], hasFatbin = true) =>
    refuseOwnRuntime("a.out", { libraries, loader: undefined, hasOldPath: false, hasFatbin });

  it("name what a program needs, and the cure", () => {
    const library = (name: string) => gpuLibraryOf({ libraries: ["libcudart.so.13", name] });
    expect(library("libcublasLt.so.13")?.cure).toContain("machine code without PTX");
    expect(library("libcuda.so.1")?.cure).toContain("driver API is not emulated");
    expect(library("libnvrtc.so.13")?.cure).toContain("compile them with nvcc");
    expect(library("libc.so.6")).toBeUndefined();
    expect(() => needs(["libc.so.6"])).toThrow("link it with `nvcc -cudart shared`");
    expect(() => needs(["libcudart.so.12", "libc.so.6"])).not.toThrow();
    expect(() => needs(["libc.so.6"], false)).not.toThrow();
  });

  it.runIf(process.platform === "linux")("are decided by the headers of an executable", () => {
    expect(readExecutable(process.execPath)).toMatchObject({
      hasFatbin: false,
      loader: expect.stringContaining("ld-"),
    });
  });
});
