// The base of all errors that the packages throw: a code from a closed union, and a message that says what was expected
// and what was found. Each package derives a class from it and defines its codes.
import { errorHelp } from "./help.js";

/**
 * Base class of all mm-ptx errors.
 *
 * `code` is stable and meant for programs; `message` is meant for people and may change between versions.
 */
export class MmPtxError<Code extends string = string> extends Error {
  /** The name of the class, which stays the same when a bundler renames the class. */
  override readonly name: string = "MmPtxError";
  /** What went wrong: a code from the closed union of the package that threw. */
  readonly code: Code;

  constructor(code: Code, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** The address of the page that explains `code`; `undefined` for errors that no page explains. */
  get help(): string | undefined {
    return this.name === "MmPtxError" ? undefined : errorHelp(this.name, this.code);
  }
}
