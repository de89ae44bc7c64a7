// All combinations of the programs of several sites, in blocks that fit into a pack. A block has each stub once, however many
// combinations it is part of.
import { describeValue } from "@mm-ptx/types/internal";
import { invalid, refuse } from "../check.js";
import { PipelineError } from "../error.js";

/** All combinations of some programs of each site. */
export class CrossBlock {
  /** For each site, its programs in this block. */
  readonly programs: readonly (readonly unknown[])[];
  /** For each site, the position of its first program among all of the site. */
  readonly firsts: readonly number[];
  /** For each site, the number of all its programs; not known for the first one. */
  readonly totals: readonly number[];

  constructor(
    programs: readonly (readonly unknown[])[],
    firsts: readonly number[],
    totals: readonly number[],
  ) {
    this.programs = programs;
    this.firsts = firsts;
    this.totals = totals;
  }

  get counts(): readonly number[] {
    return this.programs.map(({ length }) => length);
  }

  /** The position of a combination among all of the run, the last site's programs varying fastest. */
  indexOf(chosen: readonly number[]): number {
    return chosen.reduce(
      (index, one, site) => index * (site === 0 ? 1 : this.totals[site]!) + this.firsts[site]! + one,
      0,
    );
  }

  /** All combinations, as positions in the lists of the block. */
  *combinations(): Generator<readonly number[]> {
    const { counts } = this;
    const chosen = counts.map(() => 0);
    const total = counts.reduce((product, count) => product * count, 1);
    for (let i = 0; i < total; i++) {
      yield [...chosen];
      for (let site = counts.length - 1; site >= 0 && ++chosen[site]! === counts[site]; site--)
        chosen[site] = 0;
    }
  }
}

/**
 * Cuts all combinations into blocks.
 *
 * @param lists the programs of each site, by its name: iterables, of which only the first may be asynchronous or endless
 * @param sizeOf the most combinations of the next block
 * @throws PipelineError INVALID_ARGUMENT
 */
export async function* crossBlocks(
  lists: unknown,
  names: readonly string[],
  sizeOf: () => number,
): AsyncGenerator<CrossBlock, void, undefined> {
  const sources = names.map((name) =>
    iterableOf((lists as Readonly<Record<string, unknown>> | null)?.[name], name),
  );
  const others = sources.slice(1).map((source, i) => {
    if (Symbol.iterator in source) return [...(source as Iterable<unknown>)];
    throw refuse(
      `expected the programs of site \`${names[i + 1]}\` as a list, found an asynchronous iterable`,
    );
  });
  const totals = [Number.NaN, ...others.map(({ length }) => length)];
  if (others.some(({ length }) => length === 0)) return;
  let rows: unknown[] = [];
  let first = 0;
  function* blocks(size: number): Generator<CrossBlock> {
    const cut = cutsOf(totals, size);
    for (const firsts of startsOf(totals, cut)) {
      const programs = [rows, ...others.map((list, i) => list.slice(firsts[i]!, firsts[i]! + cut[i + 1]!))];
      yield new CrossBlock(programs, [first, ...firsts], totals);
    }
  }
  for await (const program of produced(sources[0]!)) {
    rows.push(program);
    const size = sizeOf();
    if (rows.length < cutsOf(totals, size)[0]!) continue;
    yield* blocks(size);
    first += rows.length;
    rows = [];
  }
  if (rows.length > 0) yield* blocks(sizeOf());
}

/** How many programs of each site a block has: as many as fit of the last site, then of the one before. */
function cutsOf(totals: readonly number[], size: number): readonly number[] {
  const cuts = new Array<number>(totals.length).fill(1);
  let left = Math.max(1, size);
  for (let site = totals.length - 1; site > 0; site--) {
    cuts[site] = Math.min(totals[site]!, left);
    left = Math.floor(left / cuts[site]!);
  }
  cuts[0] = Math.max(1, left);
  return cuts;
}

/** Where the blocks of all sites but the first one begin. */
function* startsOf(
  totals: readonly number[],
  cuts: readonly number[],
  site = 1,
): Generator<readonly number[]> {
  if (site === totals.length) {
    yield [];
    return;
  }
  for (let start = 0; start < totals[site]!; start += cuts[site]!)
    for (const rest of startsOf(totals, cuts, site + 1)) yield [start, ...rest];
}

type AnyIterable = Iterable<unknown> | AsyncIterable<unknown>;

function iterableOf(value: unknown, name: string): AnyIterable {
  const { [Symbol.iterator]: sync, [Symbol.asyncIterator]: async } = (value ?? {}) as Iterable<unknown> &
    AsyncIterable<unknown>;
  if (typeof value !== "string" && (typeof sync === "function" || typeof async === "function"))
    return value as AnyIterable;
  throw invalid(`a list of programs for site \`${name}\``, value);
}

/** The programs of an iterable, whose errors are those of the producer. */
async function* produced(source: AnyIterable): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* source;
  } catch (cause) {
    throw new PipelineError(
      "PRODUCER_FAILED",
      `expected programs, but their iterable threw: ${describeValue(cause)}`,
      { cause },
    );
  }
}
