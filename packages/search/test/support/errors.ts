// Errors of calls, for tests.
import { SearchError } from "../../src/index.js";

/** The code of the error that a call throws; any other error is thrown again. */
export function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof SearchError) return error.code;
    throw error;
  }
}
