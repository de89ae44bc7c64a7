// Queries NVIDIA's driver about this machine's GPUs.

import { architecture } from "@mm-ptx/ptx";
import { loadNative } from "./load.js";

/** Stands for the architecture of this machine's first GPU. */
export const NATIVE_ARCH = "native";

const DRIVER = process.platform === "win32" ? "nvcuda.dll" : "libcuda.so.1";

/** The path of NVIDIA's driver as the system's loader finds it; `MM_PTX_DRIVER` overrides it. */
export const driverFile = (): string => process.env.MM_PTX_DRIVER || DRIVER;

/** Cached by driver, because the query is slow and every job may make it. */
const known = new Map<string, string>();

/** This machine has no GPU, or no driver for it. */
export class NoDriverError extends Error {}

/**
 * The architecture of the first GPU, for example `sm_90`.
 *
 * @throws NoDriverError with the reason if there is no GPU, Error if this compiler doesn't know its architecture
 */
export function nativeArch(): string {
  const driver = driverFile();
  const before = known.get(driver);
  if (before !== undefined) return before;
  const arch = askDriver(driver);
  known.set(driver, arch);
  return arch;
}

const NEEDS_GPU = `\`${NATIVE_ARCH}\` needs a GPU with its driver: `;

function askDriver(driver: string): string {
  const failed = (why: string, cause?: unknown): never => {
    throw new NoDriverError(`${NEEDS_GPU}${why}`, { cause });
  };
  const { native, attempts } = loadNative();
  if (native === undefined)
    return failed(attempts.map(({ place, outcome }) => `${place}: ${outcome}`).join("; "));
  let arch = "";
  try {
    arch = native.addon.deviceArch(driver, 0);
  } catch (error) {
    return failed((error as Error).message, error);
  }
  if (architecture(arch) !== undefined) return arch;
  throw new Error(`${NEEDS_GPU}its architecture ${arch} is newer than this compiler`);
}
