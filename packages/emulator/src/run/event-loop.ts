// Turns of the event loop: long-running work yields to other tasks in between.

/** Milliseconds after which work yields to the event loop. */
export const TURN_MS = 16;

/** Resolves after everything that waits for the event loop has run. */
export function eventLoopTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void };
  return new Promise((resolve) => {
    if (setImmediate !== undefined) setImmediate(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    }
  });
}
