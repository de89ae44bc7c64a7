// `lexicase`: the same winners as a plain implementation, with and without preselection, on all kinds of errors.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../../tests/support/counts.js";
import { Medians } from "../../../src/emitters/select/median.js";
import { Draws, evolve, type LexicaseOptions, lexicase, type Selection } from "../../../src/index.js";
import { codeOf } from "../../support/errors.js";
import { ListArchive } from "../../support/list-archive.js";
import { Loop } from "../../support/loop.js";
import { WordSpace } from "../../support/word-space.js";

const SEED = 7;
type Rows = readonly (readonly number[])[];

function archiveOf(rows: Rows): ListArchive {
  const archive = new ListArchive();
  for (const [serial, row] of rows.entries()) {
    archive.elites.push({
      ...{ cell: 0, serial, objective: 0, words: Uint32Array.of(serial) },
      cases: Float64Array.from(row),
    });
  }
  return archive;
}

/** A selection that is ready to select elites with these errors. */
function begun(rows: Rows, options: LexicaseOptions): { selection: Selection; archive: ListArchive } {
  const archive = archiveOf(rows);
  const selection = lexicase(options);
  selection.begin!(10, new Loop(new WordSpace(), archive, () => undefined, SEED).emission());
  return { selection, archive };
}

/** The winners with the random numbers of these candidates. */
function winners(rows: Rows, options: LexicaseOptions, count: number): number[] {
  const { selection, archive } = begun(rows, options);
  const draws = new Draws();
  return Array.from({ length: count }, (_, candidate) => {
    draws.start(SEED, 1, candidate);
    return selection.select(archive, draws);
  });
}

const lowerMedian = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)]!;

/** Errors that are not finite are as bad as can be. */
const WORST = Number.MAX_VALUE / 4;
const known = (error: number): number => (Math.abs(error) <= WORST ? error : WORST);

/** Semi-dynamic epsilon-lexicase selection as it is written down, of all elites, on all cases. */
function plainWinners(rows: Rows, epsilon: number | "mad", count: number): number[] {
  const archive = archiveOf(rows);
  const errors = rows.map((row) => row.map(known));
  const width = errors[0]!.length;
  const epsilons = Array.from({ length: width }, (_, number) => {
    if (epsilon !== "mad") return epsilon;
    const column = errors.map((row) => row[number]!);
    const median = lowerMedian(column);
    return lowerMedian(column.map((error) => Math.abs(error - median)));
  });
  // The pool is all elites in a random order.
  const { batchDraws } = new Loop(new WordSpace(), archive, () => undefined, SEED).emission();
  const pool = rows.map((_, index) => index);
  for (const place of rows.keys()) {
    const drawn = place + batchDraws.below(rows.length - place);
    [pool[place], pool[drawn]] = [pool[drawn]!, pool[place]!];
  }
  const draws = new Draws();
  return Array.from({ length: count }, (_, candidate) => {
    draws.start(SEED, 1, candidate);
    const choice = draws.fraction();
    let left = pool;
    const order = Array.from({ length: width }, (_, number) => number);
    for (let used = 0; used < width; used++) {
      const drawn = used + draws.below(width - used);
      [order[used], order[drawn]] = [order[drawn]!, order[used]!];
      const number = order[used]!;
      const least = Math.min(...left.map((elite) => errors[elite]![number]!));
      left = left.filter((elite) => errors[elite]![number]! <= least + epsilons[number]!);
    }
    return left[Math.floor(choice * left.length)]!;
  });
}

const few = fc.integer({ min: 0, max: 3 });
const real = fc.double({ min: 0, max: 10, noNaN: true });
const odd = fc.constantFrom(0, -0, 1, 1e308, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN);
/** Elites, some of them the same. */
const tables = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(few, real, fc.oneof(few, odd)))
  .chain(([width, error]) =>
    fc.array(fc.array(error, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 30,
      size: "max",
    }),
  )
  .chain((rows) =>
    fc
      .array(fc.nat({ max: rows.length - 1 }), { maxLength: 20, size: "max" })
      .map((copies) => [...rows, ...copies.map((row) => rows[row]!)]),
  );
const epsilons = fc.constantFrom<(number | "mad")[]>("mad", 0, 0.5, 1);

