// Turns of the event loop: whoever works for long lets others work in between.

/** Milliseconds after which the event loop gets a turn. */
export const TURN_MS = 16;

/** Everything that waits for the event loop runs before this is over. */
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
