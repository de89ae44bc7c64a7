// Launches of an isolated device with a time limit: what is not done in time ends the device's process.

import { CudaError, suspected } from "./error.js";
import type { Queue } from "./queue.js";

/** Watches the launches of a stream: of those that are out together, the first one that is not done in time ends all. */
export function watchLaunches(queue: Queue, timeoutMs: number): void {
  let watching = false;
  const watch = async (): Promise<void> => {
    watching = true;
    const { connection } = queue;
    let passes = 0;
    const end = (): void => {
      const suspects = queue.pending();
      const message = `expected launches that are done within ${timeoutMs} ms, found one that is not${suspected(suspects)}`;
      connection.kill(new CudaError("TIMEOUT", message, { suspects }));
    };
    const timer = setTimeout(() => {
      // The event loop may have been held up for as long, with what says that they are done waiting in it.
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
      // Whoever waits for the work is told.
    } finally {
      clearTimeout(timer);
      watching = false;
    }
  };
  queue.onLaunch = () => {
    if (!watching) void watch();
  };
}
