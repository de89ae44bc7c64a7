// A batch between being made and being scored.
import { Candidates } from "../candidates.js";
import { SearchError } from "../error.js";
import type { PartState } from "../plain.js";

/** The candidates of one batch, in the order of their emitters. */
export class Batch {
  readonly candidates: Candidates = new Candidates();
  /** Batches are counted from 0. */
  number = 0;
  /** The serial number of the first candidate; the others follow. */
  serial = 0;
  /** How many candidates were made, and how many of them were left out because they had been made before. */
  made = 0;
  duplicates = 0;
  /** The words of all genomes as they were made: evaluators may change constants, and what they did halfway must not count. */
  #original: Uint32Array = new Uint32Array(0);
  /** The candidates of emitter e are those from `ends[e - 1]`, or 0, up to `ends[e]`. */
  ends: number[] = [];

  /** Keeps the genomes as they are, for `revert`. */
  keep(): void {
    const { room, end } = this.candidates.genomes;
    if (this.#original.length < end) this.#original = new Uint32Array(2 * end);
    this.#original.set(room.subarray(0, end));
  }

  /** Makes the genomes what they were when `keep` was called. */
  revert(): void {
    const { room, end } = this.candidates.genomes;
    room.set(this.#original.subarray(0, end));
  }

  /** Everything that has to be kept so that `restore` makes an equal batch. */
  state(): PartState {
    const { candidates, number, serial, made, duplicates, ends } = this;
    const { genomes, count } = candidates;
    return {
      values: { number, serial, made, duplicates, ends: [...ends] },
      arrays: {
        words: this.#original.slice(0, genomes.end),
        offsets: genomes.offsets.slice(),
        emitters: candidates.emitters.slice(0, count),
        operators: candidates.operators.slice(0, count),
        parents: candidates.parents.slice(0, 2 * count),
        tags: candidates.tags.slice(0, count),
      },
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore({ values, arrays }: PartState): void {
    const { words, offsets, emitters, operators, parents, tags } = arrays;
    const isWhole =
      words instanceof Uint32Array &&
      offsets instanceof Uint32Array &&
      emitters instanceof Uint8Array &&
      operators instanceof Uint8Array &&
      parents instanceof Float64Array &&
      tags instanceof Int32Array &&
      offsets.at(-1) === words.length &&
      Array.isArray(values.ends);
    if (!isWhole) throw new SearchError("FILE_FORMAT", "expected the state of a batch, found something else");
    const { candidates } = this;
    candidates.clear();
    for (let index = 0; index + 1 < offsets.length; index++) {
      candidates.genomes.appendCopy(words, offsets[index], offsets[index + 1]);
      candidates.emitter = emitters[index]!;
      candidates.describe(operators[index]!, parents[2 * index], parents[2 * index + 1], tags[index]);
    }
    this.keep();
    this.number = Number(values.number);
    this.serial = Number(values.serial);
    this.made = Number(values.made);
    this.duplicates = Number(values.duplicates);
    this.ends = (values.ends as readonly number[]).map(Number);
  }
}
