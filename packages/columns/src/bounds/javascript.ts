// Disturbed instructions on columns in JavaScript.
import { encodeOperation, operandsOf, operationText } from "@mm-ptx/types/code";
import { LEAST_NORMAL_32, NAN_32 } from "@mm-ptx/types/internal/floats";
import { BF16, decode, encode, F16, type FloatFormat, roundTo } from "../arithmetic/formats.js";
import { type Mnemonic, readMnemonic } from "../arithmetic/operation.js";
import { type ColumnKernel, javaScriptKernel } from "../machine/javascript.js";
import type { ColumnLoop } from "../machine/javascript-loops.js";
import type { PlannedKernel } from "../machine/javascript-planner.js";
import { Disturbance, disturbed, type ResultFormat } from "./disturb.js";
import { GREATEST, LEAST_NORMAL } from "./limits.js";
import { type Bounded, DOUBLE_BOUNDS, FLOAT_BOUNDS, HALF_BOUNDS } from "./table.js";

const F32: ResultFormat = { round: Math.fround, leastNormal: LEAST_NORMAL, greatest: GREATEST };

const resultFormat = (format: FloatFormat): ResultFormat => ({
  round: (x) => roundTo(format, x, 0, "rn"),
  leastNormal: 2 ** format.leastExponent,
  greatest: format.greatest,
});

/** Whether the manual lists the result for an operand: zeros and infinities. */
const isListed = (x: number): boolean => x === 0 || Math.abs(x) === Number.POSITIVE_INFINITY;

/** The instruction of an operation, or `undefined` if PTX has none. */
function mnemonicOf(word: number): Mnemonic | undefined {
  const text = operationText(word);
  return encodeOperation(text, operandsOf(word)) === word ? readMnemonic(text) : undefined;
}

/** The mnemonic of an instruction without its type, with or without `.ftz`. */
const textOf = ({ name, words }: Mnemonic, withFlush: boolean): string =>
  [name, ...[...words].filter((word) => withFlush || word !== "ftz")].join(".");

/** The bounds of an f32 instruction, if it is approximate. */
export function floatBounds(word: number): { bounded: Bounded; flushes: boolean } | undefined {
  const mnemonic = mnemonicOf(word);
  if (mnemonic?.types.join() !== "f32") return undefined;
  const bounded = FLOAT_BOUNDS[textOf(mnemonic, false)];
  const flushes = mnemonic.words.has("ftz");
  const exists = bounded?.operands === operandsOf(word) && !(flushes && mnemonic.name === "tanh");
  return bounded !== undefined && exists ? { bounded, flushes } : undefined;
}

/**
 * The kernel of an approximate instruction, or `undefined` for one that is not.
 * @param seed is called for each block of rows
 */
export function disturbedKernel(word: number, seed: () => number): PlannedKernel | undefined {
  const float = floatBounds(word);
  if (float !== undefined) {
    const { bounded, flushes } = float;
    const args = Array.from({ length: bounded.operands }, () => "32" as const);
    return { args, result: "32", run: floatLoop(bounded, flushes, seed), flushes };
  }
  const kernel = otherKernel(word, seed);
  return kernel === undefined ? undefined : { ...kernel, flushes: false };
}

/** The kernel of an approximate instruction of another type than f32. */
function otherKernel(word: number, seed: () => number): ColumnKernel | undefined {
  const mnemonic = mnemonicOf(word);
  const nearest = mnemonic === undefined ? undefined : javaScriptKernel(word);
  if (mnemonic === undefined || nearest === undefined || mnemonic.types.length !== 1) return undefined;
  const [type = ""] = mnemonic.types;
  const half = HALF_BOUNDS[`${textOf(mnemonic, false)}.${type.replace("x2", "")}`];
  if (half !== undefined) return { ...nearest, run: halfLoop(half, mnemonic, type, seed) };
  const double = DOUBLE_BOUNDS[`${textOf(mnemonic, true)}.${type}`];
  return double === undefined ? undefined : { ...nearest, run: doubleLoop(double, nearest.run, seed) };
}

