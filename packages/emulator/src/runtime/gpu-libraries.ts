// Libraries that need a GPU. Programs are often linked with them but only call them on some paths, so a program starts
// as long as all of its libraries are found.
import { spawnSync } from "node:child_process";
import { EmulatorError } from "../error.js";
import type { Executable } from "./executable.js";

interface GpuLibrary {
  readonly name: RegExp;
  /** Why calls of it fail: `which is linked with libcublas.so.13, whose …`. */
  readonly reason: string;
  /** What a program can do without it. */
  readonly cure: string;
}

const GPU_LIBRARIES: readonly GpuLibrary[] = [
  {
    name: /^lib(cublas|cublasLt|cudnn\w*|cufft\w*|curand|cusolver\w*|cusparse\w*|nccl|npp\w*|nvjpeg\w*|cutensor\w*|nvinfer\w*)\.so/,
    reason: "whose kernels are machine code, which the emulator cannot run",
    cure: "its kernels are machine code without PTX, so build the tests with kernels of your own instead",
  },
  {
    name: /^libcuda\.so/,
    reason: "whose functions belong to the driver API, which the emulator does not provide",
    cure: "the driver API is not emulated, so use the CUDA runtime, or load the PTX with `EmulatedDevice`",
  },
  {
    name: /^lib(nvrtc|nvJitLink|nvptxcompiler)\S*\.so/,
    reason:
      "whose kernels are compiled at run time and loaded by the driver API, which the emulator does not provide",
    cure: "kernels that are compiled at run time are not emulated, so compile them with nvcc",
  },
];

/** A library that a program needs and that needs a GPU. */
export interface NeededLibrary extends Pick<GpuLibrary, "reason" | "cure"> {
  readonly library: string;
}

export function gpuLibraryOf({ libraries }: Pick<Executable, "libraries">): NeededLibrary | undefined {
  for (const library of libraries) {
    const found = GPU_LIBRARIES.find(({ name }) => name.test(library));
    if (found !== undefined) return { ...found, library };
  }
  return undefined;
}

/**
 * Asks the program's dynamic loader whether it finds all libraries.
 * @param env the environment that the program gets
 * @throws EmulatorError UNSUPPORTED if it does not
 */
export function refuseMissing(
  program: string,
  { file, loader }: { readonly file: string; readonly loader: string | undefined },
  { library, cure }: NeededLibrary,
  env: NodeJS.ProcessEnv,
): void {
  if (loader !== undefined) {
    const { status, stdout } = spawnSync(loader, ["--list", file], { env, encoding: "utf8" });
    if (status === 0 && !stdout.includes("=> not found")) return;
  }
  throw new EmulatorError(
    "UNSUPPORTED",
    `expected a program that needs only the CUDA runtime, found \`${program}\`, which needs ${library}: ${cure}`,
  );
}
