// Lets other tasks of the event loop run, without the minimum delay of a timer where the platform has another way.

/** The longest time in milliseconds between two turns of the event loop. */
export const TURN = 8;

const { setImmediate: immediate } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** Resolves after other tasks have run. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (immediate !== undefined) {
      immediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
