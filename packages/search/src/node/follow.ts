// Computes logged batches again, and compares them with the log.
import { setImmediate } from "node:timers/promises";
import { SearchError } from "../error.js";
import type { Measurements } from "../evaluation/evaluator.js";
import type { BatchEvent } from "../search/events.js";
import type { Search } from "../search/search.js";
import { hex32 } from "./hex.js";
import { batchLine, eliteLine, newElites, screenLine } from "./log-lines.js";
import type { LogGroup } from "./log-reader.js";
import { firstDifference } from "./plain-values.js";

/** Where batches that were computed again are not those of the log. */
export interface Divergence {
  /** The first batch that differs. */
  readonly batch: number;
  /** What differs in it, such as `qdScore`, `hash` or `elites[2].objective`. */
  readonly path: string;
  /** What the log has, and what was computed. */
  readonly expected: string;
  readonly found: string;
}

export interface FollowOptions {
  /** Whether batches are compared with the log. */
  readonly check: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onBatch?: ((group: LogGroup) => void) | undefined;
}

/** How long a loop may keep timers and signals waiting, in milliseconds. */
const LONGEST_TURN = 20;

/** Lets timers and signals have their turn now and then. */
export class Turns {
  #last = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#last < LONGEST_TURN) return;
    await setImmediate();
    this.#last = performance.now();
  }
}

/**
 * Computes the batches of a log that follow those that the search has computed. Returns where they differ first, if they do, which ends it.
 *
 * @throws SearchError ABORTED
 */
export async function follow(
  search: Search,
  groups: Iterable<LogGroup>,
  { check, signal, onBatch }: FollowOptions,
): Promise<Divergence | undefined> {
  const events = search.run({ ...(signal && { signal }) });
  const turns = new Turns();
  try {
    for (const group of groups) {
      search.measurements = measurementsOf(group);
      const { value: event } = await events.next();
      if (!event || event.type === "end") {
        if (signal?.aborted)
          throw new SearchError(
            "ABORTED",
            "the signal was aborted while batches of a run were computed again",
          );
        const { batch } = group.batch;
        const found = `the end of the search (${event ? event.reason : "closed"})`;
        return { batch, path: "batch", expected: `${batch}`, found };
      }
      const divergence = check ? divergenceOf(search, event, group) : undefined;
      if (divergence !== undefined) return divergence;
      onBatch?.(group);
      await turns.take();
    }
    return undefined;
  } finally {
    search.measurements = undefined;
    await events.return(undefined);
  }
}

/** What the log has of a batch stands for what would be measured now. */
function measurementsOf({ batch: { batch }, measured }: LogGroup): Measurements {
  return {
    find: (evaluator, number) => (number === batch ? measured.get(evaluator) : undefined),
    keep: (evaluator, number) => {
      throw new SearchError(
        "RUN_MISMATCH",
        `expected what \`${evaluator}\` measured in batch ${number} in the log, found nothing`,
      );
    },
  };
}

function divergenceOf(
  search: Search,
  event: BatchEvent,
  { line, elites, screen, batch: logged }: LogGroup,
): Divergence | undefined {
  const { number: batch } = event.batch;
  const computed = batchLine(event);
  const hash = hex32(search.hash());
  const found = Array.from(newElites(search, event), (index) => eliteLine(search, event, index));
  const screened = event.screen && screenLine(event.screen, event.batch);
  const isSame =
    line.startsWith(computed) &&
    hash === logged.hash &&
    screened === screen &&
    found.length === elites.length &&
    found.every((each, index) => each === elites[index]);
  if (isSame) return undefined;
  const { seconds: _, ...expected } = logged;
  const parse = (text: string): object => JSON.parse(`${text}}`);
  const { path, ...values } = firstDifference(
    { ...expected, ...(screen && { screen: parse(screen) }), eliteLines: elites.map(parse) },
    { ...parse(computed), hash, ...(screened && { screen: parse(screened) }), eliteLines: found.map(parse) },
    "",
  ) ?? { path: ".line", expected: line, found: computed };
  return { batch, path: path.slice(1), ...values };
}
