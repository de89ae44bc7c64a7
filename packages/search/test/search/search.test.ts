// The loop of a search: what it depends on, how it ends, and what it refuses.
import { murmur128Into } from "@mm-ptx/types/internal";
import { describe, expect, it } from "vitest";
import {
  type Evaluator,
  evolve,
  functionEvaluator,
  type Genome,
  type GenomeScore,
  gridArchive,
  type RunOptions,
  Search,
  type SearchEvent,
  type SearchOptions,
  seeds,
} from "../../src/index.js";
import { WordSpace } from "../support/word-space.js";

const sum = (words: Uint32Array): number => words.reduce((all, word) => all + word, 0);
const score = (words: Uint32Array): GenomeScore => ({ objective: sum(words) % 97, measures: [sum(words)] });
const evaluator = (of: (words: Uint32Array) => GenomeScore | Promise<GenomeScore> = score): Evaluator =>
  functionEvaluator({ name: "sum", measures: ["sum"], failures: ["ODD"], score: of });

const grid = () => gridArchive({ axes: [{ name: "sum", min: 0, max: 799 }] });

/** Whose signatures are as those of programs: different words give different words everywhere. */
class HashedSpace extends WordSpace {
  override signature({ words, start, end }: Genome, hash: Uint32Array): void {
    murmur128Into(words.subarray(start, end), end - start, hash);
  }
}

function search(options: Partial<SearchOptions> = {}): Search {
  return new Search({
    ...{ space: new HashedSpace(), archive: grid(), emitters: [evolve()], evaluator: evaluator() },
    ...{ seed: 5, batchSize: 32 },
    ...options,
  });
}

async function events(of: Search, options: RunOptions): Promise<SearchEvent[]> {
  const all = [];
  for await (const event of of.run(options)) all.push(event);
  return all;
}

/** The archive as words and numbers, in the order of its elites. */
function elites({ archive }: Search) {
  const { genomes, objective, serial, cell, count } = archive.rows();
  return Array.from({ length: count }, (_, index) => ({
    ...{ objective: objective[index], serial: serial[index], cell: cell[index] },
    words: genomes.words.slice(genomes.offsets[index], genomes.offsets[index + 1]),
  }));
}

