// The symbols of an AST space in arrays, for the loops that draw, vary, check and compare programs.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { commutingOf } from "./ast-commuting.js";
import { AstWord } from "./ast-layout.js";
import type { AstOperators } from "./ast-operators.js";
import { INFIXES } from "./formula.js";

/** Enough bits for the types of instructions. */
const TYPE_BITS = 7;

/**
 * Everything that an instruction of a program can be, by number: first the operators with their numbers, then the inputs, and last a
 * number that all constants share.
 */
export class AstSymbols {
  readonly operators: AstOperators;
  readonly inputs: readonly string[];
  /** The number of the first function, of the first input, of constants, and of all symbols. */
  readonly firstFunction: number;
  readonly firstInput: number;
  readonly constant: number;
  readonly count: number;
  /** By number: the words, the number of operands, and how many of the first ones commute. */
  readonly heads: Uint32Array;
  readonly payloads: Uint32Array;
  readonly arity: Uint8Array;
  readonly commuting: Uint8Array;
  /** The operators that programs may use. */
  readonly allowed: readonly number[];
  /** 1 for each symbol that programs may use. */
  readonly isAllowed: Uint8Array;
  /** The numbers of the symbols that programs may use, by the names that users write. */
  readonly byName: ReadonlyMap<string, number>;

  /** By type: what is added to payloads, and the bits of payloads that count. */
  readonly #bases = new Int32Array(TYPE_BITS + 1);
  readonly #masks = new Int32Array(TYPE_BITS + 1);

  constructor(
    operators: AstOperators,
    inputs: readonly string[],
    allowed: readonly number[],
    constants: boolean,
  ) {
    this.operators = operators;
    this.inputs = inputs;
    this.allowed = allowed;
    this.firstFunction = operators.instructionCount;
    this.firstInput = operators.names.length;
    this.constant = this.firstInput + inputs.length;
    this.count = this.constant + 1;
    this.#masks.fill(-1);
    this.#masks[AstWord.constant] = 0;
    this.#bases[AstWord.constant] = this.constant;
    this.#bases[AstWord.input] = this.firstInput;
    this.#bases[AstWord.routine] = this.firstFunction;
    this.heads = new Uint32Array(this.count);
    this.payloads = new Uint32Array(this.count);
    this.arity = new Uint8Array(this.count);
    this.commuting = new Uint8Array(this.count);
    this.isAllowed = new Uint8Array(this.count);
    for (const number of allowed) this.isAllowed[number] = 1;
    for (let number = 0; number < this.firstInput; number++) {
      this.heads[number] = operators.heads[number]!;
      this.payloads[number] = operators.payload(number);
      this.arity[number] = operators.heads[number]! >>> AstWord.arityShift;
      this.commuting[number] = commutingOf(operators, number);
    }
    inputs.forEach((_, index) => {
      this.heads[this.firstInput + index] = AstWord.input;
      this.payloads[this.firstInput + index] = index;
      this.isAllowed[this.firstInput + index] = 1;
    });
    this.heads[this.constant] = AstWord.constant;
    this.isAllowed[this.constant] = constants ? 1 : 0;
    const byName = new Map<string, number>();
    for (let number = this.constant; number >= 0; number--) {
      if (this.isAllowed[number] === 0) continue;
      if (number < this.firstFunction) byName.set(operators.table.instructions[number]!.ptx, number);
      byName.set(this.name(number), number);
    }
    for (const { symbol, name } of INFIXES) if (byName.has(name)) byName.set(symbol, byName.get(name)!);
    this.byName = byName;
  }

  /** The number of a name of the space. @throws SearchError INVALID_ARGUMENT */
  numberOfName(name: string, option: string): number {
    const number = this.byName.get(name);
    if (number !== undefined) return number;
    const found = `${quoted(name)}${didYouMean(name, this.byName.keys())}`;
    throw new SearchError(
      "INVALID_ARGUMENT",
      `option \`${option}\`: expected names of this space, found ${found}`,
    );
  }

  /** The name of a symbol as users write it. */
  name(number: number): string {
    if (number < this.firstInput) return this.operators.names[number]!;
    return this.inputs[number - this.firstInput] ?? "constant";
  }

  /** The number of an instruction's symbol. Words that are no instruction have undefined results. */
  numberOf(head: number, payload: number): number {
    const type = head & TYPE_BITS;
    return (payload & this.#masks[type]!) + this.#bases[type]!;
  }
}
