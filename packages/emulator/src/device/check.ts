// Checks of what callers pass: objects with known options, sizes, numbers.
import { disposedText, foreignText, type InputChecks, inputChecks } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";

/** All throw EmulatorError INVALID_INPUT. */
const CHECKS: InputChecks = inputChecks((message) => new EmulatorError("INVALID_INPUT", message));
export const { checkNames, invalid, oneOf, optionalBoolean, optionalFunction, positive, wholeNumber } =
  CHECKS;

/** @throws EmulatorError DISPOSED */
export function checkOpen(what: string, disposed: boolean): void {
  if (disposed) throw new EmulatorError("DISPOSED", disposedText(what));
}

/** The error for what another device made. */
export function foreign(what: string): EmulatorError {
  return new EmulatorError("INVALID_INPUT", foreignText(what));
}
