// What NVIDIA's driver knows of this machine's GPU.

import { architecture } from "@mm-ptx/ptx";
import { loadNative } from "./load.js";

/** The architecture that stands for that of this machine's first GPU. */
export const NATIVE_ARCH = "native";

const DRIVER = process.platform === "win32" ? "nvcuda.dll" : "libcuda.so.1";

/** NVIDIA's driver, as the system's loader finds it; `MM_PTX_DRIVER` names another. */
export const driverFile = (): string => process.env.MM_PTX_DRIVER || DRIVER;

/** By the driver that was asked: it takes its time, and every job may ask. */
const known = new Map<string, string>();

/** The architecture of the first GPU, for example `sm_90`. @throws Error with the reason why there is none */
export function nativeArch(): string {
  const driver = driverFile();
  const before = known.get(driver);
  if (before !== undefined) return before;
  const arch = askDriver(driver);
  known.set(driver, arch);
  return arch;
}

function askDriver(driver: string): string {
  const failed = (why: string, cause?: unknown): never => {
    throw new Error(`\`${NATIVE_ARCH}\` needs a GPU with its driver: ${why}`, { cause });
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
  if (architecture(arch) === undefined) return failed(`its architecture ${arch} is newer than this compiler`);
  return arch;
}