describe("winners", () => {
  it("are those of a plain implementation, with and without preselection", () => {
    fc.assert(
      fc.property(tables, epsilons, (rows, epsilon) => {
        const expected = plainWinners(rows, epsilon, 20);
        for (const preselect of [true, false]) {
          expect(winners(rows, { epsilon, preselect, downSample: 1 }, 20)).toEqual(expected);
        }
      }),
      { numRuns: smoke(3000) },
    );
  });

  it("are those of a plain implementation when many or some remain for many cases", () => {
    const draws = new Draws();
    for (let round = 0; round < smoke(200); round++) {
      draws.start(SEED, 2, round);
      const [count, width] = [100 + draws.below(250), 30 + draws.below(90)];
      const base = Array.from({ length: width }, () => draws.fraction());
      // The noise decides how many are left at the end.
      const noise = [0, 0.001, 0.01, 0.1][round % 4]!;
      const rows = Array.from({ length: count }, () => {
        const factor = 1 + 0.1 * draws.fraction();
        return base.map((error) => error * factor * (1 + noise * draws.fraction()));
      });
      const expected = plainWinners(rows, "mad", 5);
      expect(winners(rows, { downSample: 1 }, 5)).toEqual(expected);
    }
  });

  it("are as good as the best in at least one of the cases of the batch", () => {
    fc.assert(
      fc.property(tables, fc.boolean(), (rows, informed) => {
        const best = rows[0]!.map((_, number) => Math.min(...rows.map((row) => known(row[number]!))));
        for (const winner of winners(rows, { epsilon: 0, informed }, 5)) {
          expect(rows[winner]!.some((error, number) => known(error) === best[number])).toBe(true);
        }
      }),
      { numRuns: smoke(500) },
    );
  });

  it("are the same with and without preselection when cases are left out and the pool is small", () => {
    // Twenty elites of forty differ from others.
    const draws = new Draws();
    draws.start(1, 1, 1);
    const some = Array.from({ length: 20 }, () => Array.from({ length: 200 }, () => draws.below(3)));
    for (const informed of [true, false]) {
      const options = { informed, downSample: 0.1, pool: 25 };
      const expected = winners([...some, ...some], { ...options, preselect: false }, 200);
      expect(winners([...some, ...some], options, 200)).toEqual(expected);
      expect(new Set(expected).size).toBeGreaterThan(5);
      expect(new Set(expected).size).toBeLessThanOrEqual(25);
    }
  });

  it("are specialists as well as others", () => {
    // Each elite is the best in one case, and elite 3 is good on average, but never among the best.
    const rows = [
      [0, 9, 9],
      [9, 0, 9],
      [9, 9, 0],
      [1, 1, 1],
    ];
    const parts = [0, 0, 0, 0];
    for (const winner of winners(rows, { epsilon: 0.5 }, 6000)) parts[winner]! += 1 / 6000;
    for (const part of parts.slice(0, 3)) expect(Math.abs(part - 1 / 3)).toBeLessThan(0.03);
    expect(parts[3]).toBe(0);
  });
});

describe("informed down-sampling", () => {
  /** Elite e passes case c if bit e of c's kind is set; kinds repeat over the cases. */
  const rowsOf = (kinds: readonly number[], count: number): number[][] =>
    Array.from({ length: 12 }, (_, elite) =>
      Array.from({ length: count }, (_, number) => ((kinds[number % kinds.length]! >> elite) & 1 ? 0 : 1)),
    );

  it("takes cases of each kind when there are as many kinds as cases", () => {
    // Kind k is passed by elites k and 11 alone. All 10 kinds are found in 10 cases of 400.
    const kinds = Array.from({ length: 10 }, (_, kind) => (1 << kind) | (1 << 11));
    const rows = rowsOf(kinds, 400).map((row, elite) => (elite === 11 ? row.map(() => 1) : row));
    const options: LexicaseOptions = { epsilon: 0, downSample: 0 };
    expect(new Set(winners(rows, options, 500))).toEqual(new Set(kinds.keys()));
    expect(new Set(winners(rows, { ...options, informed: false }, 500)).size).toBeLessThan(10);
  });

  it("chooses other cases for other batches", () => {
    const draws = new Draws();
    draws.start(5, 5, 5);
    const rows = Array.from({ length: 30 }, () => Array.from({ length: 300 }, () => draws.fraction()));
    const archive = archiveOf(rows);
    const loop = new Loop(new WordSpace(), archive, () => undefined, SEED);
    const emitter = evolve({ select: lexicase(), fresh: 0 });
    const parents = Array.from({ length: 2 }, () => {
      const { candidates } = loop.step(emitter, 300);
      return new Set(candidates.parents.subarray(0, 600));
    });
    expect(parents[0]).not.toEqual(parents[1]);
  });
});

it("finds medians and median absolute deviations", () => {
  const medians = new Medians();
  const number = fc.constantFrom(fc.integer({ min: 0, max: 5 }), real);
  const lists = number.chain((each) => fc.array(each, { minLength: 1, maxLength: 400, size: "max" }));
  fc.assert(
    fc.property(lists, fc.boolean(), (list, isSorted) => {
      if (isSorted) list.sort((a, b) => a - b);
      medians.reserve(list.length);
      const start = list.length >> 2;
      const rest = list.slice(start);
      const median = lowerMedian(rest);
      const numbers = Float64Array.from(list);
      expect(medians.median(numbers, start, rest.length)).toBe(median);
      expect(medians.absoluteDeviation(numbers, start, rest.length)).toBe(
        lowerMedian(rest.map((each) => Math.abs(each - median))),
      );
      expect([...numbers]).toEqual(list);
    }),
    { numRuns: smoke(1000) },
  );
});

it("refuses elites without errors in single cases", () => {
  const archive = archiveOf([[1]]);
  archive.elites[0] = { ...archive.elites[0]!, cases: undefined };
  const loop = new Loop(new WordSpace(), archive, () => undefined);
  expect(codeOf(() => loop.step(evolve({ select: lexicase() }), 1))).toBe("UNSUPPORTED");
});

it.each<[unknown, string]>([
  [{ epsilon: "MAD" }, "option `epsilon`: expected `mad` or a number of at least 0, found `MAD`"],
  [{ epsilon: -1 }, "option `epsilon`: expected `mad` or a number of at least 0, found -1"],
  [{ downSample: 2 }, "option `downSample`: expected a number from 0 to 1, found 2"],
  [{ pool: 0 }, "option `pool`: expected a whole number from 1 to 65536, found 0"],
  [{ preselection: true }, "unknown option `preselection` of lexicase, did you mean `preselect`?"],
])("refuses %j", (options, message) => {
  const make = () => lexicase(options as LexicaseOptions);
  expect(make).toThrow(message);
  expect(codeOf(make)).toBe("INVALID_ARGUMENT");
});