describe("a search", () => {
  it("depends on its seed alone", async () => {
    const [one, two, other] = [search(), search(), search({ seed: 6 })];
    for (const each of [one, two, other]) await events(each, { batches: 20 });
    expect(elites(one).length).toBeGreaterThan(50);
    expect(elites(two)).toEqual(elites(one));
    expect(elites(other)).not.toEqual(elites(one));
  });

  it.each([0, 1] as const)(
    "does not depend on when evaluations end, with batches made %i ahead",
    async (ahead) => {
      const late = async (words: Uint32Array) => {
        await new Promise((resolve) => setTimeout(resolve, sum(words) % 3));
        return score(words);
      };
      const [soon, later] = [search({ ahead }), search({ ahead, evaluator: evaluator(late) })];
      for (const each of [soon, later]) await events(each, { batches: 10 });
      expect(elites(later)).toEqual(elites(soon));
    },
  );

  it("makes a batch of older elites if it is made ahead", async () => {
    const [now, ahead] = [search(), search({ ahead: 1 })];
    for (const each of [now, ahead]) await events(each, { batches: 10 });
    expect(elites(ahead)).not.toEqual(elites(now));
  });

  it.each([0, 1] as const)("goes on from a state, with batches made %i ahead", async (ahead) => {
    const whole = search({ ahead });
    await events(whole, { batches: 30 });
    const begun = search({ ahead });
    await events(begun, { batches: 11 });
    const resumed = search({ ahead });
    resumed.restore(structuredClone(begun.state()));
    expect(resumed.evaluations).toBe(begun.evaluations);
    await events(resumed, { batches: 19 });
    expect(elites(resumed)).toEqual(elites(whole));
    expect(resumed.hash()).toEqual(whole.hash());
    expect(resumed.evaluations).toBe(whole.evaluations);
  });

  it("is the same with `ask` and `tell`", async () => {
    const [run, told] = [search(), search()];
    await events(run, { batches: 5 });
    for (let batch = 0; batch < 5; batch++) {
      const { candidates, number } = told.ask();
      const { archive, seed } = told;
      told.tell(await told.evaluator.evaluate(candidates, { archive, seed, batch: number }));
    }
    expect(elites(told)).toEqual(elites(run));
  });

  it("leaves out what was made before", async () => {
    const all = await events(search(), { batches: 60 });
    const batches = all.filter((event) => event.type === "batch");
    expect(batches.reduce((total, { batch }) => total + batch.duplicates, 0)).toBeGreaterThan(20);
    const evaluated = new Set<string>();
    const twice: string[] = [];
    const remembering = evaluator((words) => {
      if (evaluated.has(words.join())) twice.push(words.join());
      evaluated.add(words.join());
      return score(words);
    });
    await events(search({ evaluator: remembering }), { batches: 60 });
    expect(twice).toEqual([]);
  });

  it("says how candidates failed", async () => {
    const odd = evaluator((words) => (sum(words) % 2 === 1 ? { failure: "ODD" } : score(words)));
    const one = search({ evaluator: odd });
    const [first] = await events(one, { batches: 1 });
    if (first?.type !== "batch") throw new Error("expected a batch");
    expect(first.failures.ODD).toBeGreaterThan(0);
    expect(first.evaluated).toBe(first.batch.candidates.count);
    expect(elites(one).every(({ words }) => sum(words) % 2 === 0)).toBe(true);
  });

  it.each([
    ["an objective that is not a number", { objective: Number.NaN, measures: [1] }],
    ["an infinite measure", { objective: 1, measures: [Number.POSITIVE_INFINITY] }],
  ])("never archives %s", async (_, bad: GenomeScore) => {
    const one = search({ evaluator: evaluator(() => bad) });
    const [first] = await events(one, { batches: 1 });
    expect(first).toMatchObject({
      failures: { BAD_SCORE: (first as { evaluated: number }).evaluated },
      elites: 0,
    });
  });
});

describe("a function that scores", () => {
  it.each([
    ["a number for each measure (`sum`) from the function that scores, found 0", { objective: 1 }],
    ["`measures` as numbers from the function that scores, found 3", { objective: 1, measures: ["3"] }],
    [
      "a failure that `failures` lists (`ODD`) from the function that scores, found EVEN",
      { failure: "EVEN" },
    ],
    ["a score from the function that scores, found undefined", undefined],
    ["`objective` as a number from the function that scores, found 3", { objective: "3", measures: [0] }],
  ])("has to return: %s", async (message, bad) => {
    const one = search({ evaluator: evaluator(() => bad as GenomeScore) });
    await expect(events(one, { batches: 1 })).rejects.toThrow(
      expect.objectContaining({ code: "EVALUATOR_FAILED", message: `expected ${message}` }),
    );
  });
});

