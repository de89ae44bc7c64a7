// Makes a genome shorter while its outputs stay the same on given rows.
import { type Column, evaluateBatch, type WorkersOption } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { isAnything, isBoolean, isSignal, isWhole } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";
import { isAllowed } from "../spaces/is-allowed.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { differenceOn, differenceOnAll, type Equality, isNetwork, zeroOneColumns } from "./equality.js";
import { type Graph, graphOf } from "./graph.js";
import { ValueClass } from "./operations.js";
import { reductionsOf } from "./reductions.js";

/** How a genome is simplified. */
export interface SimplifyOptions {
  /** One column for each input of the space: the rows on which outputs stay the same, bit by bit. */
  readonly columns: readonly Column[];
  /** How many random simplifications are tried before all single ones; the default is 1,000. */
  readonly steps?: number;
  /** The seed, from 0 to 2^32 - 1. The default is 0. */
  readonly seed?: number;
  /**
   * Whether to compare programs with one operand of 32 bits on all 2^32 inputs in the end, which takes up to a minute. Networks of
   * minimum and maximum are always compared on all rows of zeros and ones.
   */
  readonly exhaustive?: boolean;
  readonly workers?: WorkersOption;
  readonly signal?: AbortSignal;
}

/** A genome that was simplified. */
export interface SimplifyResult {
  readonly words: Uint32Array;
  /** The complexity of the result, and that of the given genome. */
  readonly complexity: number;
  readonly before: number;
  /** On which inputs both have the same outputs. */
  readonly equality: Equality;
}

const DEFAULT_STEPS = 1000;
/** Random simplifications that are compared in one call. */
const BATCH = 50;
/** The most that are compared in one call. */
const MOST_COMPARED = 2048;

/**
 * Makes a genome simpler while its outputs have the same bits on all rows: random simplifications, such as a few genes deleted together,
 * and then all single ones until none is left that changes no output (the way of Helmuth, McPhee and Spector's Plushy genomes). A
 * simplification is taken if the complexity decreases, or if it stays and the genome becomes shorter.
 *
 * @throws SearchError (as a rejection) INVALID_ARGUMENT for bad options and for a genome without code; UNSUPPORTED for a space that is
 * not one of this package; ColumnsError for columns that the programs do not take
 */
export async function simplify(
  space: ProgramSpace,
  genome: Genome,
  options: SimplifyOptions,
): Promise<SimplifyResult> {
  const taken = readOptions<SimplifyOptions>(
    options,
    {
      columns: isAnything,
      steps: isWhole(0, Number.MAX_SAFE_INTEGER),
      seed: isWhole(0, 2 ** 32 - 1),
      exhaustive: isBoolean,
      workers: isAnything,
      signal: isSignal,
    },
    { required: ["columns"] },
  );
  const { columns, steps = DEFAULT_STEPS, seed = 0, signal } = taken;
  if (!Array.isArray(columns) || columns.length < space.inputs.length) {
    throw invalid(`\`columns\` for the ${space.inputs.length} inputs of the space`, columns);
  }
  signal?.throwIfAborted();
  space.check(genome);
  const reductions = reductionsOf(space);
  const comparer = new Comparer(space, taken);
  const draws = new Draws();
  draws.start(seed, 0, 0);
  const given = {
    words: genome.words.slice(genome.start, genome.end),
    start: 0,
    end: genome.end - genome.start,
  };
  await comparer.expect(given);
  let current: Genome = given;
  const candidates = new CodeBuffer();
  for (let step = 0; step < steps; step += BATCH) {
    candidates.clear();
    for (let count = Math.min(BATCH, steps - step); count > 0; count--)
      reductions.random(current, draws, candidates);
    current = (await comparer.simplest(current, candidates)) ?? current;
    signal?.throwIfAborted();
  }
  for (;;) {
    candidates.clear();
    reductions.all(current, candidates);
    const simpler = await comparer.simplest(current, candidates);
    if (simpler === undefined) break;
    current = simpler;
    signal?.throwIfAborted();
  }
  const equality = await statement(space, given, current, taken);
  return {
    words: current.words,
    complexity: space.complexity(current),
    before: space.complexity(given),
    equality,
  };
}

/** Compares genomes with a given one. */
class Comparer {
  readonly #space: ProgramSpace;
  readonly #options: SimplifyOptions;
  readonly #codes = new CodeBuffer();
  #expected: readonly Uint32Array[] = [];

