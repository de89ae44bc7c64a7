// Loops for the f32 instructions that most programs consist of. Each operation has a loop of its own, because engines optimize a loop
// for the functions that it has called, and a common loop would have called all of them.
import {
  approximateQuotient,
  cosine,
  exp2,
  flushBelow,
  greater,
  LEAST_NORMAL_32,
  lesser,
  log2,
  multiplyAdd,
  NAN_32,
  sine,
  tanh,
} from "@mm-ptx/types/internal";
import type { Mnemonic } from "../arithmetic/operation.js";
import type { ColumnLoop } from "./javascript-loops.js";
import type { JavaScriptLanes } from "./lanes.js";

/**
 * Computes `rows` floats at index `to` from those at the other indices. Subnormal operands and results, which are smaller than
 * `least`, become zeros.
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

/** The loop of an f32 instruction that rounds to nearest, or `undefined` if it has none. */
export function floatLoop({ name, words, types }: Mnemonic, operands: number): ColumnLoop | undefined {
  if (types.length !== 1 || types[0] !== "f32") return undefined;
  const form = operands === 3 && (name === "min" || name === "max") ? `${name}3` : name;
  const modifiers = [...words].filter((word) => word !== "ftz");
  const loop = LOOPS[[form, ...modifiers].join(".")];
  if (loop === undefined) return undefined;
  const least = words.has("ftz") ? LEAST_NORMAL_32 : 0;
  return (lanes, target, a, b, c, _d, rows) =>
    loop(lanes, least, rows, target >>> 2, a >>> 2, b >>> 2, c >>> 2);
}

/** Rounds a result and writes it, with the only NaN that arithmetic produces. */
function put(words: Uint32Array, floats: Float32Array, at: number, value: number, least: number): void {
  const rounded = flushBelow(Math.fround(value), least);
  floats[at] = rounded;
  if (Number.isNaN(rounded)) words[at] = NAN_32;
}

const add: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, flushBelow(floats[i++]!, least) + flushBelow(floats[j++]!, least), least);
  }
};

const sub: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, flushBelow(floats[i++]!, least) - flushBelow(floats[j++]!, least), least);
  }
};

const mul: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, flushBelow(floats[i++]!, least) * flushBelow(floats[j++]!, least), least);
  }
};

const fma: FloatLoop = (lanes, least, rows, to, a, b, c) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b, k = c; at < to + rows; at++) {
    put(
      words,
      floats,
      at,
      multiplyAdd(
        flushBelow(floats[i++]!, least),
        flushBelow(floats[j++]!, least),
        flushBelow(floats[k++]!, least),
      ),
      least,
    );
  }
};

const div: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, flushBelow(floats[i++]!, least) / flushBelow(floats[j++]!, least), least);
  }
};

const divApproximately: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(
      words,
      floats,
      at,
      approximateQuotient(flushBelow(floats[i++]!, least), flushBelow(floats[j++]!, least)),
      least,
    );
  }
};

const min: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, lesser(flushBelow(floats[i++]!, least), flushBelow(floats[j++]!, least)), least);
  }
};

const max: FloatLoop = (lanes, least, rows, to, a, b) => {
  const { words, floats } = lanes;
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    put(words, floats, at, greater(flushBelow(floats[i++]!, least), flushBelow(floats[j++]!, least)), least);
  }
};

const abs: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, Math.abs(flushBelow(floats[i++]!, least)), least);
  }
};

const neg: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, -flushBelow(floats[i++]!, least), least);
  }
};

/** Works on words, because the sign of a NaN counts. */
const copysign: FloatLoop = ({ words }, _least, rows, to, a, b) => {
  for (let at = to, i = a, j = b; at < to + rows; at++) {
    words[at] = (words[i++]! & 0x80000000) | (words[j++]! & 0x7fffffff);
  }
};

const rcp: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, 1 / flushBelow(floats[i++]!, least), least);
  }
};

const sqrt: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, Math.sqrt(flushBelow(floats[i++]!, least)), least);
  }
};

const rsqrt: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, 1 / Math.sqrt(flushBelow(floats[i++]!, least)), least);
  }
};

const sin: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, sine(flushBelow(floats[i++]!, least)), least);
  }
};

const cos: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, cosine(flushBelow(floats[i++]!, least)), least);
  }
};

const lg2: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, log2(flushBelow(floats[i++]!, least)), least);
  }
};

const ex2: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, exp2(flushBelow(floats[i++]!, least)), least);
  }
};

const tanhApproximately: FloatLoop = (lanes, least, rows, to, a) => {
  const { words, floats } = lanes;
  for (let at = to, i = a; at < to + rows; at++) {
    put(words, floats, at, tanh(flushBelow(floats[i++]!, least)), least);
  }
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
