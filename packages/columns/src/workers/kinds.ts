// The kinds of tasks that workers run. A worker loads the module of a kind when it gets its first task.
import type { Share } from "./share.js";

/** A module that runs a worker's share of a task. */
export interface TaskModule<Data, Result> {
  /** Takes parts until none are left, and returns this worker's result. */
  runShare(data: Data, share: Share): Promise<Result>;
}

export const TASK_MODULES = {
  evaluate: () => import("../evaluate/share.js"),
  fit: () => import("../gradient/share.js"),
  check: () => import("../exhaustive/share.js"),
} as const satisfies Record<string, () => Promise<TaskModule<never, unknown>>>;

export type TaskKind = keyof typeof TASK_MODULES;

type ModuleOf<Kind extends TaskKind> = Awaited<ReturnType<(typeof TASK_MODULES)[Kind]>>;

/** The function that runs a thread's share of a kind of task. */
export type RunShare<Kind extends TaskKind> = (
  data: TaskData<Kind>,
  share: Share,
) => Promise<TaskResult<Kind>>;

/** The data of a kind of task, and the result of each worker. */
export type TaskData<Kind extends TaskKind> = Parameters<ModuleOf<Kind>["runShare"]>[0];
export type TaskResult<Kind extends TaskKind> = Awaited<ReturnType<ModuleOf<Kind>["runShare"]>>;