describe("islands", () => {
  const islands = (count: number, options: Partial<SearchOptions> = {}): Search => {
    const populations = Array.from({ length: count }, () => ({ archive: grid(), emitters: [evolve()] }));
    return new Search({
      ...{ space: new HashedSpace(), archive: grid(), evaluator: evaluator(), seed: 5, batchSize: 32 },
      islands: { populations, every: 3, migrants: 4 },
      ...options,
    });
  };

  it.each([0, 1] as const)("go on from a state, with batches made %i ahead", async (ahead) => {
    const whole = islands(3, { ahead });
    await events(whole, { batches: 40 });
    const begun = islands(3, { ahead });
    await events(begun, { batches: 17 });
    const resumed = islands(3, { ahead });
    resumed.restore(structuredClone(begun.state()));
    await events(resumed, { batches: 23 });
    expect(elites(resumed)).toEqual(elites(whole));
  });

  it("search by themselves, exchange elites, and lose nothing that is better", async () => {
    const one = islands(3);
    const archives = new Set<unknown>();
    for await (const event of one.run({ batches: 30 })) {
      if (event.type !== "batch") continue;
      const archive = one.archiveOf(event.batch);
      archives.add(archive);
      expect(one.archive.objective(one.archive.best)).toBeGreaterThanOrEqual(archive.objective(archive.best));
    }
    expect(archives.size).toBe(3);
    expect(archives.has(one.archive)).toBe(false);
    const alone = islands(3, { islands: { populations: [{ archive: grid(), emitters: [evolve()] }] } });
    await events(alone, { batches: 30 });
    expect(elites(alone)).not.toEqual(elites(one));
  });

  it("begin again when nothing improves, and go on from a state after that", async () => {
    const small = () => gridArchive({ axes: [{ name: "sum", min: 0, max: 3 }] });
    const populations = () => [1, 2].map(() => ({ archive: small(), emitters: [evolve()] }));
    const restarting = () =>
      islands(2, {
        islands: { populations: populations(), every: 5 },
        restarts: { evaluations: 60, factor: 1.5 },
      });
    const whole = restarting();
    await events(whole, { batches: 120 });
    expect(Math.min(...whole.restarts)).toBeGreaterThan(0);
    const begun = restarting();
    await events(begun, { batches: 71 });
    const resumed = restarting();
    resumed.restore(structuredClone(begun.state()));
    await events(resumed, { batches: 49 });
    expect(elites(resumed)).toEqual(elites(whole));
    expect(resumed.restarts).toEqual(whole.restarts);
  });

  it.each([
    [{ emitters: [evolve()] }, "expected either `emitters` or `islands`"],
    [{ islands: { populations: [] } }, "expected an island or more in `islands.populations`"],
    [{ shares: [1] }, "expected `shares` of each island"],
    [{ archive: gridArchive({ axes: [{ name: "other", min: 0, max: 9 }] }) }, "expected"],
  ])("refuse %#", (options, message) => {
    expect(() => islands(2, options as Partial<SearchOptions>)).toThrow(message);
  });
});

describe("a run ends", () => {
  it.each([
    ["batches", { batches: 3 }],
    ["evaluations", { evaluations: 50 }],
    ["target", { target: 90 }],
    ["seconds", { seconds: 0.02 }],
  ] as const)("at its limit of %s", async (reason, limits) => {
    const all = await events(search(), limits);
    expect(all.at(-1)).toEqual({ type: "end", reason });
    expect(all.length).toBeGreaterThan(1);
  });

  it("when nothing is left to try", async () => {
    const one = search({ emitters: [seeds([Uint32Array.of(1), Uint32Array.of(2)])] });
    expect((await events(one, {})).at(-1)).toEqual({ type: "end", reason: "exhausted" });
    expect(elites(one)).toHaveLength(2);
  });

  it("when it is aborted, even if the evaluator never ends; the next run evaluates the same batch", async () => {
    let hangs = false;
    const aborting = new AbortController();
    const hanging = evaluator((words) => {
      if (!hangs) return score(words);
      setTimeout(() => aborting.abort(), 1);
      return new Promise(() => {});
    });
    const one = search({ evaluator: hanging });
    await events(one, { batches: 3 });
    hangs = true;
    expect(await events(one, { signal: aborting.signal })).toEqual([{ type: "end", reason: "aborted" }]);
    hangs = false;
    await events(one, { batches: 4 });
    const other = search();
    await events(other, { batches: 7 });
    expect(elites(one)).toEqual(elites(other));
  });

  it("when a timer aborts it, even if no evaluation ever waits", async () => {
    const aborting = new AbortController();
    setTimeout(() => aborting.abort(), 1);
    // New candidates never run out.
    const one = search({ dedupe: false });
    const all = await events(one, { signal: aborting.signal, seconds: 60 });
    expect(all.at(-1)).toEqual({ type: "end", reason: "aborted" });
  });

  it("when evaluations take too long, which are aborted then", async () => {
    let signal: AbortSignal | undefined;
    const hanging: Evaluator = {
      ...evaluator(score),
      evaluate: (_, evaluation) => {
        signal = evaluation.signal;
        return new Promise(() => {});
      },
    };
    const one = search({ evaluator: hanging });
    await expect(events(one, { evaluationTimeout: 5 })).rejects.toThrow(
      expect.objectContaining({
        code: "EVALUATOR_FAILED",
        message: "expected scores within 5 ms, found none",
      }),
    );
    expect(signal?.aborted).toBe(true);
  });

  it("when the evaluator throws", async () => {
    const cause = new Error("no disk");
    const failing = evaluator(() => {
      throw cause;
    });
    await expect(events(search({ evaluator: failing }), {})).rejects.toThrow(
      expect.objectContaining({ code: "EVALUATOR_FAILED", cause, message: "the evaluator failed: no disk" }),
    );
  });
});

