// Messages between the caller and its workers.
import type { Failure } from "./failure.js";
import type { TaskKind } from "./kinds.js";

/** A task in which the worker takes part. */
export interface TaskMessage {
  readonly kind: "task";
  readonly task: TaskKind;
  /** What the module of the task needs: data that can be cloned, and shared memory. */
  readonly data: unknown;
  /** The buffer of `Control`. */
  readonly control: SharedArrayBuffer;
  /** The number of workers that take part. */
  readonly workers: number;
}

/** The worker has no more to do. */
export interface EndMessage {
  readonly kind: "end";
  /** What the module of the task returned. */
  readonly result: unknown;
  readonly failure: Failure | undefined;
}
