// Checks the units of AST programs, in one pass over their words.
import { type OperationParts, operationParts } from "@mm-ptx/types/code";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import { CONSTANT } from "./ast-template.js";
import type { Dimension, Units } from "./units.js";

/** What an operation does with units. */
const enum Rule {
  /** All operands have the same unit, which is that of the result: sums, minimum and maximum. */
  same,
  product,
  quotient,
  /** A product, and a third operand with the same unit. */
  productAndSum,
  reciprocal,
  root,
  reciprocalRoot,
  /** The unit of the last operand. */
  last,
  /** Operands and result have no unit. */
  none,
}

const RULES: Readonly<Record<string, Rule>> = {
  add: Rule.same,
  sub: Rule.same,
  min: Rule.same,
  max: Rule.same,
  min3: Rule.same,
  max3: Rule.same,
  neg: Rule.same,
  abs: Rule.same,
  mov: Rule.same,
  mul: Rule.product,
  div: Rule.quotient,
  fma: Rule.productAndSum,
  mad: Rule.productAndSum,
  rcp: Rule.reciprocal,
  sqrt: Rule.root,
  rsqrt: Rule.reciprocalRoot,
  copysign: Rule.last,
};

const ruleOf = ({ name }: OperationParts): Rule => RULES[name] ?? Rule.none;

/** Exponents such as a third are not exact. */
const TOLERANCE = 1e-9;
/** The bits of a zero without its sign, which is a zero of any unit. */
const SIZE_BITS = 0x7fffffff;

export class AstUnits {
  readonly #symbols: AstSymbols;
  /** The number of base units. */
  readonly #count: number;
  /** The exponents of each input, and those of the result, if they are given. */
  readonly #inputs: Float64Array;
  readonly #result: Float64Array | undefined;
  readonly #anyConstants: boolean;
  /** The rule of each instruction of the table, and of each item of the functions, in order. */
  readonly #rules: Uint8Array;
  readonly #functionRules: readonly Uint8Array[];
  /** The values: first the stack, then those of a function. A value is known, or of any unit. */
  readonly #exponents: Float64Array;
  readonly #isKnown: Uint8Array;
  /** The first value of functions. */
  readonly #base: number;
  readonly #operands: Int32Array;
  readonly #sum: Float64Array;