describe("a search refuses", () => {
  const scores = (count: number) => ({
    status: new Uint8Array(count),
    objective: new Float64Array(count),
    measures: new Float64Array(count),
  });

  it.each([
    [
      "scores of too few candidates",
      { ...scores(3) },
      "expected 32 elements in `status` from the evaluator, found 3",
    ],
    ["something else", undefined, "expected scores from the evaluator, found undefined"],
    [
      "a status without a failure",
      { ...scores(32), status: new Uint8Array(32).fill(9) },
      "expected a status up to 2 for candidate 0 from the evaluator, found 9",
    ],
  ])("%s, and stays as it is", (_, wrong, message) => {
    const one = search({ dedupe: false });
    one.ask();
    expect(() => one.tell(wrong as never)).toThrow(
      expect.objectContaining({ code: "EVALUATOR_FAILED", message }),
    );
    one.tell(scores(32));
    expect(one.batches).toBe(1);
  });

  it.each([
    [{ emitters: [] }, "expected from 1 to 255 `emitters`, found 0"],
    [{ shares: [1, 2] }, "expected a number in `shares` for each of 1 emitters, found 2"],
    [{ batchSize: 0 }, "option `batchSize`: expected a whole number from 1 to 4194304, found 0"],
    [
      { evaluator: functionEvaluator({ name: "x", score: () => ({ objective: 1 }) }) },
      "expected an evaluator with the measures of the archive in the same order (`sum`), found no measure",
    ],
    [
      {
        archive: gridArchive({ axes: ["a", "b"].map((name) => ({ name, min: 0, max: 1, bins: 2 })) }),
        evaluator: functionEvaluator({
          ...{ name: "x", measures: ["b", "a"] },
          score: () => ({ objective: 1, measures: [0, 0] }),
        }),
      },
      "expected an evaluator with the measures of the archive in the same order (`a`, `b`), found `b`, `a`",
    ],
  ])("%j", (options: Partial<SearchOptions>, message) => {
    expect(() => search(options)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
  });

  it("batches that nobody scores, and two runs at once", async () => {
    const one = search();
    one.ask();
    expect(() => one.ask()).toThrow("expected scores for batch 0 before another batch is made");
    const running = one.run({ batches: 1 });
    await running.next();
    await expect(one.run().next()).rejects.toThrow("expected a search that does not run");
    await running.return();
    await one.run({ batches: 1 }).next();
  });
});

it.each(["space", "archive", "evaluator", "resultArchive", "emitters"])(
  "refuses objects that are not the part of a search: %s",
  (name) => {
    const part = name === "emitters" ? [{}] : {};
    expect(() => search({ [name]: part } as Partial<SearchOptions>)).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(`\`${name}`) }),
    );
  },
);
