// What a target is a product of: powers of some inputs, and a function of the others, which may need only products of powers of them.
import { log2 } from "@mm-ptx/types/internal/floats";
import { Span } from "./span.js";

/** How far a power may be from a multiple of a half, and how many standard errors coefficients that are 0 may be from it. */
const NEAR = 0.12;
const ERRORS = 4;
/** The most rows that are used, and how many more there have to be than coefficients. */
const MOST_ROWS = 2000;
const MORE_ROWS = 10;
/** Ratios of powers in a group. */
const RATIOS = [1, -1, 2, -2, 0.5, -0.5, 3, -3, 1 / 3, -1 / 3, 1.5, -1.5, 2 / 3, -2 / 3];
const RATIO_NEAR = 0.12;

/** How a target depends on inputs. */
export interface Structure {
  /** For each input the power that is a factor of the target; 0 for those that are in the rest. */
  readonly powers: readonly number[];
  /** Products of powers of inputs in the rest: the rest needs no other inputs than those of a group of one, and these products. */
  readonly groups: readonly (readonly { readonly input: number; readonly power: number }[])[];
}

/**
 * Fits a quadratic polynomial of the logarithms of the inputs to that of the target: inputs without mixed terms are factors, and those whose
 * second derivatives are in the same ratio everywhere are in the rest as a product. That is a guess, as the rest need not be quadratic.
 * Undefined if nothing is known.
 */
export function structureOf(columns: readonly Float64Array[], target: Float64Array): Structure | undefined {
  const count = columns.length;
  const rows = Math.min(MOST_ROWS, target.length);
  const terms = 1 + count + (count * (count + 1)) / 2;
  if (count < 2 || rows < terms + MORE_ROWS) return undefined;
  const logarithms = columns.map((column) => logarithmsOf(column, rows));
  const wanted = logarithmsOf(target, rows);
  if (wanted === undefined || logarithms.includes(undefined)) return undefined;
  const centered = (logarithms as Float64Array[]).map(standardized);
  const vectors = [new Float64Array(rows).fill(1), ...centered.map(({ values }) => values)];
  const places: number[][] = centered.map(() => []);
  for (let one = 0; one < count; one++) {
    for (let other = one; other < count; other++) {
      places[one]![other] = places[other]![one] = vectors.length;
      const [a, b] = [centered[one]!.values, centered[other]!.values];
      vectors.push(a.map((value, row) => value * b[row]!));
    }
  }
  const span = new Span(vectors);
  const factors = new Float64Array(terms);
  span.coordinates(wanted, factors);
  const rest = wanted.slice();
  const squares = span.remove(rest);
  // Of products of standardized numbers, as if they were independent.
  const error = Math.sqrt(squares / (rows - terms) / rows);
  const second = (one: number, other: number) => factors[places[one]![other]!]! * (one === other ? 2 : 1);
  const powers = centered.map(({ deviation }, input) => {
    const isMixed = centered.some((_, other) => Math.abs(second(input, other)) > ERRORS * error * 2 + 1e-9);
    const power = factors[1 + input]! / deviation;
    const half = Math.round(2 * power) / 2;
    const isSure = error < (NEAR / 2) * deviation && Math.abs(power - half) < NEAR;
    return isMixed || !isSure ? Number.NaN : half === 0 ? 0 : half;
  });
  const inRest = powers.flatMap((power, input) => (Number.isNaN(power) ? [input] : []));
  // The second derivatives by logarithms.
  const curvature = (one: number, other: number) =>
    second(one, other) / (centered[one]!.deviation * centered[other]!.deviation);
  const groups: { input: number; power: number }[][] = [];
  for (const input of inRest) {
    const group = groups.find(([first]) => {
      const ratio = ratioOf(curvature, first!.input, input, inRest);
      return ratio !== undefined;
    });
    if (group === undefined) groups.push([{ input, power: 1 }]);
    else group.push({ input, power: ratioOf(curvature, group[0]!.input, input, inRest)! });
  }
  const isKnown = powers.some((power) => !Number.isNaN(power)) || groups.some((group) => group.length > 1);
  if (!isKnown) return undefined;
  return { powers: powers.map((power) => (Number.isNaN(power) ? 0 : power)), groups };
}

/** The simple number that all second derivatives of two inputs have the ratio of, if there is one. */
function ratioOf(
  curvature: (one: number, other: number) => number,
  first: number,
  input: number,
  inputs: readonly number[],
): number | undefined {
  let [products, squares, errors] = [0, 0, 0];
  for (const other of inputs) {
    const [x, y] = [curvature(first, other), curvature(input, other)];
    products += x * y;
    squares += x * x;
    errors += y * y;
  }
  const ratio = products / squares;
  const simple = RATIOS.find((each) => Math.abs(ratio - each) < RATIO_NEAR * Math.abs(each));
  if (simple === undefined) return undefined;
  // What is left without the ratio.
  const left = errors - (products * products) / squares;
  return left < 0.03 * errors ? simple : undefined;
}

/** The logarithms of sizes; undefined for a 0. */
function logarithmsOf(values: Float64Array, rows: number): Float64Array | undefined {
  const logarithms = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const size = Math.abs(values[row]!);
    if (!(size > 0)) return undefined;
    logarithms[row] = log2(size);
  }
  return logarithms;
}

function standardized(values: Float64Array): { values: Float64Array; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / values.length);
  return { values: values.map((value) => (value - mean) / deviation), deviation };
}
