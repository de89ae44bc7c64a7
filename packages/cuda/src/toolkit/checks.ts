// Checks of options that several parts of this package share.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { type Check, isWhole, nearestOf, unexpected } from "@mm-ptx/types/internal";
import { NATIVE_ARCH, nativeArch } from "../native/driver.js";
import { LEAST_MEMORY } from "../native/memory.js";

/** The longest delay that setTimeout supports. */
export const MAX_MILLISECONDS = 2 ** 31 - 1;

export const isTimeout: Check = isWhole(1, MAX_MILLISECONDS);

/** The memory limit of a compiling process, in bytes. */
export const isMemoryLimitBytes: Check = isWhole(LEAST_MEMORY, Number.MAX_SAFE_INTEGER);

/** The number of concurrent compiles. */
export const isWorkers: Check = isWhole(1, 1024);

export const isArch: Check = (value, name) => {
  if (typeof value === "string" && architecture(value) !== undefined) return undefined;
  if (value === NATIVE_ARCH) return problemOf(nativeArch, name);
  const names = ARCHITECTURES.map((each) => each.name);
  return unexpected(name, `one of ${names.join(", ")}`, value, nearestOf(value, names));
};

function problemOf(find: () => string, name: string): string | undefined {
  try {
    find();
    return undefined;
  } catch (error) {
    return `option \`${name}\`: ${(error as Error).message}`;
  }
}

/** The architecture that a checked value stands for. */
export const archOf = (value: string): string => (value === NATIVE_ARCH ? nativeArch() : value);

/** Whether a value is text that can be a single program argument. */
export function isLine(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\0\r\n]/.test(value);
}
