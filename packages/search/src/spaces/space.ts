// What a genome is, and what can be done with one.
import type { CodeBuffer } from "@mm-ptx/types/code";
import type { Draws } from "../draws.js";
import type { Plain } from "../plain.js";

/** A genome as a view: the words from `start` up to `end`. Callers reuse such an object for one genome after the other. */
export interface Genome {
  words: Uint32Array;
  start: number;
  end: number;
}

/** A way to make a genome from one or two others. */
export interface VariationOperator {
  readonly name: string;
  /** How many genomes it needs: 1, or 2 for those that cross genomes. */
  readonly parents: 1 | 2;
}

/**
 * What genomes are: how they are drawn, varied, compared and written as text. A genome is a row of u32 words; batches are `CodeBuffer`s of
 * such words. All random decisions come from `draws`.
 */
export interface Space {
  /** `stack`, `ast` or `vector` for the spaces of this package. */
  readonly kind: string;
  /** What determines the space, for the description of a run: equal descriptions mean the same genomes, texts and operators. */
  readonly description: Plain;
  /** The most words of a genome. */
  readonly mostWords: number;
  /** The operators of `vary`, which takes their indices. */
  readonly operators: readonly VariationOperator[];
  /** Appends a random genome. */
  sample(draws: Draws, out: CodeBuffer): void;
  /**
   * Appends a genome that operator `operator` makes of one parent or two (`other` is ignored by operators with one). It satisfies all
   * constraints of the space; if a try does not, after a few tries the result may be a copy of `parent`.
   */
  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void;
  /**
   * Writes a hash of four words: equal for genomes that compute the same in the same way. Different genomes have different hashes, except
   * with negligible probability.
   */
  signature(genome: Genome, hash: Uint32Array): void;
  /**
   * Checks a genome that comes from a file or a user.
   * @throws SearchError INVALID_ARGUMENT with what is wrong with it
   */
  check(genome: Genome): void;
  /** The genome as a user reads it, on one line or several. */
  text(genome: Genome): string;
  /** The genome of a text that `text` returned. @throws SearchError INVALID_ARGUMENT */
  parse(text: string): Uint32Array;
}

/** A register that stubs read or write. */
export interface ProgramRegister {
  /** Without `%`. */
  readonly name: string;
  /** A type of PTX, such as `f32`. */
  readonly type: string;
}

/** A program as a formula. */
export type Formula =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "operation"; readonly name: string; readonly operands: readonly Formula[] };

/** A space whose genomes are programs. */
export interface ProgramSpace extends Space {
  /** The names of the inputs of codes, in the order of the columns. */
  readonly inputs: readonly string[];
  /** The registers of the inputs, in the same order, and those of the outputs, in the order of the code's. A register may be both. */
  readonly inputRegisters: readonly ProgramRegister[];
  readonly outputRegisters: readonly ProgramRegister[];
  /** Appends what the genome computes as straight-line code, without instructions that are not used. */
  compile(genome: Genome, codes: CodeBuffer): void;
  /**
   * Says where the f32 constants of the genome's code are, in the order of the code's items: `places[k]` is the index of the word with the
   * bits, counted from the start of the genome, or -1 for a constant that belongs to an operator's definition and must not change.
   * `places` grows as needed. Returns the number of constants.
   */
  constantPlaces(genome: Genome, places: number[]): number;
  /** Complexity as the user defined it: the sum of the costs of the operators, constants and inputs that are used. */
  complexity(genome: Genome): number;
  /** The genome as a PTX stub, which reads and writes the registers. */
  stub(genome: Genome): string;
  /** The genome as a formula with the operators of the space, if its programs are formulas. */
  formula?(genome: Genome): Formula;
}
