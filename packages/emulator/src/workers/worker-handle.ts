// The workers of this package, from the caller's side.
import { nodeThreads, type WorkerLike } from "@mm-ptx/types/internal";
import { WorkerHandle } from "@mm-ptx/types/internal/workers";
import { EmulatorError } from "../error.js";
import type { FromWorker, ToWorker } from "./messages.js";

export type LaunchWorkerHandle = WorkerHandle<ToWorker, FromWorker>;

/**
 * Starts a worker of this package from the file next to this one. The file has a name of its own, because a bundler
 * that does not recognize workers leaves the URL as it is, and no other file next to the bundle may then be mistaken
 * for it.
 */
export function startWorker(): WorkerLike {
  const threads = nodeThreads();
  // Bundlers recognize this form.
  if (threads === undefined)
    return new Worker(new URL("./mm-ptx-emulator-worker.js", import.meta.url), { type: "module" });
  return new threads.Worker(new URL("./mm-ptx-emulator-worker.js", import.meta.url), { execArgv: [] });
}

/** @throws EmulatorError WORKER_LOST if the worker cannot be started; so do its requests if it is lost */
export const handleOf = (create: () => WorkerLike): LaunchWorkerHandle =>
  new WorkerHandle({ create, lost, cure: create === startWorker ? CURE : "" });

const CURE =
  "; in a bundle, pass `createWorker`, which starts a worker with a bundle of `@mm-ptx/emulator/worker`";

function lost(found: string, cause: unknown): EmulatorError {
  return new EmulatorError("WORKER_LOST", `expected a worker that runs blocks, found ${found}`, { cause });
}
