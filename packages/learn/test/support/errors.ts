// The code of the error that a call throws.
import { LearnError, type LearnErrorCode } from "../../src/index.js";

export function codeOf(call: () => unknown): LearnErrorCode | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof LearnError) return error.code;
    throw error;
  }
  return undefined;
}
