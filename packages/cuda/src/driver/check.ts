// Checks of what callers pass to a device.
import { disposedText, foreignText, type InputChecks, inputChecks } from "@mm-ptx/types/core";
import { CudaError } from "./error.js";

/** The error for a message about what no device takes. */
export const refuse = (message: string, cause?: unknown): CudaError =>
  new CudaError("INVALID_INPUT", message, { cause });

/** All throw CudaError INVALID_INPUT. */
const CHECKS: InputChecks = inputChecks(refuse);
export const { checkNames, invalid, optionalBoolean, optionalFunction, wholeNumber } = CHECKS;

/** @throws CudaError DISPOSED */
export function checkOpen(noun: string, disposed: boolean): void {
  if (disposed) throw new CudaError("DISPOSED", disposedText(noun));
}

/** The error for what another device made. */
export const foreign = (noun: string): CudaError => refuse(foreignText(noun));

/** Names go to the driver as C has them. @throws CudaError INVALID_INPUT */
export function checkText(what: string, value: string): void {
  if (typeof value !== "string") throw invalid(`\`${what}\` as a string`, value);
  if (value.includes("\0")) throw refuse(`expected \`${what}\` without a NUL, found one`);
}
