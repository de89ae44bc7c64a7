// Ranges of the values of registers, as far as they follow from constants: an index that was masked, shifted and added to the
// address of a variable is often known to be inside of it.
import type { Operand } from "../program/operand.js";
import { TYPES } from "../program/types.js";
import type { Step } from "./step.js";

/** Unsigned values of 32 bits, all of which are multiples of a power of two. */
export interface ValueRange {
  readonly least: number;
  readonly most: number;
  readonly multiple: number;
}

const MOST_WORD = 2 ** 32 - 1;
/** A power of two that every number counts as a multiple of that is 0. */
const LARGEST = 2 ** 31;
/** The most threads of a block on an axis. */
const MOST_THREADS = 1024;
/** The longest chain of steps that is followed. */
const MOST_DEPTH = 16;

const multipleOf = (value: number): number => (value === 0 ? LARGEST : (value & -value) >>> 0);
const exactly = (value: number): ValueRange => ({ least: value, most: value, multiple: multipleOf(value) });
const upTo = (most: number, multiple = 1): ValueRange => ({ least: 0, most, multiple });

/** A range whose bounds do not wrap around; undefined otherwise. */
const inWord = (range: ValueRange): ValueRange | undefined => (range.most <= MOST_WORD ? range : undefined);

const sum = (a: ValueRange, b: ValueRange): ValueRange | undefined =>
  inWord({
    least: a.least + b.least,
    most: a.most + b.most,
    multiple: Math.min(a.multiple, b.multiple),
  });

const product = (a: ValueRange, b: ValueRange): ValueRange | undefined =>
  inWord({
    least: a.least * b.least,
    most: a.most * b.most,
    multiple: Math.min(a.multiple * b.multiple, LARGEST),
  });

type Sources = readonly (ValueRange | undefined)[];

/** The range of a result, given those of its sources, by name. */
const RULES: Readonly<Record<string, (sources: Sources, step: Step) => ValueRange | undefined>> = {
  mov: ([a]) => a,
  and: ([a, b]) => {
    const known = [a, b].flatMap((one) => one ?? []);
    if (known.length === 0) return undefined;
    return upTo(
      Math.min(...known.map(({ most }) => most)),
      Math.max(...known.map(({ least, most, multiple }) => (least === most ? multiple : 1))),
    );
  },
  add: ([a, b]) => a && b && sum(a, b),
  mul: ([a, b], { operation: { words } }) => (words.has("lo") ? a && b && product(a, b) : undefined),
  mad: ([a, b, c], { operation: { words } }) => {
    const factor = words.has("lo") ? a && b && product(a, b) : undefined;
    return factor && c && sum(factor, c);
  },
  shl: ([a, b]) =>
    b !== undefined && b.least === b.most && b.most < 32 ? a && product(a, exactly(2 ** b.most)) : undefined,
  shr: ([a, b], { operation: { types } }) => {
    if (b === undefined || b.least !== b.most || b.most > 31 || types[0] === "s32") return undefined;
    return {
      ...upTo(Math.floor((a?.most ?? MOST_WORD) / 2 ** b.most)),
      least: Math.floor((a?.least ?? 0) / 2 ** b.most),
    };
  },
  bfe: ([, , length], { operation: { types } }) =>
    length !== undefined && length.least === length.most && length.most < 32 && types[0] === "u32"
      ? upTo(2 ** length.most - 1)
      : undefined,
  rem: ([, b], { operation: { types } }) =>
    b !== undefined && b.least === b.most && b.most > 0 && types[0] === "u32" ? upTo(b.most - 1) : undefined,
  min: ([a, b], { operation: { types } }) => {
    const most = Math.min(a?.most ?? MOST_WORD, b?.most ?? MOST_WORD);
    return types[0] === "u32" && most < MOST_WORD ? upTo(most) : undefined;
  },
};

/**
 * Returns a function that computes the range of a register; undefined if nothing is known about it.
 *
 * @param defined the steps that write each register
 * @param addressOf the address of a variable in its window; undefined when it is not known
 */
export function valueRanges(
  defined: readonly (readonly Step[])[],
  addressOf: (operand: Operand) => number | undefined,
): (register: number) => ValueRange | undefined {
  const known = new Map<number, ValueRange | undefined>();
  const ofOperand = (step: Step, operand: Operand, depth: number): ValueRange | undefined => {
    if (operand.kind === "immediate") return exactly(Number(BigInt.asUintN(32, operand.bits)));
    if (operand.kind === "special")
      return operand.name === "tid" || operand.name === "laneid" ? upTo(MOST_THREADS - 1) : undefined;
    if (operand.kind === "register" && !operand.negated)
      return of(step.context.registerBase + operand.register, depth + 1);
    const address = operand.kind === "variable" ? addressOf(operand) : undefined;
    return address === undefined ? undefined : exactly(address);
  };
  function of(register: number, depth: number): ValueRange | undefined {
    if (known.has(register) || depth > MOST_DEPTH) return known.get(register);
    // A register that is computed from itself has no range.
    known.set(register, undefined);
    const [step, second] = defined[register] ?? [];
    if (step === undefined || second !== undefined || step.source.guard !== undefined) return undefined;
    const { operation, source } = step;
    const { results, traits, operandTypes } = operation;
    if (
      results !== 1 ||
      !traits.repeatable ||
      operandTypes.some((type) => type === undefined || !isWord(type))
    )
      return undefined;
    const sources = source.operands.slice(results).map((operand) => ofOperand(step, operand, depth));
    const found = RULES[operation.name]?.(sources, step);
    known.set(register, found);
    return found;
  }
  return (register) => of(register, 0);
}

const isWord = (type: keyof typeof TYPES): boolean => {
  const { bits, class: kind, lanes } = TYPES[type];
  return bits === 32 && kind !== "float" && lanes === 1;
};
