// `--watch` reruns the main command whenever files change. A round in which nothing changed is cheap, so
// every round processes all inputs. It runs until a signal ends the program.

import { type AnnotateOptions, annotateOnce, type Round } from "./annotate.js";
import {
  type Colors,
  colorsOf,
  type Failure,
  helpOf,
  isPattern,
  patternFolder,
  UsageError,
  usageFailure,
} from "./framework.js";
import { failureOf } from "./problems.js";
import { complaintsOf, lineOf, roundJson } from "./summary.js";
import { WatchedFiles } from "./watched-files.js";

export interface WatchOptions extends AnnotateOptions {
  readonly json?: true;
}

/** @throws UsageError if the command line is wrong from the start, FileError if the system cannot watch files */
export async function watch(
  words: readonly string[],
  options: WatchOptions,
  commands: readonly string[],
): Promise<never> {
  const patterns = words.filter(isPattern);
  const files = words.filter((word) => !isPattern(word));
  const watched = new WatchedFiles(files, patterns.map(patternFolder));
  try {
    return await rounds(words, options, commands, watched);
  } finally {
    await watched.close();
  }
}

async function rounds(
  words: readonly string[],
  options: WatchOptions,
  commands: readonly string[],
  watched: WatchedFiles,
): Promise<never> {
  const types = options.types === undefined ? [] : [options.types];
  const teller = new Teller(options);
  for (let first = true; ; first = false) {
    await watched.watch(types);
    try {
      const round = await annotateOnce(words, options, commands);
      await watched.watch(round.types);
      teller.tell(round);
    } catch (error) {
      if (first && error instanceof UsageError) throw error;
      teller.fail(error);
    }
    if (first) teller.begin();
    await watched.next();
  }
}

/** Prints the results of rounds; unchanged results are not printed again. */
class Teller {
  readonly #options: WatchOptions;
  readonly #out: Colors = colorsOf(process.stdout, process.env);
  readonly #error: Colors = colorsOf(process.stderr, process.env);
  /** The problems of the previous round. */
  #last: string | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  begin(): void {
    const { json, quiet } = this.#options;
    if (!json && !quiet) process.stdout.write("watching\n");
  }

  tell(round: Round): void {
    const written = round.files.filter(({ state }) => state === "written");
    if (written.length > 0) this.#last = undefined;
    if (!this.#told(complaintsOf(round.files, this.#error), roundJson(round))) return;
    const { json, quiet } = this.#options;
    if (!json && !quiet) process.stdout.write(written.map((file) => lineOf(file, this.#out)).join(""));
  }

  fail(error: unknown): void {
    const failure: Failure | undefined = error instanceof UsageError ? usageFailure(error) : failureOf(error);
    if (failure === undefined) throw error;
    const help = helpOf(error);
    this.#told(`${failure.text(this.#error)}\n`, { ok: false, error: { ...failure.json, help } });
  }

  /**
   * Reports problems unless they were already reported: text to stderr, or with `--json` everything as one line to
   * stdout.
   */
  #told(wrong: string, json: object): boolean {
    if (wrong === this.#last) return false;
    this.#last = wrong;
    if (this.#options.json) process.stdout.write(`${JSON.stringify(json)}\n`);
    else process.stderr.write(wrong);
    return true;
  }
}
