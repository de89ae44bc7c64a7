// What most web pages need of the package: losses of programs on f32 and integers. The check of the packed package
// measures what this page loads, so it spells the words of its codes out rather than using a compiler. Nothing here
// depends on Node.

import { evaluateBatch } from "@mm-ptx/columns";

const ROWS = 100;

/**
 * The code of x * x + x.
 *
 * @param {number} type the index of its type
 * @param {number} multiply
 * @param {number} add
 */
const square = (type, multiply, add) => [
  ...[0x01434c53, 3, 0x10001],
  ...[1 | (type << 7), 0],
  ...[multiply, 0, 0],
  ...[add, 1, 0],
  2 | (type << 24),
];

/** With mul.f32 and add.f32, and with mul.lo.s32 and add.s32. */
const PAIRS = [
  { words: square(13, 0x687, 0x685), column: new Float32Array(ROWS) },
  { words: square(12, 0x70000607, 0x605), column: new Int32Array(ROWS) },
];

/** @returns {Promise<boolean>} whether the losses are as expected */
export default async function works() {
  const target = Float64Array.from({ length: ROWS }, (_, row) => row * row + row - 2);
  for (const { words, column } of PAIRS) {
    for (let row = 0; row < ROWS; row++) column[row] = row;
    const codes = { words: Uint32Array.from(words), offsets: Uint32Array.of(0, words.length) };
    const { loss } = await evaluateBatch(codes, [column], { loss: { kind: "mse", target } });
    if (loss?.[0] !== 4) return false;
  }
  return true;
}
