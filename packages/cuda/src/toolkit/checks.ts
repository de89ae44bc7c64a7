// Checks of options that several parts of this package share.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { type Check, isWhole, nearestOf, unexpected } from "@mm-ptx/types/internal";
import { NATIVE_ARCH, NoDriverError, nativeArch } from "../native/driver.js";
import { LEAST_MEMORY } from "../native/memory.js";
import type { ToolErrorDetails } from "../tool-error.js";

/** The longest delay that setTimeout supports. */
export const MAX_MILLISECONDS = 2 ** 31 - 1;

export const isTimeout: Check = isWhole(1, MAX_MILLISECONDS);

/** The memory limit of a compiling process, in bytes. */
export const isMemoryLimitBytes: Check = isWhole(LEAST_MEMORY, Number.MAX_SAFE_INTEGER);

const CONFINE = ["auto", "required"];

/** Whether a process gives up what its work does not need. */
export const isConfine: Check = (value, name) =>
  value === false || CONFINE.includes(value as string)
    ? undefined
    : unexpected(name, "`auto`, `required` or `false`", value, nearestOf(value, CONFINE));

/** The number of concurrent compiles. */
export const isWorkers: Check = isWhole(1, 1024);

/** `native` is valid on every machine; `archOf` throws if it can't be resolved on this one. */
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
    if (error instanceof NoDriverError) return undefined;
    return `option \`${name}\`: ${(error as Error).message}`;
  }
}

type UnavailableError = new (
  code: "UNAVAILABLE",
  message: string,
  details: Pick<ToolErrorDetails<never>, "what" | "cause">,
) => Error;

/** The architecture that a checked value stands for. @throws `UNAVAILABLE` for `native` without a GPU or a driver */
export function archOf(value: string, Unavailable: UnavailableError): string {
  if (value !== NATIVE_ARCH) return value;
  try {
    return nativeArch();
  } catch (cause) {
    if (cause instanceof NoDriverError)
      throw new Unavailable("UNAVAILABLE", cause.message, { what: "driver", cause });
    throw cause;
  }
}

/** Whether a value is text that can be a single program argument. */
export function isLine(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\0\r\n]/.test(value);
}
