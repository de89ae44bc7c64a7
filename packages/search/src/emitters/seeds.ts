// Puts given genomes into a search.
import { type Candidates, NO_OPERATOR } from "../candidates.js";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import { badState, numberOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Space } from "../spaces/space.js";
import type { Emission, Emitter } from "./emitter.js";

/**
 * Makes each of these genomes a candidate, once, in their order, and nothing after that.
 *
 * @param genomes words of genomes, or texts as the space writes them
 * @throws SearchError INVALID_ARGUMENT if it is not a list of these; `emit` throws it for what is not a genome of the space
 */
export function seeds(genomes: readonly (Uint32Array | string)[]): Emitter {
  if (!Array.isArray(genomes)) throw invalid("genomes or texts as a list", genomes);
  genomes.forEach((genome, index) => {
    if (typeof genome !== "string" && !(genome instanceof Uint32Array))
      throw invalid(`a Uint32Array or a text as seed ${index}`, genome);
  });
  return new Seeds(genomes.map((genome) => (typeof genome === "string" ? genome : genome.slice())));
}

class Seeds implements Emitter {
  readonly kind = "seeds";
  readonly description: Plain;
  readonly #genomes: readonly (Uint32Array | string)[];
  #words: readonly Uint32Array[] | undefined;
  #next = 0;

  constructor(genomes: readonly (Uint32Array | string)[]) {
    this.#genomes = genomes;
    this.description = {
      kind: this.kind,
      genomes: genomes.map((genome) => (typeof genome === "string" ? genome : [...genome])),
    };
  }

  emit(count: number, { space }: Emission, out: Candidates): void {
    // All of them are checked before the first is a candidate, so that a mistake shows at the start of a search.
    this.#words ??= this.#genomes.map((genome, index) => checked(space, genome, index));
    const end = Math.min(this.#words.length, this.#next + count);
    for (; this.#next < end; this.#next++) {
      out.genomes.appendCopy(this.#words[this.#next]!);
      out.describe(NO_OPERATOR);
    }
  }

  state(): PartState {
    return { values: { next: this.#next }, arrays: {} };
  }

  restore(state: PartState): void {
    const next = numberOf(state, "next");
    if (!Number.isInteger(next) || next < 0 || next > this.#genomes.length)
      throw badState(`a number from 0 to ${this.#genomes.length} as \`next\``);
    this.#next = next;
  }
}

function checked(space: Space, genome: Uint32Array | string, index: number): Uint32Array {
  try {
    const words = typeof genome === "string" ? space.parse(genome) : genome;
    space.check({ words, start: 0, end: words.length });
    return words;
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    throw new SearchError(error.code, `seed ${index}: ${error.message}`, { cause: error });
  }
}
