// Errors of files, as errors of a run.
import { describeError } from "@mm-ptx/types/internal";
import { LockedError } from "@mm-ptx/types/internal/node";
import { SearchError } from "../error.js";

/** Returns the result of `run`, whose errors become errors about a run. @throws SearchError RECORD, RUN_LOCKED, or its own */
export function guard<T>(path: string, doing: "open" | "read" | "write", run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SearchError) throw error;
    const code = error instanceof LockedError ? "RUN_LOCKED" : "RECORD";
    throw new SearchError(code, `can't ${doing} the run \`${path}\`: ${describeError(error)}`, {
      cause: error,
    });
  }
}
