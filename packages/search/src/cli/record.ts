// Runs a recorded search, shows how it is going, and ends it so that everything is saved.
import { endWorkers } from "@mm-ptx/columns";
import type { SearchRun } from "../node/search-run.js";
import type { BatchEvent, EndReason } from "../search/events.js";
import type { Attendant } from "./attend.js";
import { colorsOf, Interrupted, interruptible } from "./framework.js";
import { watchKeys } from "./keys.js";
import type { Limits } from "./limits.js";
import { Screen } from "./screen.js";
import { Session } from "./status.js";

/** How a recorded search ended. */
export interface Recorded {
  readonly session: Session;
  readonly reason: EndReason | "interrupted" | "quit";
  /** After Ctrl-C, that of the process. */
  readonly exitCode?: number;
  readonly seconds: number;
}

/** Milliseconds between two drawings of the line of the search on a terminal, between those of the attendant, and between lines elsewhere. */
const LINE_PAUSE = 100;
const LINES_PAUSE = 500;
const PLAIN_PAUSE = 10_000;
/** How long an evaluation may go on after Ctrl-C or `q`, and how long the process after that. */
const PATIENCE = 2000;
const LAST_PATIENCE = 500;

/** @throws the errors of runs */
export async function record(
  run: SearchRun,
  limits: Limits,
  { quiet, attendant }: { readonly quiet: boolean; readonly attendant: Attendant },
): Promise<Recorded> {
  try {
    return await interruptible((signal) =>
      attended(run, limits, quiet ? undefined : new View(attendant), attendant, signal),
    );
  } finally {
    // Threads that wait for work would keep the process.
    endWorkers();
  }
}

async function attended(
  run: SearchRun,
  limits: Limits,
  view: View | undefined,
  attendant: Attendant,
  signal: AbortSignal,
): Promise<Recorded> {
  const session = new Session(limits, run.search.evaluations);
  const began = performance.now();
  let reason: Recorded["reason"] = "quit";
  let hasQuit = false;
  const late = new AbortController();
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    hasQuit = true;
    // A batch is finished, so that the snapshot has all of it, unless it takes long.
    patience ??= setTimeout(() => late.abort(), PATIENCE);
  };
  signal.addEventListener("abort", stop);
  const unwatch = watchKeys(stop);
  let saved = run.snapshotBatches;
  try {
    for await (const event of run.run({ ...limits, signal: late.signal })) {
      if (event.type === "end") {
        if (event.reason !== "aborted") reason = event.reason;
        break;
      }
      session.add(event);
      await view?.update(event, session);
      if (run.snapshotBatches > saved) {
        saved = run.snapshotBatches;
        await attendant.saved(run);
      }
      if (hasQuit) break;
    }
  } finally {
    clearTimeout(patience);
    // An evaluator that does not return may have something that keeps the process.
    if (late.signal.aborted) setTimeout(() => process.exit(), LAST_PATIENCE).unref();
    unwatch();
    signal.removeEventListener("abort", stop);
    view?.end();
  }
  await attendant.saved(run);
  const seconds = (performance.now() - began) / 1000;
  return signal.reason instanceof Interrupted
    ? { session, reason: "interrupted", seconds, exitCode: signal.reason.exitCode }
    : { session, reason, seconds };
}

/** Shows how a search is going: redrawn on a terminal, and a line now and then elsewhere. */
class View {
  readonly #attendant: Attendant;
  readonly #screen: Screen | undefined;
  readonly #paint: (line: string) => string;
  #lines: readonly string[] = [];
  #nextLine = 0;
  #nextLines = 0;

  constructor(attendant: Attendant) {
    const { stderr, env } = process;
    this.#attendant = attendant;
    this.#screen = stderr.isTTY ? new Screen(stderr) : undefined;
    this.#paint = colorsOf(stderr, env).dim;
    if (this.#screen === undefined) this.#nextLine = performance.now() + PLAIN_PAUSE;
  }

  async update(_: BatchEvent, session: Session): Promise<void> {
    const now = performance.now();
    if (now < this.#nextLine) return;
    this.#nextLine = now + (this.#screen ? LINE_PAUSE : PLAIN_PAUSE);
    if (this.#screen === undefined) {
      process.stderr.write(`${this.#paint(session.line())}\n`);
      return;
    }
    if (now >= this.#nextLines) {
      this.#lines = await this.#attendant.lines();
      this.#nextLines = performance.now() + LINES_PAUSE;
    }
    this.#screen.draw([...this.#lines, session.line()], (line) =>
      line === session.line() ? this.#paint(line) : line,
    );
  }

  end(): void {
    this.#screen?.clear();
  }
}
