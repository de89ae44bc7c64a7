// Checks programs against constraints, in one pass over their words.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { Nesting } from "../variation/ast/sampler.js";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import { AstUnits } from "./ast-units.js";
import type { Constraints } from "./constraints.js";

const NESTING_BITS = 32;

/** What is wrong with a program. */
export type ConstraintProblem = "complexity" | "depth" | "nesting" | "operandSizes" | "units" | "uses";

export class AstConstraints {
  readonly costs: Float64Array;
  readonly #symbols: AstSymbols;
  readonly #maxDepth: number;
  readonly #maxComplexity: number;
  /**
   * Nesting limits are fields of a word with one more bit than `most`: as many of the low bits are set as operators are nested. For each
   * symbol: the bits that move up by one, those that are set, and those that must not be set in its operands.
   */
  readonly #moved: Uint32Array;
  readonly #set: Uint32Array;
  readonly #forbidden: Uint32Array;
  /** The most instructions of each operand, from the index `#sizesAt` of a symbol on, which is -1 for symbols without limits. */
  readonly #sizes: number[] = [];
  readonly #sizesAt: Int32Array;
  readonly #maxUses: Float64Array;
  readonly #uses: Uint16Array;
  readonly #counted: number[] = [];
  readonly #hasSizes: boolean;
  readonly #units: AstUnits | undefined;
  /** Whether there are no constraints. */
  readonly #isFree: boolean;
  readonly #depths: Int32Array;
  readonly #masks: Uint32Array;
  readonly #starts: Int32Array;