function floatLoop(
  { operation, operands, exact, bound, most, symmetric }: Bounded,
  flushes: boolean,
  seed: () => number,
): ColumnLoop {
  const least = flushes ? LEAST_NORMAL_32 : 0;
  const mask = symmetric ? 0x7fffffff : 0xffffffff;
  return ({ words, floats }, target, a, b, _c, _d, rows) => {
    const disturbance = new Disturbance(seed(), operation);
    const end = (target >>> 2) + rows;
    for (let at = target >>> 2, i = a >>> 2, j = operands === 2 ? b >>> 2 : i; at < end; at++, i++, j++) {
      const x = floats[i]!;
      const value = exact(x, floats[j]!);
      const part = disturbance.part(words[i]! & mask, operands === 2 ? words[j]! & mask : 0);
      const error = isListed(x) ? 0 : bound(Math.abs(value), x);
      const result = disturbed(value, error, part, most, F32);
      if (Number.isNaN(result)) words[at] = NAN_32;
      else floats[at] = result < least && result > -least ? result * 0 : result;
    }
  };
}

function halfLoop(
  { operation, exact, bound, most, symmetric }: Bounded,
  mnemonic: Mnemonic,
  type: string,
  seed: () => number,
): ColumnLoop {
  const format = type.startsWith("b") ? BF16 : F16;
  const result = resultFormat(format);
  const isPair = type.endsWith("x2");
  const least = mnemonic.words.has("ftz") ? result.leastNormal : 0;
  const flush = (x: number): number => (x < least && x > -least ? x * 0 : x);
  return ({ words }, target, a, _b, _c, _d, rows) => {
    const disturbance = new Disturbance(seed(), operation);
    const compute = (bits: number): number => {
      const x = flush(decode(format, bits));
      const value = exact(x, 0);
      const part = disturbance.part(symmetric ? bits & 0x7fff : bits);
      const error = isListed(x) ? 0 : bound(Math.abs(value), x);
      return encode(format, flush(disturbed(value, error, part, most, result)));
    };
    for (let at = target >>> 2, i = a >>> 2; at < (target >>> 2) + rows; at++, i++) {
      const bits = words[i]!;
      words[at] = compute(bits & 0xffff) | (isPair ? compute(bits >>> 16) << 16 : 0);
    }
  };
}

const ONE_UPPER = 1n << 32n;
/** Finite normal numbers, without their sign. */
const FIRST_NORMAL = 1n << 52n;
const FIRST_INFINITE = 0x7ffn << 52n;
const SIZE = (1n << 63n) - 1n;

function doubleLoop(
  { operation, upper }: (typeof DOUBLE_BOUNDS)[string],
  nearest: ColumnLoop,
  seed: () => number,
): ColumnLoop {
  const unit = upper ? ONE_UPPER : 1n;
  return (lanes, target, a, b, c, d, rows) => {
    const disturbance = new Disturbance(seed(), operation);
    const { words, longs } = lanes;
    const parts = Float64Array.from({ length: rows }, (_, row) => {
      const at = (a >>> 2) + 2 * row;
      return disturbance.part(words[at + 1]! & 0x7fffffff, upper ? 0 : words[at]!);
    });
    nearest(lanes, target, a, b, c, d, rows);
    for (let row = 0; row < rows; row++) {
      const part = parts[row]!;
      const steps = part < -1 / 3 ? -1n : part > 1 / 3 ? 1n : 0n;
      const at = (target >>> 3) + row;
      const bits = longs[at]!;
      const moved = (bits & SIZE) + steps * unit;
      const isNormal = (bits & SIZE) >= FIRST_NORMAL && (bits & SIZE) < FIRST_INFINITE;
      if (isNormal && moved >= FIRST_NORMAL && moved < FIRST_INFINITE) longs[at] = (bits & ~SIZE) | moved;
    }
  };
}
