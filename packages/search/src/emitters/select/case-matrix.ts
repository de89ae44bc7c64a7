// The errors of a pool of elites in single cases, case by case, and which elites are the same in all of them.
import type { Archive } from "../../archives/archive.js";
import { SearchError } from "../../error.js";
import { Medians } from "./median.js";

/** Errors that are not finite numbers count as this one, whose distances are finite. */
const WORST = Number.MAX_VALUE / 4;
/** Rows whose errors are copied to columns at a time, so that each cache line is written once. */
const BLOCK = 8;
/** Of how many cases, about, hashes are made. */
const HASHED = 64;

/** Errors of `count` classes of elites in `cases` cases. Its memory is reused. */
export class CaseMatrix {
  /** The number of elites of the pool, and their indices in the archive. */
  elites = 0;
  pool: Int32Array = new Int32Array(0);
  cases = 0;
  /** The number of classes: elites of the same class have the same errors in all cases. */
  count = 0;
  /** The class of each elite of the pool. Classes are numbered by their first elites. */
  classes = new Int32Array(0);
  /** For a class with one elite its place in the pool, otherwise -1. */
  single = new Int32Array(0);
  /** `errors[number * count + class]`, and the same as `rows[class * cases + number]`. */
  errors = new Float64Array(0);
  rows = new Float64Array(0);
  /** For each case: errors that differ by this much or less from the least one are as good. */
  epsilons = new Float64Array(0);
  readonly #medians = new Medians();
  #bits = new Uint32Array(0);
  #hashes = new Int32Array(0);
  #table = new Int32Array(0);
  #first = new Int32Array(0);

  /**
   * Reads the errors of the elites in `pool`, each a class of its own.
   *
   * @param chosen the cases
   * @throws SearchError UNSUPPORTED if the elites have no errors in single cases
   */
  load(archive: Archive, elites: number, chosen: Int32Array, cases: number): void {
    this.#reserve(elites, cases);
    this.elites = elites;
    this.count = elites;
    this.cases = cases;
    const { rows, errors, pool } = this;
    for (let place = 0; place < elites; place++) {
      const given = casesOf(archive, pool[place]!);
      const start = place * cases;
      for (let number = 0; number < cases; number++) {
        const error = given[chosen[number]!]!;
        // Adding 0 makes -0 and 0 the same.
        rows[start + number] = Math.abs(error) <= WORST ? error + 0 : WORST;
      }
    }
    for (let first = 0; first < elites; first += BLOCK) {
      const end = Math.min(elites, first + BLOCK);
      for (let number = 0; number < cases; number++) {
        let to = number * elites + first;
        for (let from = first * cases + number; to < number * elites + end; from += cases)
          errors[to++] = rows[from]!;
      }
    }
    for (let place = 0; place < elites; place++) this.classes[place] = this.single[place] = place;
  }

  /** Sets all epsilons to a number, or to the median absolute deviation of the elites' errors in each case. Precedes `merge`. */
  measure(epsilon: number | "mad"): void {
    const { cases, elites, errors, epsilons } = this;
    if (epsilon !== "mad") {
      epsilons.fill(epsilon, 0, cases);
      return;
    }
    this.#medians.reserve(elites);
    for (let number = 0; number < cases; number++) {
      epsilons[number] = this.#medians.absoluteDeviation(errors, number * elites, elites);
    }
  }

  /** Makes elites with the same errors one class. */
  merge(): void {
    const { elites, cases, classes, single, errors, rows } = this;
    const first = this.#first;
    this.#hash();
    const table = this.#table;
    const mask = table.length - 1;
    table.fill(-1);
    let count = 0;
    for (let place = 0; place < elites; place++) {
      let slot = this.#hashes[place]! & mask;
      while (table[slot] !== -1 && !this.#areEqual(first[table[slot]!]!, place)) slot = (slot + 1) & mask;
      if (table[slot] === -1) {
        table[slot] = count;
        first[count] = place;
        single[count++] = place;
      } else single[table[slot]!] = -1;
      classes[place] = table[slot]!;
    }
    this.count = count;
    if (count === elites) return;
    for (let number = 0; number < cases; number++) {
      for (let each = 0; each < count; each++)
        errors[number * count + each] = errors[number * elites + first[each]!]!;
    }
    for (let each = 0; each < count; each++)
      rows.copyWithin(each * cases, first[each]! * cases, (first[each]! + 1) * cases);
  }

  #reserve(elites: number, cases: number): void {
    if (this.classes.length < elites) {
      this.classes = new Int32Array(elites);
      this.single = new Int32Array(elites);
      this.#first = new Int32Array(elites);
      this.#hashes = new Int32Array(elites);
      this.#table = new Int32Array(4 << (31 - Math.clz32(elites)));
    }
    if (this.errors.length < elites * cases) {
      this.errors = new Float64Array(elites * cases);
      this.rows = new Float64Array(elites * cases);
      this.#bits = new Uint32Array(this.rows.buffer);
    }
    if (this.epsilons.length < cases) this.epsilons = new Float64Array(cases);
  }

  /** Hashes some errors of each elite. */
  #hash(): void {
    const { elites, cases } = this;
    const hashes = this.#hashes;
    const bits = this.#bits;
    const step = Math.max(1, Math.floor(cases / HASHED));
    for (let place = 0; place < elites; place++) {
      let hash = 0;
      for (let number = 0; number < cases; number += step) {
        const word = 2 * (place * cases + number);
        const mixed = Math.imul(hash ^ bits[word]!, 0x85ebca6b) ^ bits[word + 1]!;
        hash = Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1);
      }
      hashes[place] = hash ^ (hash >>> 15);
    }
  }

  #areEqual(one: number, other: number): boolean {
    const { cases, rows } = this;
    if (this.#hashes[one] !== this.#hashes[other]) return false;
    for (let number = 0; number < cases; number++) {
      if (rows[one * cases + number] !== rows[other * cases + number]) return false;
    }
    return true;
  }
}

/** The errors of an elite in all cases. @throws SearchError UNSUPPORTED */
export function casesOf(archive: Archive, elite: number): Float64Array {
  const cases = archive.cases(elite);
  if (cases !== undefined) return cases;
  throw new SearchError(
    "UNSUPPORTED",
    "expected elites with errors in single cases for lexicase selection, found none: the evaluator must have cases, and the archive must keep them (option `cases`)",
  );
}
