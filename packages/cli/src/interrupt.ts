// Lets a command end by itself on Ctrl-C.
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Why a signal was aborted. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(name: (typeof SIGNALS)[number]) {
    super(name);
    this.exitCode = 128 + constants.signals[name];
  }
}

/**
 * Does work whose signal is aborted by the first Ctrl-C, with an `Interrupted` as the reason, instead of ending the process at once. The
 * second Ctrl-C ends it.
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const others = SIGNALS.flatMap((name) => process.listeners(name).map((handler) => ({ name, handler })));
  for (const { name, handler } of others) process.off(name, handler);
  const controller = new AbortController();
  const handlers = SIGNALS.map((name) => ({
    name,
    handler: () => {
      const reason = new Interrupted(name);
      if (controller.signal.aborted) process.exit(reason.exitCode);
      controller.abort(reason);
    },
  }));
  for (const { name, handler } of handlers) process.on(name, handler);
  try {
    return await work(controller.signal);
  } finally {
    for (const { name, handler } of handlers) process.off(name, handler);
    for (const { name, handler } of others) process.on(name, handler);
  }
}
