// Samples instructions and whole programs for a table. They are always in range, whatever is on the stacks.
import type { StackTable } from "@mm-ptx/types/core";
import { integer, invalid } from "../arguments.js";
import { float32Bits } from "../float32.js";
import { Packed } from "../layout.js";
import { StackProgram } from "../program.js";
import { checkRandom, type RandomSource } from "./generator.js";
import { type ProgramSamplerOptions, type SamplerSettings, samplerSettings } from "./options.js";
import type { DrawnNumber } from "./vocabulary.js";
import { Weighted } from "./weighted.js";

/**
 * Samples random programs for a table. Instructions are drawn independently of what is on the stacks: every program is
 * valid, because an instruction that lacks operands does nothing.
 */
export class ProgramSampler {
  readonly table: StackTable;
  readonly #settings: SamplerSettings;
  readonly #weighted: Weighted;

  /** @throws StackPtxError INVALID_ARGUMENT when an option is unknown or out of range, or nothing is left to draw */
  constructor(table: StackTable, options: ProgramSamplerOptions = {}) {
    this.#settings = samplerSettings(table, options);
    this.table = table;
    this.#weighted = new Weighted(this.#settings.choices.map((choice) => choice.weight));
  }

  /**
   * Draws a program of random length.
   * @throws StackPtxError INVALID_ARGUMENT when `random` is not a source of random numbers, or a function of the
   * options does not return a number
   */
  program(random: RandomSource): StackProgram {
    checkRandom(random);
    const { min, max } = this.#settings;
    const length = min + random.below(max - min + 1);
    const words = new Uint32Array(length * Packed.wordsPerInstruction);
    this.fill(words, 0, length, random);
    return StackProgram.fromWords(words);
  }

  /**
   * Overwrites the instructions of a program's words from `start` up to `end` with random ones.
   * @throws StackPtxError INVALID_ARGUMENT like `program`, and when the words do not contain these instructions
   */
  fill(words: Uint32Array, start: number, end: number, random: RandomSource): void {
    checkRandom(random);
    if (!(words instanceof Uint32Array)) throw invalid("a Uint32Array to write to", words);
    integer("`end`", end, Math.floor(words.length / Packed.wordsPerInstruction));
    integer("`start`", start, end);
    const { choices } = this.#settings;
    for (let index = start; index < end; index++) {
      const { head, payload } = choices[this.#weighted.pick(random)]!;
      words[index * Packed.wordsPerInstruction] = head;
      words[index * Packed.wordsPerInstruction + 1] =
        typeof payload === "number" ? payload : this.#draw(payload, random);
    }
  }

  /**
   * Draws the bits of a constant for a stack.
   * @throws StackPtxError INVALID_ARGUMENT when the stack has no constants
   */
  constant(stack: number, random: RandomSource): number {
    const type = this.table.stackTypes[stack]?.constantType;
    if (type === undefined) throw invalid("a stack with constants", stack);
    return this.#draw(type, random) >>> 0;
  }

  #draw(what: DrawnNumber, random: RandomSource): number {
    const value = this.#settings.sources[what](random);
    if (typeof value !== "number") throw invalid(`a number from the function that draws \`${what}\``, value);
    return what === "f32" ? float32Bits(value) : value;
  }
}