  constructor(symbols: AstSymbols, { inputs, result, constants = "any" }: Units, maxLength: number) {
    const { functions, operations } = symbols.operators;
    const dimensions = symbols.inputs.map((name) => inputs[name] ?? {});
    const bases = [...new Set([...dimensions, result ?? {}].flatMap((dimension) => Object.keys(dimension)))];
    const exponentsOf = (dimension: Dimension): number[] => bases.map((base) => dimension[base] ?? 0);
    this.#symbols = symbols;
    this.#count = bases.length;
    this.#inputs = Float64Array.from(dimensions.flatMap(exponentsOf));
    this.#result = result && Float64Array.from(exponentsOf(result));
    this.#anyConstants = constants === "any";
    this.#rules = Uint8Array.from(operations, (operation) => ruleOf(operationParts(operation)));
    this.#functionRules = functions.map(({ template: { items } }) => {
      const rules: number[] = [];
      for (let at = 0; at < items.length; at += 2 + Math.max(1, items[at + 1]!))
        rules.push(items[at] === CONSTANT ? Rule.none : ruleOf(operationParts(items[at]! >>> 0)));
      return Uint8Array.from(rules);
    });
    this.#base = maxLength + 1;
    const values = this.#base + functions.reduce((most, { template }) => Math.max(most, template.count), 0);
    this.#exponents = new Float64Array(values * this.#count);
    this.#isKnown = new Uint8Array(values);
    this.#operands = new Int32Array(symbols.arity.reduce((most, arity) => Math.max(most, arity), 4));
    this.#sum = new Float64Array(this.#count);
  }

  /** Whether the units of a program are correct, and those of its result are the ones that are asked for. */
  fits(words: Uint32Array, start: number, end: number): boolean {
    const result = this.#result;
    if (!this.isCorrect(words, start, end)) return false;
    if (result === undefined || this.#isKnown[0] === 0) return true;
    for (let base = 0; base < this.#count; base++)
      if (Math.abs(this.#exponents[base]! - result[base]!) > TOLERANCE) return false;
    return true;
  }

  /** A text for the unit of the program that was checked last. */
  get unit(): string {
    if (this.#isKnown[0] === 0) return "any";
    return Array.from(this.#exponents.subarray(0, this.#count), (exponent) => exponent.toFixed(6)).join(" ");
  }

  /** Whether the units of a program are correct, whatever the result has. */
  isCorrect(words: Uint32Array, start: number, end: number): boolean {
    const operands = this.#operands;
    let size = 0;
    for (let at = start; at < end; at += AstWord.perInstruction) {
      const head = words[at]!;
      const payload = words[at + 1]!;
      const type = head & AstWord.typeMask;
      const first = size - (head >>> AstWord.arityShift);
      if (type === AstWord.input) this.#setInput(first, payload);
      else if (type === AstWord.constant) this.#setConstant(first, this.#anyConstants);
      else if (type === AstWord.instruction) {
        for (let operand = first; operand < size; operand++) operands[operand - first] = operand;
        if (!this.#apply(this.#rules[payload]!, size - first, first)) return false;
      } else if (!this.#call(payload, first)) return false;
      size = first + 1;
    }
    return true;
  }

  #setInput(value: number, input: number): void {
    const count = this.#count;
    for (let base = 0; base < count; base++)
      this.#exponents[value * count + base] = this.#inputs[input * count + base]!;
    this.#isKnown[value] = 1;
  }

  #setConstant(value: number, isAny: boolean): void {
    this.#exponents.fill(0, value * this.#count, (value + 1) * this.#count);
    this.#isKnown[value] = isAny ? 0 : 1;
  }

  /** Applies a function to the values from `first` on. */
  #call(number: number, first: number): boolean {
    const { items, result } = this.#symbols.operators.functions[number]!.template;
    const rules = this.#functionRules[number]!;
    const operands = this.#operands;
    let value = this.#base;
    for (let at = 0, item = 0; at < items.length; item++, value++) {
      const count = items[at + 1]!;
      if (items[at] === CONSTANT) {
        this.#setConstant(value, (items[at + 2]! & SIZE_BITS) === 0);
        at += 3;
        continue;
      }
      for (let operand = 0; operand < count; operand++)
        operands[operand] = this.#valueOf(items[at + 2 + operand]!, first);
      at += 2 + count;
      if (!this.#apply(rules[item]!, count, value)) return false;
    }
    const from = this.#valueOf(result, first);
    const count = this.#count;
    this.#exponents.copyWithin(first * count, from * count, (from + 1) * count);
    this.#isKnown[first] = this.#isKnown[from]!;
    return true;
  }

  #valueOf(value: number, first: number): number {
    return value < 0 ? first - 1 - value : this.#base + value;
  }

  /** Writes the unit of a result, or returns false if the operands have wrong ones. */
  #apply(rule: Rule, count: number, to: number): boolean {
    const sum = this.#sum;
    const a = this.#operands[0]!;
    const b = this.#operands[1]!;
    const c = this.#operands[2]!;
    const isKnown = this.#isKnown;
    let known = 1;
    sum.fill(0);
    switch (rule) {
      case Rule.none:
        for (let operand = 0; operand < count; operand++)
          if (isKnown[this.#operands[operand]!] === 1 && !this.#equals(this.#operands[operand]!))
            return false;
        break;
      case Rule.same:
        known = 0;
        for (let operand = 0; operand < count; operand++) {
          const value = this.#operands[operand]!;
          if (isKnown[value] === 0) continue;
          if (known === 1 && !this.#equals(value)) return false;
          if (known === 0) this.#add(value, 1);
          known = 1;
        }
        break;
      case Rule.product:
      case Rule.quotient:
        known = isKnown[a]! & isKnown[b]!;
        this.#add(a, 1);
        this.#add(b, rule === Rule.product ? 1 : -1);
        break;
      case Rule.productAndSum:
        known = isKnown[a]! & isKnown[b]!;
        this.#add(a, 1);
        this.#add(b, 1);
        if (isKnown[c] === 0) break;
        if (known === 1 && !this.#equals(c)) return false;
        if (known === 0) {
          sum.fill(0);
          this.#add(c, 1);
        }
        known = 1;
        break;
      case Rule.reciprocal:
        known = isKnown[a]!;
        this.#add(a, -1);
        break;
      case Rule.root:
      case Rule.reciprocalRoot:
        known = isKnown[a]!;
        this.#add(a, rule === Rule.root ? 0.5 : -0.5);
        break;
      case Rule.last: {
        const last = this.#operands[count - 1]!;
        known = isKnown[last]!;
        this.#add(last, 1);
      }
    }
    this.#exponents.set(sum, to * this.#count);
    isKnown[to] = known;
    return true;
  }

  #add(value: number, factor: number): void {
    const from = value * this.#count;
    for (let base = 0; base < this.#count; base++) this.#sum[base]! += factor * this.#exponents[from + base]!;
  }

  /** Whether a value has the unit of the sum. */
  #equals(value: number): boolean {
    const from = value * this.#count;
    for (let base = 0; base < this.#count; base++)
      if (Math.abs(this.#sum[base]! - this.#exponents[from + base]!) > TOLERANCE) return false;
    return true;
  }
}
