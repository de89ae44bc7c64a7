// The part of a machine's memory that has recipes.
import { RecipeField } from "./recipe-layout.js";

/** The bytes of scratch memory. */
export const SCRATCH_BYTES =
  RecipeField.columns +
  (RecipeField.registerCount - RecipeField.firstScratch) * (1 << RecipeField.columnShift);
/** Room for scratch memory and the recipes of all operations. */
export const RECIPE_BYTES = 2 ** 19;

export class RecipeMemory {
  readonly #start: number;
  #next: number;

  /** @param address a multiple of 64, where scratch memory comes first */
  constructor(address: number) {
    this.#start = address;
    this.#next = address + SCRATCH_BYTES;
  }

  /** Adds a recipe and returns its address. */
  add(memory: Uint32Array, words: readonly number[]): number {
    const at = this.#next;
    memory[at / 4] = this.#start;
    memory.set(words, at / 4 + 1);
    this.#next = at + 4 + 4 * words.length;
    return at;
  }
}
