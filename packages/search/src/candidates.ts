// The candidates of a batch and how they came about, and what evaluators say about them.
import { CodeBuffer } from "@mm-ptx/types/code";

/** No parent. */
export const NO_PARENT = -1;

/** Genomes made by emitters, and how each of them was made. */
export class Candidates {
  readonly genomes: CodeBuffer = new CodeBuffer();
  /** For each candidate: the index of its emitter, and the index of the variation operator, or 255 without one. */
  emitters = new Uint8Array(256);
  operators = new Uint8Array(256);
  /** Two for each candidate: the serial numbers of its parents, or -1. */
  parents = new Float64Array(512);
  /** For each candidate: a number that its emitter chooses, such as that of a chain, and reads again in `tell`. */
  tags = new Int32Array(256);
  /** The index of the emitter whose candidates are being appended. */
  emitter = 0;

  /** The number of candidates. */
  get count(): number {
    return this.genomes.count;
  }

  /** Removes all candidates and keeps the memory. */
  clear(): void {
    this.genomes.clear();
  }

  /** Records how the last appended genome was made: its operator and the serial numbers of its parents. */
  describe(operator: number, first: number = NO_PARENT, second: number = NO_PARENT, tag = 0): void {
    const index = this.genomes.count - 1;
    if (index >= this.emitters.length) this.#grow();
    this.emitters[index] = this.emitter;
    this.operators[index] = operator;
    this.parents[2 * index] = first;
    this.parents[2 * index + 1] = second;
    this.tags[index] = tag;
  }

  /** Keeps the candidates whose elements of `keep` are not 0, in their order, and removes the others. */
  retain(keep: ArrayLike<number>): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      if (!keep[index]) continue;
      this.emitters[kept] = this.emitters[index]!;
      this.operators[kept] = this.operators[index]!;
      this.parents[2 * kept] = this.parents[2 * index]!;
      this.parents[2 * kept + 1] = this.parents[2 * index + 1]!;
      this.tags[kept] = this.tags[index]!;
      kept++;
    }
    this.genomes.retain(keep);
  }

  #grow(): void {
    const length = 2 * this.emitters.length;
    const copy = <Kind extends Uint8Array | Int32Array | Float64Array>(from: Kind, to: Kind): Kind => {
      to.set(from);
      return to;
    };
    this.emitters = copy(this.emitters, new Uint8Array(length));
    this.operators = copy(this.operators, new Uint8Array(length));
    this.parents = copy(this.parents, new Float64Array(2 * length));
    this.tags = copy(this.tags, new Int32Array(length));
  }
}

/** Makes `into` a list of some candidates, given by their indices. */
export function chooseCandidates(from: Candidates, indices: Iterable<number>, into: Candidates): void {
  into.clear();
  const { offsets, room } = from.genomes;
  const { emitters, operators, parents, tags } = from;
  for (const index of indices) {
    into.genomes.appendCopy(room, offsets[index], offsets[index + 1]);
    into.emitter = emitters[index]!;
    into.describe(operators[index]!, parents[2 * index], parents[2 * index + 1], tags[index]);
  }
}

/** Copies genomes, whose constants may have changed, back to the candidates that they were chosen from. */
export function copyGenomes(
  { genomes: from, count }: Candidates,
  indices: Uint32Array,
  { genomes: to }: Candidates,
): void {
  if (from === to) return;
  for (let place = 0; place < count; place++) {
    to.room.set(
      from.room.subarray(from.offsets[place], from.offsets[place + 1]),
      to.offsets[indices[place]!],
    );
  }
}

/** The operator of candidates that no variation operator made. */
export const NO_OPERATOR = 255;

/** What evaluators report about the candidates of a batch, in order. */
export interface Scores {
  /** 0 for a candidate with a result; otherwise one more than the index in `Evaluator.failures`. */
  readonly status: Uint8Array;
  /** Higher is better. Only valid where `status` is 0, where it is finite. */
  readonly objective: Float64Array;
  /** `measures[i * dimensions + axis]`; only valid where `status` is 0, where they are finite. */
  readonly measures: Float64Array;
  /** `cases[i * rows + row]`: the error of each case, lower is better; only if the evaluator has cases. */
  readonly cases?: Float64Array | undefined;
  /** Other numbers for each candidate, by name, which archives keep with elites. */
  readonly fields?: Readonly<Record<string, Float64Array>> | undefined;
}
