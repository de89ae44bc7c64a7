// The samples of one generation of CMA-ES with what became of them, and their order.
import { badState, numbersOf } from "../parts.js";
import type { PartState } from "../plain.js";
import type { Feedback } from "./emitter.js";

/** How samples are ordered; see `CmaEsOptions.ranker`. */
export type CmaEsRanker = "2imp" | "imp" | "2rd" | "obj";

/** What is known of each sample besides its vector: what it is ordered by, and whether it was added or failed. */
const Note = { first: 0, second: 1, isAdded: 2, isValid: 3, count: 4 } as const;

/** Samples that were evaluated. */
export class CmaGeneration {
  count = 0;
  /** The vectors one after the other. */
  vectors = new Float64Array(0);
  #notes = new Float64Array(0);
  readonly #dimensions: number;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  clear(): void {
    this.count = 0;
  }

  /** Takes up a candidate of a batch, whose vector starts at `start` of `numbers`. */
  append(
    feedback: Feedback,
    index: number,
    start: number,
    numbers: Float32Array,
    ranker: CmaEsRanker,
    direction: Float64Array,
  ): void {
    const dimensions = this.#dimensions;
    if (this.vectors.length < (this.count + 1) * dimensions) this.#grow();
    for (let axis = 0; axis < dimensions; axis++) {
      this.vectors[this.count * dimensions + axis] = numbers[start + axis]!;
    }
    const { scores, additions } = feedback;
    const isValid = scores.status[index] === 0;
    const status = additions.status[index]!;
    const at = this.count * Note.count;
    const hasStages = ranker === "2imp" || ranker === "2rd";
    this.#notes[at + Note.first] = hasStages && isValid ? status : 0;
    this.#notes[at + Note.second] = isValid ? secondKey(feedback, index, ranker, direction) : 0;
    this.#notes[at + Note.isAdded] = status === 0 ? 0 : 1;
    this.#notes[at + Note.isValid] = isValid ? 1 : 0;
    this.count++;
  }

  /** How many samples were added to the archive or improved it, and how many did not fail. */
  get added(): number {
    return this.#sum(Note.isAdded);
  }

  get valid(): number {
    return this.#sum(Note.isValid);
  }

  /** The indices of the samples, the best first and failures last; of equal ones, the first comes first. */
  order(): number[] {
    const notes = this.#notes;
    return Array.from({ length: this.count }, (_, index) => index).sort((a, b) => {
      const [left, right] = [a * Note.count, b * Note.count];
      return (
        notes[right + Note.isValid]! - notes[left + Note.isValid]! ||
        notes[right + Note.first]! - notes[left + Note.first]! ||
        notes[right + Note.second]! - notes[left + Note.second]! ||
        a - b
      );
    });
  }

  /** Whether the best and the worst of those that did not fail are the same, if there are two. */
  isFlat(order: readonly number[]): boolean {
    const { valid } = this;
    if (valid < 2) return false;
    const [best, worst] = [order[0]! * Note.count, order[valid - 1]! * Note.count];
    const first = this.#notes[best + Note.first]! - this.#notes[worst + Note.first]!;
    const second = this.#notes[best + Note.second]! - this.#notes[worst + Note.second]!;
    return Math.sqrt(first * first + second * second) < 1e-12;
  }

  state(): PartState {
    const { count } = this;
    return {
      values: {},
      arrays: {
        vectors: this.vectors.slice(0, count * this.#dimensions),
        notes: this.#notes.slice(0, count * Note.count),
      },
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const notes = numbersOf(state, "notes");
    const count = notes.length / Note.count;
    if (!Number.isInteger(count)) throw badState("samples with four numbers each");
    const vectors = numbersOf(state, "vectors", count * this.#dimensions);
    this.count = count;
    this.#notes = notes.slice();
    this.vectors = vectors.slice();
  }

  #sum(note: number): number {
    let sum = 0;
    for (let index = 0; index < this.count; index++) sum += this.#notes[index * Note.count + note]!;
    return sum;
  }

  #grow(): void {
    const capacity = Math.max(64, 2 * this.count);
    const vectors = new Float64Array(capacity * this.#dimensions);
    vectors.set(this.vectors);
    const notes = new Float64Array(capacity * Note.count);
    notes.set(this.#notes);
    this.vectors = vectors;
    this.#notes = notes;
  }
}

function secondKey(
  { additions, scores }: Feedback,
  index: number,
  ranker: CmaEsRanker,
  direction: Float64Array,
): number {
  if (ranker === "obj") return scores.objective[index]!;
  if (ranker !== "2rd") return additions.value[index]!;
  let projection = 0;
  for (let axis = 0; axis < direction.length; axis++) {
    projection += direction[axis]! * scores.measures[index * direction.length + axis]!;
  }
  return projection;
}
