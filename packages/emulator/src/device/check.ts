// Checks of the caller's input: option names, sizes and numbers.
import { disposedText, foreignText, type InputChecks, inputChecks } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";

/** All of these throw EmulatorError INVALID_ARGUMENT. */
const CHECKS: InputChecks = inputChecks((message) => new EmulatorError("INVALID_ARGUMENT", message));
export const { checkNames, checkOptions, invalid, wholeNumber } = CHECKS;

/** @throws EmulatorError DISPOSED */
export function checkOpen(what: string, disposed: boolean): void {
  if (disposed) throw new EmulatorError("DISPOSED", disposedText(what));
}

/** The error for an object that belongs to another device. */
export function foreign(what: string): EmulatorError {
  return new EmulatorError("INVALID_ARGUMENT", foreignText(what));
}
