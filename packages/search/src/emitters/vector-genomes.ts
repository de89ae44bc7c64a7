// What emitters of vectors have in common: the space, the vectors they begin with, and elites as numbers.
import type { Archive } from "../archives/archive.js";
import type { Candidates } from "../candidates.js";
import type { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import type { Genome, Space } from "../spaces/space.js";
import type { VectorSpace } from "../spaces/vector.js";
import { checkWithin, perCoordinate } from "../spaces/vector-options.js";
import type { Emission } from "./emitter.js";

/** The space of vectors. @throws SearchError UNSUPPORTED for other spaces */
export function vectorsOf(space: Space, emitter: string): VectorSpace {
  if (space.kind === "vector") return space as VectorSpace;
  throw new SearchError(
    "UNSUPPORTED",
    `expected a vector space for the emitter \`${emitter}\`, found one of kind \`${space.kind}\``,
  );
}

/** The vector that an emitter begins with: its own, or that of the space. @throws SearchError INVALID_ARGUMENT */
export function firstVector(space: VectorSpace, x0: readonly number[] | undefined): Float64Array {
  if (x0 === undefined) return space.initial;
  checkWithin("x0", x0, space);
  return Float64Array.from(x0);
}

/** Standard deviations of all coordinates. */
export const deviations = (
  name: string,
  sigma: number | readonly number[],
  { dimensions }: VectorSpace,
): Float64Array => Float64Array.from(perCoordinate(name, sigma, dimensions));

/** Where an emitter of vectors writes a batch. */
export interface VectorRoom {
  readonly values: Float32Array;
  /** Where the next vector starts. */
  at: number;
}

/** Makes room for the vectors of a batch. */
export function vectorRoom({ genomes }: Candidates, count: number, dimensions: number): VectorRoom {
  const { buffer, byteOffset, length } = genomes.reserve(count * dimensions);
  return { values: new Float32Array(buffer, byteOffset, length), at: genomes.end };
}

/** Elites as vectors, one at a time. */
export class EliteVectors {
  readonly values: Float32Array;
  readonly #words: Uint32Array;
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  /** The serial number of the elite that was drawn last, or -1. */
  serial = -1;

  constructor(dimensions: number) {
    this.#words = new Uint32Array(dimensions);
    this.values = new Float32Array(this.#words.buffer);
  }

  /** Draws one of the elites, each with the same probability; `first` without elites. */
  draw(archive: Archive, draws: Draws, first: Float64Array): void {
    const { count } = archive;
    if (count === 0) {
      this.values.set(first);
      this.serial = -1;
      return;
    }
    const elite = draws.below(count);
    archive.genome(elite, this.#genome);
    const { words, start } = this.#genome;
    const to = this.#words;
    for (let axis = 0; axis < to.length; axis++) to[axis] = words[start + axis]!;
    this.serial = archive.serial(elite);
  }
}

/** The space, the first vector and memory, which an emitter makes at its first batch in a space. */
export interface SpaceSetting<Extra> {
  readonly space: VectorSpace;
  readonly first: Float64Array;
  readonly extra: Extra;
}

/** Makes the setting of an emitter once for a space. */
export class PerSpace<Extra> {
  #setting: SpaceSetting<Extra> | undefined;
  readonly #make: (space: VectorSpace) => Extra;
  readonly #emitter: string;
  readonly #x0: readonly number[] | undefined;

  constructor(emitter: string, x0: readonly number[] | undefined, make: (space: VectorSpace) => Extra) {
    this.#emitter = emitter;
    this.#x0 = x0;
    this.#make = make;
  }

  get({ space }: Emission): SpaceSetting<Extra> {
    if (this.#setting?.space !== space) {
      const vectors = vectorsOf(space, this.#emitter);
      this.#setting = { space: vectors, first: firstVector(vectors, this.#x0), extra: this.#make(vectors) };
    }
    return this.#setting as SpaceSetting<Extra>;
  }
}
