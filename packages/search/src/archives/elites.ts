// The elites of an archive as columns in typed arrays, with their sum, their best and their hash.
import type { CodeBatch } from "@mm-ptx/types/code";
import { murmur128Into } from "@mm-ptx/types/internal";
import type { Scores } from "../candidates.js";
import type { Genome } from "../spaces/space.js";
import type { ArchiveRows } from "./archive.js";
import { EliteHash } from "./elite-hash.js";
import { grownBytes, grownDoubles, grownIntegers, grownWords } from "./grown.js";

/** What an archive keeps of each elite. */
export interface EliteShape {
  readonly dimensions: number;
  readonly fields: readonly string[];
  /** The number of cases, or 0. */
  readonly cases: number;
  /** Whether elites have thresholds. */
  readonly hasThresholds: boolean;
}

/** Elites whose objectives are summed together: 2 to this power. */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
const FIRST_CAPACITY = 1024;
/** The best elite has to be looked for. */
const UNKNOWN = -2;

/**
 * Columns that grow with the number of elites. Genomes are in one array, as far apart as the longest of them. What depends on all elites is
 * a function of the elites alone, never of the order in which they came: after `restore` it is the same to the bit.
 */
export class Elites {
  readonly shape: EliteShape;
  count = 0;
  objective = new Float64Array(0);
  measures = new Float64Array(0);
  serial = new Float64Array(0);
  cell = new Int32Array(0);
  threshold = new Float64Array(0);
  cases = new Float64Array(0);
  readonly fields: Float64Array[];
  /** The genome of an elite starts at `elite * stride`. */
  words = new Uint32Array(0);
  lengths = new Uint32Array(0);
  stride = 0;
  #capacity = 0;
  #best = -1;
  /** The sum of the objectives of each block of elites, and whether it has to be computed again. */
  #sums = new Float64Array(0);
  #stale = new Uint8Array(0);
  readonly #hash = new EliteHash();

  constructor(shape: EliteShape) {
    this.shape = shape;
    this.fields = shape.fields.map(() => new Float64Array(0));
  }

  clear(): void {
    this.count = 0;
    this.#best = -1;
    this.#hash.restart();
  }

  /** Makes room for this many elites, of genomes with up to `words` words. */
  reserve(elites: number, words: number): void {
    if (words > this.stride) this.#widen(words);
    if (elites <= this.#capacity) return;
    const capacity = Math.max(elites, 2 * this.#capacity, FIRST_CAPACITY);
    const { dimensions, cases, hasThresholds } = this.shape;
    this.objective = grownDoubles(this.objective, capacity);
    this.measures = grownDoubles(this.measures, capacity * dimensions);
    this.serial = grownDoubles(this.serial, capacity);
    if (hasThresholds) this.threshold = grownDoubles(this.threshold, capacity);
    if (cases > 0) this.cases = grownDoubles(this.cases, capacity * cases);
    this.fields.forEach((field, index) => {
      this.fields[index] = grownDoubles(field, capacity);
    });
    this.cell = grownIntegers(this.cell, capacity);
    this.lengths = grownWords(this.lengths, capacity);
    this.words = grownWords(this.words, capacity * this.stride);
    const blocks = Math.ceil(capacity / BLOCK);
    this.#sums = grownDoubles(this.#sums, blocks);
    this.#stale = grownBytes(this.#stale, blocks);
    this.#hash.reserve(capacity);
    this.#capacity = capacity;
  }

  /**
   * Makes candidate `index` of a batch this elite, which is the next one or replaces one; there must be room for it. `cell` is not written,
   * because an elite that replaces another one is in the same.
   */
  set(
    elite: number,
    words: Uint32Array,
    start: number,
    end: number,
    scores: Scores,
    index: number,
    serial: number,
  ): void {
    const objective = scores.objective[index]!;
    const { dimensions } = this.shape;
    const { measures } = this;
    for (let axis = 0; axis < dimensions; axis++) {
      measures[elite * dimensions + axis] = scores.measures[index * dimensions + axis]!;
    }
    const arena = this.words;
    for (let from = start, to = elite * this.stride; from < end; ) arena[to++] = words[from++]!;
    this.lengths[elite] = end - start;
    this.serial[elite] = serial;
    this.#setObjective(elite, objective);
    if (this.fields.length > 0) this.#setFields(elite, scores, index);
    if (this.cases.length > 0) this.#setCases(elite, scores, index);
  }

  /** Removes an elite. The last one gets its index. */
  remove(elite: number): void {
    const last = --this.count;
    const { dimensions, cases, hasThresholds } = this.shape;
    if (elite !== last) {
      this.measures.copyWithin(elite * dimensions, last * dimensions, (last + 1) * dimensions);
      this.words.copyWithin(elite * this.stride, last * this.stride, (last + 1) * this.stride);
      this.lengths[elite] = this.lengths[last]!;
      this.cell[elite] = this.cell[last]!;
      this.serial[elite] = this.serial[last]!;
      if (hasThresholds) this.threshold[elite] = this.threshold[last]!;
      if (cases > 0) this.cases.copyWithin(elite * cases, last * cases, (last + 1) * cases);
      for (const field of this.fields) field[elite] = field[last]!;
      this.objective[elite] = this.objective[last]!;
      this.#touch(elite);
    }
    this.#touch(last);
    this.#best = UNKNOWN;
  }

  /** The index of the elite with the greatest objective, the first of equal ones; -1 without elites. */
  get best(): number {
    if (this.#best === UNKNOWN) {
      const { objective, count } = this;
      let best = count === 0 ? -1 : 0;
      for (let elite = 1; elite < count; elite++) if (objective[elite]! > objective[best]!) best = elite;
      this.#best = best;
    }
    return this.#best;
  }

  /** The sum of all objectives: of blocks first, so that only blocks that changed have to be summed again. */
  sum(): number {
    const { count, objective } = this;
    let total = 0;
    for (let block = 0, start = 0; start < count; block++, start += BLOCK) {
      if (this.#stale[block] === 1) {
        const end = Math.min(start + BLOCK, count);
        let sum = 0;
        for (let elite = start; elite < end; elite++) sum += objective[elite]!;
        this.#sums[block] = sum;
        this.#stale[block] = 0;
      }
      total += this.#sums[block]!;
    }
    return total;
  }

  /** The hash of all elites. */
  hash(): Uint32Array {
    return this.#hash.value(this.count, (elite, into) => this.#hashElite(elite, into));
  }

  genome(elite: number, into: Genome): void {
    into.words = this.words;
    into.start = elite * this.stride;
    into.end = into.start + this.lengths[elite]!;
  }

  rows(): ArchiveRows {
    const { count, shape } = this;
    return {
      count,
      cell: this.cell.slice(0, count),
      objective: this.objective.slice(0, count),
      measures: this.measures.slice(0, count * shape.dimensions),
      serial: this.serial.slice(0, count),
      genomes: this.genomes(),
      fields: Object.fromEntries(
        shape.fields.map((name, field) => [name, this.fields[field]!.slice(0, count)]),
      ),
    };
  }

  /** The genomes one after the other without gaps. */
  genomes(): CodeBatch {
    const { count, stride, lengths } = this;
    const offsets = new Uint32Array(count + 1);
    for (let elite = 0; elite < count; elite++) offsets[elite + 1] = offsets[elite]! + lengths[elite]!;
    const words = new Uint32Array(offsets[count]!);
    for (let elite = 0; elite < count; elite++) {
      const start = elite * stride;
      words.set(this.words.subarray(start, start + lengths[elite]!), offsets[elite]!);
    }
    return { words, offsets };
  }

  /** After the objectives of all elites were written: everything that depends on them is computed when it is asked for. */
  refresh(): void {
    this.#best = this.count === 0 ? -1 : UNKNOWN;
    this.#stale.fill(1);
    this.#hash.restart();
  }

  #setObjective(elite: number, objective: number): void {
    const best = this.#best;
    const old = best >= 0 ? this.objective[best]! : 0;
    this.objective[elite] = objective;
    if (best === -1 || (best >= 0 && (objective > old || (objective === old && elite < best))))
      this.#best = elite;
    // With thresholds, an elite may be followed by a worse one.
    else if (elite === best && objective < old) this.#best = UNKNOWN;
    this.#touch(elite);
  }

  #setFields(elite: number, scores: Scores, index: number): void {
    const { fields } = this.shape;
    for (let field = 0; field < fields.length; field++) {
      this.fields[field]![elite] = scores.fields![fields[field]!]![index]!;
    }
  }