  /** @throws SearchError INVALID_ARGUMENT for names that the space does not have */
  constructor(symbols: AstSymbols, constraints: Constraints, maxLength: number) {
    const {
      maxDepth,
      maxComplexity,
      costs = {},
      nesting = [],
      operandSizes = {},
      maxUses = {},
      units,
    } = constraints;
    const { count } = symbols;
    this.#symbols = symbols;
    this.#maxDepth = maxDepth ?? Number.POSITIVE_INFINITY;
    this.#maxComplexity = maxComplexity ?? Number.POSITIVE_INFINITY;
    const numberOf = (name: string, option: string): number =>
      symbols.numberOfName(name, `constraints.${option}`);
    this.costs = new Float64Array(count).fill(1);
    for (const [name, cost] of Object.entries(costs)) this.costs[numberOf(name, "costs")] = cost;
    this.#moved = new Uint32Array(count);
    this.#set = new Uint32Array(count);
    this.#forbidden = new Uint32Array(count);
    let bit = 0;
    for (const { outer, inner, most = 0 } of nesting) {
      if (bit + most + 1 > NESTING_BITS)
        throw wrong(
          `option \`constraints.nesting\`: expected at most ${NESTING_BITS} as the sum of all \`most\` and 1 each, found more`,
        );
      for (const name of inner) {
        const number = numberOf(name, "nesting");
        this.#set[number]! |= 1 << bit;
        for (let level = 0; level < most; level++) this.#moved[number]! |= 1 << (bit + level);
      }
      for (const name of outer) this.#forbidden[numberOf(name, "nesting")]! |= 1 << (bit + most);
      bit += most + 1;
    }
    this.#sizesAt = new Int32Array(count).fill(-1);
    for (const [name, sizes] of Object.entries(operandSizes)) {
      const number = numberOf(name, "operandSizes");
      if (sizes.length !== symbols.arity[number])
        throw wrong(
          `option \`constraints.operandSizes.${name}\`: expected ${symbols.arity[number]} sizes, found ${sizes.length}`,
        );
      this.#sizesAt[number] = this.#sizes.length;
      this.#sizes.push(...sizes.map((size) => size ?? Number.POSITIVE_INFINITY));
    }
    this.#hasSizes = this.#sizes.length > 0;
    this.#maxUses = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    for (const [name, uses] of Object.entries(maxUses)) {
      const number = numberOf(name, "maxUses");
      this.#maxUses[number] = uses;
      this.#counted.push(number);
    }
    this.#uses = new Uint16Array(count);
    const unknown = Object.keys(units?.inputs ?? {}).find((name) => !symbols.inputs.includes(name));
    if (unknown !== undefined)
      throw wrong(
        `option \`constraints.units.inputs\`: expected names of inputs, found ${quoted(unknown)}${didYouMean(unknown, symbols.inputs)}`,
      );
    this.#units = units && new AstUnits(symbols, units, maxLength);
    this.#isFree =
      units === undefined &&
      maxDepth === undefined &&
      maxComplexity === undefined &&
      bit === 0 &&
      !this.#hasSizes &&
      this.#counted.length === 0;
    this.#depths = new Int32Array(maxLength + 1);
    this.#masks = new Uint32Array(maxLength + 1);
    this.#starts = new Int32Array(maxLength + 1);
  }

  /** What must not be nested at all; other limits of nesting are checked. */
  get nesting(): Nesting {
    return { set: this.#set, forbidden: this.#forbidden };
  }

  /** The units of programs. Few random programs have correct ones. */
  get units(): AstUnits | undefined {
    return this.#units;
  }

  /** What is wrong with the program from `start` up to `end`, which has at most `maxLength` instructions, or undefined. */
  problem(words: Uint32Array, start: number, end: number): ConstraintProblem | undefined {
    if (this.#isFree) return undefined;
    const problem = this.partProblem(words, start, end);
    if (problem !== undefined) return problem;
    return this.#units?.fits(words, start, end) === false ? "units" : undefined;
  }

  /** What is wrong with a program that is part of another one, apart from its units. */
  partProblem(words: Uint32Array, start: number, end: number): ConstraintProblem | undefined {
    const symbols = this.#symbols;
    const costs = this.costs;
    const depths = this.#depths;
    const masks = this.#masks;
    const moved = this.#moved;
    const set = this.#set;
    const forbidden = this.#forbidden;
    const maxDepth = this.#maxDepth;
    const hasSizes = this.#hasSizes;
    const isCounted = this.#counted.length > 0;
    if (isCounted) this.#resetUses();
    let cost = 0;
    let size = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const number = symbols.numberOf(head, words[at + 1]!);
      cost += costs[number]!;
      if (isCounted && !this.#mayUse(number)) return "uses";
      let depth = -1;
      let mask = 0;
      const first = size - (head >>> AstWord.arityShift);
      for (let operand = first; operand < size; operand++) {
        depth = Math.max(depth, depths[operand]!);
        mask |= masks[operand]!;
      }
      if ((mask & forbidden[number]!) !== 0) return "nesting";
      if (hasSizes && !this.#fits(number, first, size, at)) return "operandSizes";
      if (++depth > maxDepth) return "depth";
      depths[first] = depth;
      masks[first] = mask | ((mask & moved[number]!) << 1) | set[number]!;
      size = first + 1;
    }
    return cost > this.#maxComplexity ? "complexity" : undefined;
  }

  #resetUses(): void {
    for (let index = 0; index < this.#counted.length; index++) this.#uses[this.#counted[index]!] = 0;
  }

  /** Counts a use. */
  #mayUse(number: number): boolean {
    return ++this.#uses[number]! <= this.#maxUses[number]!;
  }

  /** Whether the operands of the symbol at word `at`, which are the values from `first` up to `size`, are short enough. */
  #fits(number: number, first: number, size: number, at: number): boolean {
    const starts = this.#starts;
    if (first === size) {
      starts[first] = at;
      return true;
    }
    const sizesAt = this.#sizesAt[number]!;
    if (sizesAt < 0) return true;
    for (let operand = first; operand < size; operand++) {
      const end = operand + 1 < size ? starts[operand + 1]! : at;
      const length = (end - starts[operand]!) / AstWord.perInstruction;
      if (length > this.#sizes[sizesAt + operand - first]!) return false;
    }
    return true;
  }
}

const wrong = (message: string): SearchError => new SearchError("INVALID_ARGUMENT", message);
