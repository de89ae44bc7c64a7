// Forms of comparisons that the default descriptions lack: combined with predicates, and integers from pairs.
import { expect, it } from "vitest";
import { evaluatorOf } from "../../src/arithmetic/evaluator.js";
import { readMnemonic } from "../../src/arithmetic/operation.js";

const ONE = 0x3c00n;
const TWO = 0x4000n;
const NAN = 0x7e00n;
const pair = (low: bigint, high: bigint) => low | (high << 16n);

it.each([
  ["set.lt.u32.f16x2", [pair(ONE, TWO), pair(TWO, ONE)], [0x0000ffffn]],
  ["set.gtu.s32.bf16x2", [pair(0x3f80n, 0x7fc0n), pair(0x4000n, 0x3f80n)], [0xffff0000n]],
  ["set.eq.and.u32.f16x2", [pair(ONE, ONE), pair(ONE, TWO), 1n], [0x0000ffffn]],
  ["set.eq.and.u32.f16x2", [pair(ONE, ONE), pair(ONE, ONE), 0n], [0n]],
  ["set.ne.f16.f16", [ONE, NAN], [0n]],
  ["set.neu.u16.f16", [ONE, NAN], [0xffffn]],
  ["set.lt.or.u32.s32", [5n, 3n, 1n], [0xffffffffn]],
  ["set.lt.xor.f32.u32", [3n, 5n, 1n], [0n]],
  ["set.lt.f16.s32", [0xffffffffn, 1n], [ONE]],
  ["set.lt.f16.u32", [0xffffffffn, 1n], [0n]],
  ["set.hs.bf16.u64", [5n, 5n], [0x3f80n]],
  ["set.nan.bf16.f32", [0x7fc00000n, 0n], [0x3f80n]],
  ["set.num.f16.f64", [0x7ff8000000000000n, 0n], [0n]],
  ["set.eq.ftz.f16.f32", [1n, 0n], [ONE]],
  ["set.eq.bf16.f16", [ONE, ONE], [0x3f80n]],
  ["setp.lt.and.s32", [3n, 5n, 1n], [1n, 0n]],
  ["setp.lt.and.s32", [5n, 3n, 1n], [0n, 1n]],
  ["setp.lt.and.s32", [3n, 5n, 0n], [0n, 0n]],
  ["setp.eq.or.u64", [3n, 5n, 1n], [1n, 1n]],
  ["setp.eq.xor.b32", [3n, 3n, 1n], [0n, 1n]],
  ["setp.lt.and.f16x2", [pair(ONE, TWO), pair(TWO, ONE), 1n], [1n, 0n]],
  ["setp.hi.u32", [0xffffffffn, 1n], [1n, 0n]],
  ["setp.ls.u16", [0xffffn, 1n], [0n, 1n]],
  ["setp.lt.s16", [0xffffn, 1n], [1n, 0n]],
] as const)("%s of %s", (opcode, operands, expected) => {
  expect(evaluatorOf(readMnemonic(opcode), operands.length, expected.length)!(operands)).toEqual(expected);
});
