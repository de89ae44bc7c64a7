// Uses one listener per signal, however many calls wait for it: Node warns of a leak if a target has more than ten
// listeners.

interface Waiting {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Calls `run` when the signal is aborted, unless the returned function was called before. */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? listen(signal);
  waiting.calls.add(run);
  return () => {
    waiting.calls.delete(run);
    if (waiting.calls.size > 0 || waitingFor.get(signal) !== waiting) return;
    waitingFor.delete(signal);
    signal.removeEventListener("abort", waiting.listener);
  };
}

function listen(signal: AbortSignal): Waiting {
  const calls = new Set<() => void>();
  const listener = (): void => {
    waitingFor.delete(signal);
    for (const call of calls) call();
  };
  const waiting = { calls, listener };
  signal.addEventListener("abort", listener, { once: true });
  waitingFor.set(signal, waiting);
  return waiting;
}
