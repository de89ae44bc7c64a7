// Messages between the caller and its workers.
import type { Failure } from "./failure.js";
import type { TaskKind } from "./kinds.js";

/** A task in which the worker takes part. */
export interface TaskMessage {
  readonly kind: "task";
  readonly task: TaskKind;
  /** The data that the module of the task needs: cloneable values and shared memory. */
  readonly data: unknown;
  /** The buffer of `Control`. */
  readonly control: SharedArrayBuffer;
  /** The number of workers that take part. */
  readonly workers: number;
}

/** The worker has no more to do. */
export interface EndMessage {
  readonly kind: "end";
  /** The result of the module of the task. */
  readonly result: unknown;
  readonly failure: Failure | undefined;
}
