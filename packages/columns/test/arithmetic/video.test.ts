// SIMD video instructions on cases worked out by hand.
import { expect, it } from "vitest";
import { evaluatorOf } from "../../src/arithmetic/evaluator.js";
import { readMnemonic } from "../../src/arithmetic/operation.js";

it.each([
  ["vadd4.u32.u32.u32", 0x01ff80fen, 0x01020304n, 0n, 0x02018302n],
  ["vadd4.u32.u32.u32.sat", 0x01ff80fen, 0x01020304n, 0n, 0x02ff83ffn],
  ["vadd2.s32.s32.s32.sat", 0x7fff8000n, 0x0001ffffn, 0n, 0x7fff8000n],
  ["vsub4.s32.u32.u32", 0x00000000n, 0x01020304n, 0n, 0xfffefdfcn],
  ["vsub4.u32.u32.u32.sat", 0x05000000n, 0x01020304n, 0n, 0x04000000n],
  ["vavrg4.u32.u32.u32", 0x010203ffn, 0x02020400n, 0n, 0x02020480n],
  ["vavrg2.s32.s32.s32", 0xffff0001n, 0xfffe0002n, 0n, 0xfffe0002n],
  ["vabsdiff4.u32.u32.u32", 0x00ff0510n, 0xff000510n, 0n, 0xffff0000n],
  ["vabsdiff4.u32.u32.u32.add", 0x00ff0510n, 0xff000510n, 7n, 517n],
  ["vabsdiff4.s32.s32.s32.add", 0x8000000fn, 0x7f00000en, 0n, 256n],
  ["vmin4.s32.s32.s32", 0x80010203n, 0x7f02ff03n, 0n, 0x8001ff03n],
  ["vmax2.u32.u32.u32", 0x8000_0001n, 0x7fff_0002n, 0n, 0x8000_0002n],
  ["vset4.u32.u32.lt", 0x01020304n, 0x02020202n, 0n, 0x01000000n],
  ["vset4.s32.s32.ge.add", 0x80010203n, 0x00010200n, 10n, 13n],
  ["vset2.u32.u32.ne", 0x00010002n, 0x00010003n, 0n, 0x00000001n],
] as const)("%s", (opcode, a, b, c, expected) => {
  expect(evaluatorOf(readMnemonic(opcode), 3, 1)!([a, b, c])).toEqual([expected]);
});
