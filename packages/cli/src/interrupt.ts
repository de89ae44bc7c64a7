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
  const controller = new AbortController();
  const handlers = SIGNALS.map((name) => ({
    name,
    handler: () => {
      const reason = new Interrupted(name);
      if (controller.signal.aborted) process.exit(reason.exitCode);
      controller.abort(reason);
    },
  }));
  replace(others, handlers);
  try {
    return await work(controller.signal);
  } finally {
    replace(handlers, others);
  }
}

interface Handler {
  readonly name: (typeof SIGNALS)[number];
  readonly handler: (signal: NodeJS.Signals) => void;
}

/** A signal that has arrived and was not handled yet is lost if there is a moment without handlers. */
function replace(before: readonly Handler[], after: readonly Handler[]): void {
  for (const { name, handler } of after) process.on(name, handler);
  for (const { name, handler } of before) process.off(name, handler);
}
