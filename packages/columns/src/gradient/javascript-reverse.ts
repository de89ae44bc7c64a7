// Derivatives of operations in JavaScript, on a block of rows: what assembly/gradient-plan.ts and assembly/gradient-kernels.ts compute,
// with the same bits.
import { cosine, LEAST_NORMAL_32, sine } from "@mm-ptx/types/internal/floats";
import { Rule } from "./layout.js";

/** A value of a block: the same rows as f32 and as bits. */
export interface BlockValue {
  readonly floats: Float32Array;
  readonly words: Uint32Array;
}

/** Adds a derivative to that with respect to an operand: one number for each row. */
export type AddTerm = (operand: number, term: (row: number) => number) => void;

const round = Math.fround;
const LN_2 = round(Math.LN2);
const LOG2_E = round(Math.LOG2E);

/** The factor of a derivative that is zero does not matter, even if it is infinite: the branch was not taken. */
const guarded = (g: number, result: number): number => (g === 0 ? 0 : round(result));

/** The operands whose derivatives matter. */
export function operandsOfRule(rule: Rule, operands: number): readonly number[] {
  if (rule === Rule.none || rule === Rule.constant) return [];
  if (rule === Rule.copysign) return [1];
  if (rule >= Rule.select) return [0, 1];
  return Array.from({ length: operands }, (_, operand) => operand);
}

/**
 * Adds the derivatives with respect to the operands of an operation.
 * @param g the derivative with respect to its result
 * @param y its result
 * @param operands its operands
 */
export function addTerms(
  rule: Rule,
  g: Float32Array,
  y: Float32Array,
  operands: readonly BlockValue[],
  add: AddTerm,
): void {
  const [first, second, third] = operands;
  const a = first!.floats;
  const b = second?.floats ?? a;
  switch (rule) {
    case Rule.identity:
      add(0, (row) => g[row]!);
      return;
    case Rule.neg:
      add(0, (row) => -g[row]!);
      return;
    case Rule.add:
    case Rule.sub:
      add(0, (row) => g[row]!);
      add(1, rule === Rule.add ? (row) => g[row]! : (row) => -g[row]!);
      return;
    case Rule.mul:
    case Rule.fma:
      add(0, (row) => guarded(g[row]!, g[row]! * b[row]!));
      add(1, (row) => guarded(g[row]!, g[row]! * a[row]!));
      if (rule === Rule.fma) add(2, (row) => g[row]!);
      return;
    case Rule.div: {
      const quotient = (row: number): number => guarded(g[row]!, g[row]! / b[row]!);
      add(0, quotient);
      add(1, (row) => -guarded(quotient(row), quotient(row) * y[row]!));
      return;
    }
    case Rule.abs:
      add(0, (row) => (isNegative(first!, row) ? -g[row]! : g[row]!));
      return;
    case Rule.extremum:
      add(0, (row) => (y[row] === a[row] ? g[row]! : 0));
      add(1, (row) => (y[row] === a[row] ? 0 : g[row]!));
      return;
    case Rule.copysign:
      add(1, (row) => (isNegative(first!, row) === isNegative(second!, row) ? g[row]! : -g[row]!));
      return;
    case Rule.select:
    case Rule.selectByInteger:
    case Rule.selectBySign:
    case Rule.selectByFlushedSign: {
      const isFirst = chooser(rule, third!);
      add(0, (row) => (isFirst(row) ? g[row]! : 0));
      add(1, (row) => (isFirst(row) ? 0 : g[row]!));
      return;
    }
    default:
      add(0, slopeOf(rule, g, y, a));
  }
}

const isNegative = ({ words }: BlockValue, row: number): boolean => words[row]! >>> 31 === 1;

function chooser(rule: Rule, { words, floats }: BlockValue): (row: number) => boolean {
  if (rule === Rule.select) return (row) => words[row] !== 0;
  if (rule === Rule.selectByInteger) return (row) => words[row]! >>> 31 === 0;
  const least = rule === Rule.selectByFlushedSign ? LEAST_NORMAL_32 : 0;
  return (row) => floats[row]! >= 0 || Math.abs(floats[row]!) < least;
}

/** The derivative with respect to the only operand of a smooth function. */
function slopeOf(rule: Rule, g: Float32Array, y: Float32Array, a: Float32Array): (row: number) => number {
  switch (rule) {
    case Rule.rcp:
      return (row) => -guarded(g[row]!, round(g[row]! * y[row]!) * y[row]!);
    case Rule.sqrt:
      return (row) => guarded(g[row]!, round(g[row]! * 0.5) / y[row]!);
    case Rule.rsqrt:
      return (row) => -guarded(g[row]!, round(round(g[row]! * 0.5) * y[row]!) / a[row]!);
    case Rule.sin:
      return (row) => guarded(g[row]!, g[row]! * round(cosine(a[row]!)));
    case Rule.cos:
      return (row) => -guarded(g[row]!, g[row]! * round(sine(a[row]!)));
    case Rule.lg2:
      return (row) => guarded(g[row]!, round(g[row]! / a[row]!) * LOG2_E);
    case Rule.ex2:
      return (row) => guarded(g[row]!, round(g[row]! * y[row]!) * LN_2);
    default:
      return (row) => guarded(g[row]!, g[row]! * round(round(1 - y[row]!) * round(1 + y[row]!)));
  }
}
