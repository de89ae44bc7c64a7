// The scale and offset of an equation, with as few digits as they need, and how good the equation is with them.
import { NodeValues } from "../emitters/backpropagation/node-values.js";
import type { AstSpace } from "../spaces/ast.js";

/** `scale * output + offset`, in f64. */
export interface Line {
  readonly scale: number;
  readonly offset: number;
}

export const IDENTITY: Line = { scale: 1, offset: 0 };
const MOST_DIGITS = 15;
const LEAST_DIGITS = 4;
/** How much greater a loss may become for fewer digits, and the rise that never matters. */
const RISE = 1e-6;
const NOTHING = 1e-14;
/** Losses in f32 and in f64 may differ by this part, and by what rounding makes of a perfect equation. */
const DIFFERENCE = 0.01;
const ROUNDING = 1e-9;

/** The mean of the squared errors divided by the variance of the target. */
export function lossOf(outputs: Float64Array, { scale, offset }: Line, target: Float64Array): number {
  const rows = target.length;
  const mean = meanOf(target);
  let errors = 0;
  let deviations = 0;
  for (let row = 0; row < rows; row++) {
    const error = scale * outputs[row]! + offset - target[row]!;
    const deviation = target[row]! - mean;
    errors += error * error;
    deviations += deviation * deviation;
  }
  return deviations > 0 ? errors / deviations : errors / rows;
}

/** The best line from outputs to a target, with the fewest digits that it needs. */
export function readableLine(outputs: Float64Array, target: Float64Array): Line {
  const [x, y] = [meanOf(outputs), meanOf(target)];
  const scale = slope(outputs, target, x, y);
  const exact: Line = { scale, offset: y - scale * x };
  const most = lossOf(outputs, exact, target) * (1 + RISE) + NOTHING;
  // Without an offset, another scale is the best one.
  for (const line of [{ scale: slope(outputs, target, 0, 0), offset: 0 }, exact]) {
    if (!(lossOf(outputs, line, target) <= most)) continue;
    for (let digits = LEAST_DIGITS; digits < MOST_DIGITS; digits++) {
      const short = { scale: rounded(line.scale, digits), offset: rounded(line.offset, digits) };
      if (lossOf(outputs, short, target) <= most) return short;
    }
  }
  return exact;
}

/** The slope of the best line through a point. */
function slope(outputs: Float64Array, target: Float64Array, x: number, y: number): number {
  let products = 0;
  let squares = 0;
  for (let row = 0; row < target.length; row++) {
    products += (outputs[row]! - x) * (target[row]! - y);
    squares += (outputs[row]! - x) * (outputs[row]! - x);
  }
  return squares > 0 ? products / squares : 0;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits));

/** Whether two losses are those of the same equation. */
export const isNearly = (one: number, other: number): boolean =>
  Math.abs(one - other) <= DIFFERENCE * Math.max(one, other) + ROUNDING;

/** An equation with its scale and offset. */
export function scaledFormula(text: string, { scale, offset }: Line): string {
  if (scale === 0) return String(offset);
  const isWhole = /^[\w.]+$/.test(text) || isCall(text);
  const scaled = scale === 1 ? text : `${scale} * ${isWhole ? text : `(${text})`}`;
  if (offset === 0) return scaled;
  return `${scaled} ${offset < 0 ? "-" : "+"} ${Math.abs(offset)}`;
}

/** Whether a formula is one call of a function, such as `sin(cos(x) + 1)`. */
function isCall(text: string): boolean {
  if (!/^\w+\(/.test(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at === text.length - 1;
  }
  return false;
}

/** What equations compute in f64. */
export class ExactOutputs {
  readonly #nodes: NodeValues;

  constructor({ symbols }: AstSpace, columns: readonly Float32Array[]) {
    const exact = columns.map((column) => Float64Array.from(column));
    this.#nodes = new NodeValues(symbols, exact, exact[0]?.length ?? 0);
  }

  /** The values of an equation; undefined if it has a function that is not known here. */
  of(words: Uint32Array): Float64Array | undefined {
    const nodes = this.#nodes;
    if (!nodes.run(words, 0, words.length)) return undefined;
    return nodes.values.slice((nodes.count - 1) * nodes.rows, nodes.count * nodes.rows);
  }
}
