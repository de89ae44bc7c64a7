// `mm-ptx-search bench`: problems with published figures, and what this machine finds.
import { quoted } from "@mm-ptx/types/internal";
import {
  colorsOf,
  Interrupted,
  Interruption,
  interruptible,
  type Outcome,
  printable,
  UsageError,
} from "./framework.js";
import { watchKeys } from "./keys.js";
import { Screen } from "./screen.js";
import { StoredResults } from "./stored-results.js";
import { YARDSTICKS, type YardstickRun } from "./yardsticks.js";

export interface BenchFlags {
  readonly runs?: number;
  readonly out?: string;
  readonly show?: true;
  readonly quiet?: true;
}

const RUNS = 3;
const FOLDER = "mm-ptx-search-bench";
/** The yardsticks of a run without names. */
const USUAL = ["sphere", "nguyen"];

/** @throws FileError, Interruption, SearchError, UsageError */
export async function bench(names: readonly string[], flags: BenchFlags): Promise<Outcome> {
  const { runs = RUNS, out = FOLDER } = flags;
  const all = YARDSTICKS.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`expected some of ${all.join(", ")}, found ${quoted(unknown)}`);
  const wanted = names.length === 0 ? USUAL : names;
  const chosen = YARDSTICKS.filter(({ name }) => wanted.includes(name));
  const stored = new StoredResults(out);
  if (!flags.show) {
    const missing = chosen
      .flatMap((yardstick) => yardstick.runs(runs))
      .filter(({ key }) => stored.find(key) === undefined);
    await runAll(missing, stored, { ...flags, out });
  }
  const tables = chosen.map((yardstick) => yardstick.table(runs, (key) => stored.find(key)));
  return {
    ok: true,
    json: () => ({
      ok: true,
      out,
      runs: chosen.flatMap((yardstick) =>
        yardstick.runs(runs).flatMap(({ key }) => {
          const result = stored.find(key);
          return result === undefined ? [] : [{ yardstick: yardstick.name, key, result }];
        }),
      ),
    }),
    text: () => `${tables.map((lines) => lines.map(printable).join("\n")).join("\n\n")}\n`,
  };
}

/** Runs what is not stored yet, one after the other, and stores each result at once. */
async function runAll(
  missing: readonly YardstickRun[],
  stored: StoredResults,
  { out, quiet }: BenchFlags & { readonly out: string },
): Promise<void> {
  const { stderr, env } = process;
  const { dim } = colorsOf(stderr, env);
  const screen = stderr.isTTY ? new Screen(stderr) : undefined;
  const report = (line: string): void => {
    if (quiet) return;
    if (screen === undefined) stderr.write(`${dim(line)}\n`);
    else screen.draw([line], dim);
  };
  try {
    await interruptible(async (signal) => {
      const unwatch = watchKeys(() => process.emit("SIGINT"));
      try {
        for (const [index, { key, run }] of missing.entries()) {
          report(`${index + 1} of ${missing.length} runs: ${key}`);
          stored.add(key, await run(signal));
        }
      } catch (error) {
        if (signal.reason instanceof Interrupted)
          throw new Interruption(signal.reason.exitCode, `interrupted; finished runs are in ${out}`);
        throw error;
      } finally {
        unwatch();
      }
    });
  } finally {
    screen?.clear();
  }
}
