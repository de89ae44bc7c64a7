// The failure of a part of a task, as workers report it.
import type { CodePlace, ColumnsErrorCode } from "../error.js";

/** The error of a part of a task. */
export interface Failure {
  /** The number of the part. */
  readonly part: number;
  readonly code: ColumnsErrorCode;
  readonly message: string;
  readonly place: CodePlace | undefined;
}
