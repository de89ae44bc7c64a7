// The problems of symbolic regression in bench/search/problems.json: their rows, and whether a formula is equal to theirs.

import { readFileSync } from "node:fs";
import { formulaOf } from "./formulas.mjs";

const FILE = new URL("../search/problems.json", import.meta.url);
/** How many fresh points a formula has to be exact at, and how exact. */
const FRESH = 1000;
const EXACT = 1e-6;

/**
 * A problem: the formula, the range of each variable, how many rows are drawn, the functions that a search may use, where it is
 * published, and points: the values of the variables, and that of the formula.
 * @typedef {{ name: string, set: string, formula: string, variables: Record<string, [number, number]>, rows: number,
 *   functions: string, source: string, equation: string, published?: Record<string, number>, outside?: string, points: number[][] }} Problem
 */

/** @type {{ sources: Record<string, string>, functions: Record<string, string[]>, problems: Problem[] }} */
export const { sources, functions, problems } = JSON.parse(readFileSync(FILE, "utf8"));

/** Evenly distributed numbers from 0 to 1 (splitmix32: seeds that are near to each other give sequences that have nothing in common). */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** What draws use besides the seed, so that rows and fresh points of a seed differ. */
const MIXED = { rows: 0x1000193, fresh: 0x811c9dc5 };

/** The rows of a problem, drawn by a seed. Inputs are f32 numbers; the target is that of these, in f64. */
export function rowsOf({ formula, variables, rows }, seed, purpose = "rows") {
  const names = Object.keys(variables);
  const random = uniforms(Math.imul(seed, 0x9e3779b1) ^ MIXED[purpose]);
  const value = formulaOf(formula, names);
  const columns = names.map(() => new Float32Array(rows));
  const target = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    // Rows without a value are drawn again.
    for (let tries = 0; ; tries++) {
      if (tries === 1000) throw new Error(`expected numbers in the ranges of \`${formula}\`, found none`);
      const point = names.map((name) => {
        const [low, high] = variables[name];
        return Math.fround(low + (high - low) * random());
      });
      const result = value(point);
      if (!Number.isFinite(result)) continue;
      for (const [index, each] of point.entries()) columns[index][row] = each;
      target[row] = result;
      break;
    }
  }
  return { names, columns, target };
}

/**
 * Whether a formula is equal to that of a problem, judged by 1,000 points that no search has seen: half of them in the ranges of the
 * variables, half in ranges twice as wide. In the ranges it has to be finite where the formula of the problem is; beyond them, points
 * without a value of either are left out (`exp(log(x) + log(x))` is `x^2`). The error in f64 is at most 1e-6 of the value at each point, or,
 * if formulas have constants, which are f32 numbers, of the root of the mean square of the values of the same half.
 *
 * @param {Problem} problem
 * @param {string} found
 * @param {number} seed
 * @returns {boolean}
 */
export function isEqualFormula(problem, found, seed) {
  const names = Object.keys(problem.variables);
  const [wanted, actual] = [formulaOf(problem.formula, names), formulaOf(found, names)];
  const random = uniforms(Math.imul(seed, 0x9e3779b1) ^ MIXED.fresh);
  const hasConstants = functions[problem.functions].includes("constant");
  for (const isWide of [false, true]) {
    const pairs = [];
    for (let tries = 0; tries < 10 * FRESH && pairs.length < FRESH / 2; tries++) {
      const point = names.map((name) => {
        const [low, high] = problem.variables[name];
        const width = high - low;
        return isWide ? low - width / 2 + 2 * width * random() : low + width * random();
      });
      const [value, other] = [wanted(point), actual(point)];
      if (!Number.isFinite(value)) continue;
      if (Number.isFinite(other)) pairs.push([value, other]);
      else if (!isWide) return false;
    }
    if (pairs.length < FRESH / 4) return false;
    const size = Math.sqrt(pairs.reduce((sum, [value]) => sum + value * value, 0) / pairs.length);
    const isExact = ([value, other]) =>
      Math.abs(other - value) <= EXACT * (hasConstants ? Math.max(Math.abs(value), size) : Math.abs(value));
    if (!pairs.every(isExact)) return false;
  }
  return true;
}
