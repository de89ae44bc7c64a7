// Draws instructions and whole programs for a table: always in range, whatever stands on the stacks.
import type { StackTable } from "@mm-ptx/types/core";
import { integer, invalid } from "../arguments.js";
import { float32Bits } from "../float32.js";
import { Packed } from "../layout.js";
import { StackProgram } from "../program.js";
import { checkRandom, type Random } from "./generator.js";
import { type ProgramSamplerOptions, type SamplerSettings, samplerSettings } from "./options.js";
import type { DrawnNumber } from "./vocabulary.js";
import { Weighted } from "./weighted.js";

/**
 * Draws random programs of a table. Instructions are drawn without a thought for what is on the stacks: every program is
 * valid, because one that lacks operands does nothing.
 */
export class ProgramSampler {
  readonly table: StackTable;
  private readonly settings: SamplerSettings;
  private readonly weighted: Weighted;

  /** @throws StackPtxError INVALID_VALUE when an option is unknown or out of range, or leaves nothing to draw */
  constructor(table: StackTable, options: ProgramSamplerOptions = {}) {
    this.settings = samplerSettings(table, options);
    this.table = table;
    this.weighted = new Weighted(this.settings.choices.map((choice) => choice.weight));
  }

  /**
   * A program of random length.
   * @throws StackPtxError INVALID_VALUE when `random` is no Random, or a function of the options gives no number
   */
  program(random: Random): StackProgram {
    checkRandom(random);
    const { min, max } = this.settings;
    const length = min + random.below(max - min + 1);
    const words = new Uint32Array(length * Packed.wordsPerInstruction);
    this.fill(words, 0, length, random);
    return StackProgram.fromWords(words);
  }

  /**
   * Writes random instructions over those from `start` up to `end` of a program's words.
   * @throws StackPtxError INVALID_VALUE as `program`, and when the words do not have these instructions
   */
  fill(words: Uint32Array, start: number, end: number, random: Random): void {
    checkRandom(random);
    if (!(words instanceof Uint32Array)) throw invalid("a Uint32Array to write to", words);
    integer("`end`", end, Math.floor(words.length / Packed.wordsPerInstruction));
    integer("`start`", start, end);
    const { choices } = this.settings;
    for (let index = start; index < end; index++) {
      const { head, payload } = choices[this.weighted.pick(random)]!;
      words[index * Packed.wordsPerInstruction] = head;
      words[index * Packed.wordsPerInstruction + 1] =
        typeof payload === "number" ? payload : this.draw(payload, random);
    }
  }

  private draw(what: DrawnNumber, random: Random): number {
    const value = this.settings.sources[what](random);
    if (typeof value !== "number") throw invalid(`a number of the function that draws \`${what}\``, value);
    return what === "f32" ? float32Bits(value) : value;
  }
}
