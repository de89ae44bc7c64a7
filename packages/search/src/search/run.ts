// A run: `ask`, evaluate and `tell` until a limit is reached.
import { TURN, turn } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import { SearchError } from "../error.js";
import type { EndReason, SearchEvent } from "./events.js";
import { type RunOptions, readRunOptions } from "./options.js";
import type { Search } from "./search.js";

/** What says that a run was aborted, or that its time was long over, while it waited. */
const ABORTED = Symbol("aborted");
const LATE = Symbol("late");
/** For how many milliseconds after its time a run waits for the batch that has begun. */
const GRACE = 10_000;
const MOST_TIMEOUT = 2 ** 31 - 1;

/** The scores of a batch whose candidates were all made before. */
const NOTHING: Scores = {
  status: new Uint8Array(0),
  objective: new Float64Array(0),
  measures: new Float64Array(0),
};

export async function* runSearch(
  search: Search,
  options: RunOptions,
): AsyncGenerator<SearchEvent, void, undefined> {
  const limits = readRunOptions(options);
  const { signal } = limits;
  const began = performance.now();
  let turned = began;
  const evaluationsBefore = search.evaluations;
  const batchesBefore = search.batches;
  const reached = (): EndReason | undefined => {
    if (signal?.aborted) return "aborted";
    const { archive } = search;
    const { best } = archive;
    if (limits.target !== undefined && best >= 0 && archive.objective(best) >= limits.target) return "target";
    if (search.batches - batchesBefore >= (limits.batches ?? Number.POSITIVE_INFINITY)) return "batches";
    if (search.evaluations - evaluationsBefore >= (limits.evaluations ?? Number.POSITIVE_INFINITY)) {
      return "evaluations";
    }
    const seconds = (performance.now() - began) / 1000;
    return seconds >= (limits.seconds ?? Number.POSITIVE_INFINITY) ? "seconds" : undefined;
  };
  for (;;) {
    const reason = reached();
    if (reason !== undefined) {
      yield { type: "end", reason };
      return;
    }
    const [batch = search.ask()] = search.pending;
    if (batch.made === 0) {
      yield { type: "end", reason: "exhausted" };
      return;
    }
    const { seed, evaluator, measurements } = search;
    const archive = search.archiveOf(batch);
    const { candidates, number } = batch;
    // An evaluation that did not end may have changed constants.
    batch.revert();
    const abandoning = new AbortController();
    const scoring = evaluate(() =>
      candidates.count === 0
        ? NOTHING
        : evaluator.evaluate(candidates, {
            ...{ archive, seed, batch: number, measurements },
            signal: abandoning.signal,
          }),
    );
    // The next batch is made while threads evaluate this one.
    if (search.ahead === 1 && search.pending.length === 1) search.ask();
    const scores = await settled(scoring, limits, began, abandoning);
    if (scores === ABORTED || scores === LATE) {
      yield { type: "end", reason: scores === ABORTED ? "aborted" : "seconds" };
      return;
    }
    const told = search.tell(scores);
    yield { type: "batch", ...told, seconds: (performance.now() - began) / 1000 };
    // Without threads, evaluations may never wait for anything, and signals would never be heard.
    if (performance.now() - turned < TURN) continue;
    await turn();
    turned = performance.now();
  }
}

/** Calls an evaluator; what it throws rejects the promise. */
async function evaluate(call: () => Scores | Promise<Scores>): Promise<Scores> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SearchError) throw error;
    throw new SearchError("EVALUATOR_FAILED", `the evaluator failed: ${messageOf(error)}`, { cause: error });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Waits for scores as long as the options permit; then it aborts the evaluation. */
async function settled(
  scoring: Promise<Scores>,
  { signal, evaluationTimeout, seconds }: RunOptions,
  began: number,
  abandoning: AbortController,
): Promise<Scores | typeof ABORTED | typeof LATE> {
  const undo: (() => void)[] = [];
  const others: Promise<typeof ABORTED | typeof LATE>[] = [];
  if (seconds !== undefined) {
    const left = began + 1000 * seconds + GRACE - performance.now();
    others.push(
      new Promise((resolve) => {
        const late = () => {
          abandoning.abort();
          resolve(LATE);
        };
        const timer = setTimeout(late, Math.min(Math.max(0, left), MOST_TIMEOUT));
        undo.push(() => clearTimeout(timer));
      }),
    );
  }
  if (signal !== undefined) {
    others.push(
      new Promise((resolve) => {
        const stop = () => {
          abandoning.abort(signal.reason);
          resolve(ABORTED);
        };
        signal.addEventListener("abort", stop);
        undo.push(() => signal.removeEventListener("abort", stop));
        if (signal.aborted) stop();
      }),
    );
  }
  if (evaluationTimeout !== undefined) {
    others.push(
      new Promise((_, reject) => {
        const message = `expected scores within ${evaluationTimeout} ms, found none`;
        const fail = () => {
          abandoning.abort();
          reject(new SearchError("EVALUATOR_FAILED", message));
        };
        const timer = setTimeout(fail, evaluationTimeout);
        undo.push(() => clearTimeout(timer));
      }),
    );
  }
  try {
    return await Promise.race([scoring, ...others]);
  } catch (error) {
    if (signal?.aborted) return ABORTED;
    throw error;
  } finally {
    for (const each of undo) each();
    // Whoever did not wait for the scores does not want their errors either.
    scoring.catch(() => {});
  }
}
