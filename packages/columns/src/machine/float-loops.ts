// Loops for the f32 instructions that most programs consist of. Each operation has a loop of its own, because engines optimize a loop
// for the functions that it has called, and a common loop would have called all of them.
import {
  approximateQuotient,
  cosine,
  exp2,
  greater,
  LEAST_NORMAL_32,
  lesser,
  log2,
  multiplyAdd,
  NAN_32,
  sine,
  tanh,
} from "@mm-ptx/types/internal/floats";
import type { Mnemonic } from "../arithmetic/operation.js";
import type { ColumnLoop } from "./javascript-loops.js";
import type { JavaScriptLanes } from "./lanes.js";

/**
 * Computes `rows` floats at index `to` from those at the other indices. Results smaller than `least` become zeros; the operands of
 * an instruction that flushes must not be subnormal.
 */
type FloatLoop = (
  lanes: JavaScriptLanes,
  least: number,
  rows: number,
  to: number,
  a: number,
  b: number,
  c: number,
) => void;

/** Instructions that have no `.ftz`. */
const UNFLUSHED = new Set(["tanh", "copysign"]);

/**
 * The loop of an f32 instruction that rounds to nearest, or `undefined` if it has none. If the instruction flushes, its operands must
 * not be subnormal.
 */
export function floatLoop({ name, words, types }: Mnemonic, operands: number): ColumnLoop | undefined {
  if (types.length !== 1 || types[0] !== "f32") return undefined;
  if (words.has("ftz") && UNFLUSHED.has(name)) return undefined;
  const form = operands === 3 && (name === "min" || name === "max") ? `${name}3` : name;
  const modifiers = [...words].filter((word) => word !== "ftz");
  const loop = LOOPS[[form, ...modifiers].join(".")];
  if (loop === undefined) return undefined;
  const least = words.has("ftz") ? LEAST_NORMAL_32 : 0;
  return (lanes, target, a, b, c, _d, rows) =>
    loop(lanes, least, rows, target >>> 2, a >>> 2, b >>> 2, c >>> 2);
}

/** Gives the NaNs of a column the encoding of the only NaN that arithmetic produces. */
function canonicalize(words: Uint32Array, to: number, rows: number): void {
  for (let at = to; at < to + rows; at++) if ((words[at]! & 0x7fffffff) > 0x7f800000) words[at] = NAN_32;
}

/** Flushes the subnormals of a column. */
export const flushLoop: ColumnLoop = ({ floats, words }, target, a, _b, _c, _d, rows) => {
  const to = target >>> 2;
  const from = a >>> 2;
  for (let row = 0; row < rows; row++) {
    const value = floats[from + row]!;
    const isSmall = value < LEAST_NORMAL_32 && value > -LEAST_NORMAL_32;
    words[to + row] = isSmall ? words[from + row]! & 0x80000000 : words[from + row]!;
  }
};

const add: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(floats[i++]! + floats[j++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const sub: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(floats[i++]! - floats[j++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const mul: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(floats[i++]! * floats[j++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const fma: FloatLoop = (lanes, least, rows, to, a, b, c) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b, k = c; at < to + rows; at++) {
    const result = Math.fround(multiplyAdd(floats[i++]!, floats[j++]!, floats[k++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const div: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(floats[i++]! / floats[j++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const divApproximately: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(approximateQuotient(floats[i++]!, floats[j++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const min: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(lesser(floats[i++]!, floats[j++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const max: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    const result = Math.fround(greater(floats[i++]!, floats[j++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const abs: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(Math.abs(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const neg: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(-floats[i++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

/** Works on words, because the sign of a NaN counts. */
const copysign: FloatLoop = ({ words }, _least, rows, to, a, b) => {
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    words[at] = (words[i++]! & 0x80000000) | (words[j++]! & 0x7fffffff);
  }
};

const rcp: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(1 / floats[i++]!);
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const sqrt: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(Math.sqrt(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const rsqrt: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(1 / Math.sqrt(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const sin: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(sine(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const cos: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(cosine(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const lg2: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(log2(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const ex2: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(exp2(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

const tanhApproximately: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  let nan = false;
  for (let at = to, i = a; at < to + rows; at++) {
    const result = Math.fround(tanh(floats[i++]!));
    if (Number.isNaN(result)) nan = true;
    floats[at] = result < least && result > -least ? result * 0 : result;
  }
  if (nan) canonicalize(words, to, rows);
};

/** The loops by mnemonic, without `.ftz` and the type. */
const LOOPS: Readonly<Record<string, FloatLoop>> = {
  copysign,
  add,
  "add.rn": add,
  sub,
  "sub.rn": sub,
  mul,
  "mul.rn": mul,
  "fma.rn": fma,
  "mad.rn": fma,
  "div.rn": div,
  "div.full": div,
  "div.approx": divApproximately,
  min,
  max,
  abs,
  neg,
  "rcp.rn": rcp,
  "rcp.approx": rcp,
  "sqrt.rn": sqrt,
  "sqrt.approx": sqrt,
  "rsqrt.approx": rsqrt,
  "sin.approx": sin,
  "cos.approx": cos,
  "lg2.approx": lg2,
  "ex2.approx": ex2,
  "tanh.approx": tanhApproximately,
};
