// Checks of the arguments that callers pass to a device.

import { disposedText, foreignText, type InputChecks, inputChecks } from "@mm-ptx/types/internal";
import { CudaError } from "./error.js";

/** The error for an argument that is invalid for every device. */
export const refuse = (message: string, cause?: unknown): CudaError =>
  new CudaError("INVALID_ARGUMENT", message, { cause });

/** All throw CudaError INVALID_ARGUMENT. */
const CHECKS: InputChecks = inputChecks(refuse);
export const { checkNames, invalid, optionalBoolean, optionalFunction, wholeNumber } = CHECKS;

/** @throws CudaError DISPOSED */
export function checkOpen(noun: string, disposed: boolean): void {
  if (disposed) throw new CudaError("DISPOSED", disposedText(noun));
}

/** The error for an object that another device created. */
export const foreign = (noun: string): CudaError => refuse(foreignText(noun));

/** Names are passed to the driver as C strings. @throws CudaError INVALID_ARGUMENT */
export function checkText(what: string, value: string): void {
  if (typeof value !== "string") throw invalid(`\`${what}\` as a string`, value);
  if (value.includes("\0")) throw refuse(`expected \`${what}\` without a NUL, found one`);
}