  constructor(space: ProgramSpace, options: SimplifyOptions) {
    this.#space = space;
    this.#options = options;
  }

  /** @throws SearchError INVALID_ARGUMENT */
  async expect(genome: Genome): Promise<void> {
    this.#codes.clear();
    this.#space.compile(genome, this.#codes);
    if (this.#codes.count === 0) throw invalid("a genome with code", this.#space.text(genome));
    const [columns] = await this.#outputs();
    this.#expected = columns!.map((words) => words.slice());
  }

  /** The simplest genome with the same outputs that is simpler than this one, and the first of several. */
  async simplest(current: Genome, { words, offsets }: CodeBuffer): Promise<Genome | undefined> {
    const space = this.#space;
    const codes = this.#codes;
    let best: Genome | undefined;
    let least = [space.complexity(current), current.end - current.start] as const;
    const genome = { words, start: 0, end: 0 };
    for (let first = 0; first < offsets.length - 1; first += MOST_COMPARED) {
      const last = Math.min(first + MOST_COMPARED, offsets.length - 1);
      const compiled: number[] = [];
      codes.clear();
      for (let index = first; index < last; index++) {
        genome.start = offsets[index]!;
        genome.end = offsets[index + 1]!;
        const before = codes.count;
        if (isAllowed(space, genome)) space.compile(genome, codes);
        if (codes.count > before) compiled.push(index);
      }
      if (compiled.length === 0) continue;
      const outputs = await this.#outputs();
      for (const [code, index] of compiled.entries()) {
        if (!this.#expected.every((expected, output) => areEqual(expected, outputs[code]![output]!)))
          continue;
        genome.start = offsets[index]!;
        genome.end = offsets[index + 1]!;
        const found = [space.complexity(genome), genome.end - genome.start] as const;
        if (found[0] > least[0] || (found[0] === least[0] && found[1] >= least[1])) continue;
        least = found;
        best = { words: words.slice(genome.start, genome.end), start: 0, end: genome.end - genome.start };
      }
    }
    return best;
  }

  /** The outputs of all codes, as words. */
  async #outputs(): Promise<readonly (readonly Uint32Array[])[]> {
    const { columns, workers, signal } = this.#options;
    const codes = this.#codes;
    const options = { outputs: true, ...(workers && { workers }), ...(signal && { signal }) };
    const { outputs } = await evaluateBatch(codes, columns, options);
    return Array.from({ length: codes.count }, (_, code) =>
      Array.from({ length: outputs!.count(code) }, (_, output) => {
        const { buffer, byteOffset, byteLength } = outputs!.column(code, output);
        return new Uint32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);
      }),
    );
  }
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  for (let word = 0; word < one.length; word++) if (one[word] !== other[word]) return false;
  return true;
}

/** What is known about two genomes that are equal on the rows. */
async function statement(
  space: ProgramSpace,
  one: Genome,
  other: Genome,
  { columns, exhaustive = false, workers, signal }: SimplifyOptions,
): Promise<Equality> {
  const rows: Equality = { kind: "rows", rows: columns[0]?.length ?? 1 };
  const graphs = [one, other].map((genome) => readGraph(space, genome));
  const [first, second] = graphs;
  if (first === undefined || second === undefined) return rows;
  if (isNetwork(first, second)) {
    const all = zeroOneColumns(first, space.inputs.length);
    const difference = await differenceOn(first, second, all, { workers, signal });
    return difference === undefined ? { kind: "zero-one-principle", rows: all[0]?.length ?? 1 } : rows;
  }
  const [input, ...more] = first.inputs;
  const isUnary = input !== undefined && more.length === 0 && input.class !== ValueClass.pred;
  const isSame = second.inputs.every(({ index }) => index === input?.index);
  if (!exhaustive || !isUnary || !isSame) return rows;
  return (await differenceOnAll(first, second, { workers, signal })) === undefined
    ? { kind: "all-2^32" }
    : rows;
}

/** The graph of a genome, unless it has values of other types. */
function readGraph(space: ProgramSpace, genome: Genome): Graph | undefined {
  const codes = new CodeBuffer();
  space.compile(genome, codes);
  try {
    return graphOf(codes.words);
  } catch (error) {
    if (error instanceof SearchError) return undefined;
    throw error;
  }
}
