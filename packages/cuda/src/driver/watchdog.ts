// The time limit for launches of an isolated device: a launch that is not done in time ends the device's process.

import { CudaError, suspected } from "./error.js";
import type { Queue } from "./queue.js";

/** Watches the launches of a stream: the first one in flight that exceeds the limit ends the process. */
export function watchLaunches(queue: Queue, timeoutMs: number): void {
  let watching = false;
  const watch = async (): Promise<void> => {
    watching = true;
    const { connection } = queue;
    let passes = 0;
    const end = (): void => {
      const suspects = queue.pending();
      const message = `expected launches to finish within ${timeoutMs} ms, found one that did not${suspected(suspects)}`;
      connection.kill(new CudaError("TIMEOUT", message, { suspects }));
    };
    const timer = setTimeout(() => {
      // The event loop may have been blocked that long, so that completions are waiting in it.
      const before = passes;
      connection.hub.drain();
      setImmediate(() => {
        if (watching && passes === before) end();
      });
    }, timeoutMs);
    try {
      for (let until = -1; until !== queue.last; ) {
        until = queue.last;
        await queue.passed(true);
        passes++;
        timer.refresh();
      }
    } catch {
      // The caller that waits for the work receives the failure.
    } finally {
      clearTimeout(timer);
      watching = false;
    }
  };
  queue.onLaunch = () => {
    if (!watching) void watch();
  };
}
