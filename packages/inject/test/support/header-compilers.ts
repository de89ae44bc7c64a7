// The compilers that the CUDA header supports, each run on a source in a folder that is removed after the run of the tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const INCLUDE = fileURLToPath(new URL("../../include", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

export const fixture = (name: string): string => readFileSync(join(FIXTURES, name), "utf8");
export const fixturePath = (name: string): string => join(FIXTURES, name);

export interface Compiled {
  readonly status: number | null;
  /** Everything that the compiler printed. */
  readonly log: string;
  /** Empty for a compiler that writes no PTX. */
  readonly ptx: string;
}

const folder = mkdtempSync(join(process.env.MM_PTX_TEST_PROGRAMS!, "ptx-inject-"));

/** The path of a file in the folder, which tests of one process share. */
export const inFolder = (name: string): string => join(folder, name);

/** Runs a compiler on a source, with `options` and those that select the output. */
function compile(command: string, source: string, name: string, options: readonly string[]): Compiled {
  const [from, to] = [inFolder(name), inFolder("result.ptx")];
  writeFileSync(from, source);
  writeFileSync(to, "");
  const run = spawnSync(command, [...options, "-I", INCLUDE, from], { encoding: "utf8" });
  return { status: run.status, log: run.stdout + run.stderr, ptx: readFileSync(to, "utf8") };
}

/** PTX from nvcc. */
export const nvcc = (source: string, ...options: string[]): Compiled =>
  compile("nvcc", source, "source.cu", ["-ptx", "-o", inFolder("result.ptx"), ...options]);

/** An object file with host code and device code from nvcc: both of its passes see the source. */
export const nvccObject = (source: string, ...options: string[]): Compiled =>
  compile("nvcc", source, "source.cu", ["-c", "-o", inFolder("result.o"), ...options]);

/** Compiles host code. */
export const host = (command: "g++" | "clang", source: string, ...options: string[]): Compiled =>
  compile(command, source, "source.cpp", ["-x", "c++", "-fsyntax-only", ...options]);

/**
 * Clang as a CUDA parser, for one side, without any CUDA header, like an editor on a machine without the
 * toolkit.
 */
export const clangCuda = (source: string, side: "host" | "device", ...options: string[]): Compiled =>
  compile("clang", source, "source.cu", [
    ...["-x", "cuda", `--cuda-${side}-only`, "-nocudainc", "-nocudalib", "-fsyntax-only"],
    "-Wno-unknown-cuda-version",
    ...options,
  ]);

/** Candidates for NVRTC: named by the environment, in a toolkit, or in the ignored folder of downloads. */
function findNvrtc(): string | undefined {
  const { MM_PTX_NVRTC, CUDA_HOME, CUDA_PATH } = process.env;
  const toolkits = [CUDA_HOME, CUDA_PATH, "/usr/local/cuda"].flatMap((home) =>
    home === undefined ? [] : [join(home, "lib64"), join(home, "targets/x86_64-linux/lib")],
  );
  const downloads = existsSync(join(ROOT, ".deps"))
    ? readdirSync(join(ROOT, ".deps"))
        .filter((name) => name.startsWith("nvrtc-"))
        .map((name) => join(ROOT, ".deps", name, "lib"))
    : [];
  const found = [...toolkits, ...downloads].flatMap((library) =>
    existsSync(library)
      ? readdirSync(library)
          .filter((name) => /^libnvrtc\.so(\.\d+)*$/.test(name))
          .map((name) => join(library, name))
      : [],
  );
  return MM_PTX_NVRTC ?? found[0];
}

/** The library of NVRTC; `undefined` if there is none. */
export const NVRTC = findNvrtc();

/** The folder of headers such as `<cuda_fp16.h>`; `undefined` if there is none. */
export const CUDA_INCLUDE = [process.env.CUDA_HOME, process.env.CUDA_PATH, "/usr/local/cuda"]
  .flatMap((home) => (home === undefined ? [] : [join(home, "include")]))
  .find((include) => existsSync(join(include, "cuda_fp16.h")));

/** PTX from NVRTC, called by a script in a process of its own. */
export function nvrtc(source: string, ...options: string[]): Compiled {
  const [from, to] = [inFolder("source.cu"), inFolder("result.ptx")];
  writeFileSync(from, source);
  writeFileSync(to, "");
  const includes = [INCLUDE, ...(CUDA_INCLUDE === undefined ? [] : [CUDA_INCLUDE])].map(
    (path) => `-I${path}`,
  );
  const words = [fixturePath("nvrtc.py"), NVRTC!, from, to, ...includes, ...options];
  const run = spawnSync("python3", words, { encoding: "utf8" });
  return { status: run.status, log: run.stdout + run.stderr, ptx: readFileSync(to, "utf8") };
}