  #setCases(elite: number, scores: Scores, index: number): void {
    const { cases } = this.shape;
    for (let row = 0; row < cases; row++)
      this.cases[elite * cases + row] = scores.cases![index * cases + row]!;
  }

  #touch(elite: number): void {
    this.#stale[elite >> BLOCK_BITS] = 1;
    this.#hash.touch(elite);
  }

  #hashElite(elite: number, into: Uint32Array): void {
    const { dimensions } = this.shape;
    const length = this.lengths[elite]!;
    const { hasThresholds } = this.shape;
    const doubles = 2 + dimensions + this.fields.length + (hasThresholds ? 1 : 0);
    const count = 4 + 2 * doubles + length;
    // The hash takes an even number of words.
    const even = count + (count & 1);
    if (even > scratch.length) {
      scratch = new Uint32Array(2 * even);
      scratchDoubles = new Float64Array(scratch.buffer);
    }
    scratchDoubles[0] = this.objective[elite]!;
    scratchDoubles[1] = this.serial[elite]!;
    let at = 2;
    for (let axis = 0; axis < dimensions; axis++)
      scratchDoubles[at++] = this.measures[elite * dimensions + axis]!;
    for (const field of this.fields) scratchDoubles[at++] = field[elite]!;
    if (hasThresholds) scratchDoubles[at++] = this.threshold[elite]!;
    at *= 2;
    scratch[at++] = elite;
    scratch[at++] = this.cell[elite]!;
    scratch[at++] = length;
    scratch[at++] = 0;
    for (let from = elite * this.stride, end = from + length; from < end; )
      scratch[at++] = this.words[from++]!;
    if (at < even) scratch[at] = 0;
    murmur128Into(scratch, even, into);
  }

  /** Puts genomes farther apart: by a half at least, so that this is rare. */
  #widen(words: number): void {
    const old = this.stride;
    const from = this.words;
    const stride = old === 0 ? words : Math.max(words, old + (old >> 1));
    const to = new Uint32Array(this.#capacity * stride);
    for (let elite = 0; elite < this.count; elite++) {
      const start = elite * old;
      to.set(from.subarray(start, start + this.lengths[elite]!), elite * stride);
    }
    this.words = to;
    this.stride = stride;
  }
}

let scratch = new Uint32Array(256);
let scratchDoubles = new Float64Array(scratch.buffer);
