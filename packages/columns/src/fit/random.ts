// Random numbers that are the same in JavaScript and WebAssembly. The file is both TypeScript and AssemblyScript.
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types.
import { Index, log2OfFloat } from "./problem.js";

// The state of sfc32, a small fast counting generator by Chris Doty-Humphrey.
let a: Index = 0;
let b: Index = 0;
let c: Index = 0;
let counter: Index = 0;
/** The second of a pair of normal numbers, once the first is used. */
let spare: number = 0.0;
let hasSpare: boolean = false;

const FIRST_ROUNDS: Index = 12;
/** 2^-24 */
const UNIT: number = 5.9604644775390625e-8;
const TWICE_LN_2: number = 1.3862943611198906;

/** Starts a sequence. */
export function seedRandom(low: Index, high: Index): void {
  a = 0;
  b = low;
  c = high;
  counter = 1;
  hasSpare = false;
  for (let round: Index = 0; round < FIRST_ROUNDS; round++) next();
}

function next(): Index {
  const sum: Index = (((a + b) | 0) + counter) | 0;
  counter = (counter + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (((c << 21) | (c >>> 11)) + sum) | 0;
  return sum;
}

/** A number from -1 to 1 in steps of 2^-23. */
function centered(): number {
  const bits: Index = next() >>> 8;
  return bits * UNIT * 2.0 - 1.0;
}

/** A number with the standard normal distribution, by Marsaglia's polar method. */
export function normal(): number {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  let x = centered();
  let y = centered();
  let square = x * x + y * y;
  while (square >= 1.0 || square < UNIT) {
    x = centered();
    y = centered();
    square = x * x + y * y;
  }
  const factor = Math.sqrt((-TWICE_LN_2 * log2OfFloat(square)) / square);
  spare = y * factor;
  hasSpare = true;
  return x * factor;
}
