// Evaluates each approximate function for every f32 that can matter, and writes to test/support/hard-cases.ts those
// whose f64 result lies within 2^-50, relative, of the midpoint between two f32: only there can an error in f64 give
// the wrong f32. The tests compare these cases with exact arithmetic. The script needs a build and takes about ten
// minutes.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cosine, exp2, log2, sine, tanh } from "../../types/dist/internal/elementary.js";

const NEAR = 2 ** -50;
const LARGEST = 3.4028234663852886e38;

/**
 * Functions, with ranges that cover all distinct results: outside of them a result equals that at an end, or repeats.
 * Negative numbers are included only where they matter.
 *
 * @type {Readonly<Record<string, { evaluate: (x: number) => number, ranges: [first: number, last: number][] }>>}
 */
const FUNCTIONS = {
  rsqrt: { evaluate: (x) => 1 / Math.sqrt(x), ranges: [[1, 4]] },
  sin: { evaluate: sine, ranges: [[2 ** -14, LARGEST]] },
  cos: { evaluate: cosine, ranges: [[2 ** -14, LARGEST]] },
  lg2: { evaluate: log2, ranges: [[2 ** -149, LARGEST]] },
  ex2: {
    evaluate: exp2,
    ranges: [
      [2 ** -26, 150],
      [-(2 ** -26), -151],
    ],
  },
  tanh: { evaluate: tanh, ranges: [[2 ** -14, 10]] },
};

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** @param {number} x */
function bitsOf(x) {
  float[0] = x;
  return bits[0];
}

/** @param {(typeof FUNCTIONS)[string]} each */
function hardCases({ evaluate, ranges }) {
  const found = [];
  for (const [first, last] of ranges) {
    const end = bitsOf(last);
    for (let argument = bitsOf(first); argument <= end; argument++) {
      bits[0] = argument;
      const y = evaluate(float[0]);
      if (Math.fround(y * (1 - NEAR)) !== Math.fround(y * (1 + NEAR))) found.push(argument);
    }
  }
  return found;
}

const lines = Object.entries(FUNCTIONS).map(([name, each]) => {
  const found = hardCases(each);
  console.log(`${name}: ${found.length}`);
  return `  "${name}.approx.f32": [${found.map((argument) => `0x${argument.toString(16)}`).join(", ")}],`;
});
const text = `// Arguments, as bits, for which the exact result of an approximate function is within 2^-50, relative, of the
// midpoint of two adjacent f32. The lists are complete. Written by scripts/find-hard-cases.mjs.

export const HARD_CASES: Readonly<Record<string, readonly number[]>> = {
${lines.join("\n")}
};
`;
writeFileSync(fileURLToPath(new URL("../test/support/hard-cases.ts", import.meta.url)), text);
