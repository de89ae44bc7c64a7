// What TypeScript and AssemblyScript share of the format says the same as the tables.
import { expect, it } from "vitest";
import { CodeName, CodeType } from "../../src/code/layout.js";
import { CODE_NAMES, CODE_TYPES, codeType } from "../../src/code/operation.js";

/** The types in the order of their numbers. */
const NUMBERS: Readonly<Record<string, number>> = {
  pred: CodeType.pred,
  b8: CodeType.b8,
  u8: CodeType.u8,
  s8: CodeType.s8,
  b16: CodeType.b16,
  u16: CodeType.u16,
  s16: CodeType.s16,
  f16: CodeType.f16,
  bf16: CodeType.bf16,
  b32: CodeType.b32,
  u32: CodeType.u32,
  s32: CodeType.s32,
  f32: CodeType.f32,
  tf32: CodeType.tf32,
  b64: CodeType.b64,
  u64: CodeType.u64,
  s64: CodeType.s64,
  f64: CodeType.f64,
  f16x2: CodeType.f16x2,
  bf16x2: CodeType.bf16x2,
  f32x2: CodeType.f32x2,
  u16x2: CodeType.u16x2,
  s16x2: CodeType.s16x2,
  e4m3x2: CodeType.e4m3x2,
  e5m2x2: CodeType.e5m2x2,
};

it("types have the numbers of their names", () => {
  expect(CODE_TYPES.slice(1)).toEqual(Object.keys(NUMBERS));
  expect(CODE_TYPES.slice(1).map(codeType)).toEqual(Object.values(NUMBERS));
});

it("inputs and constants have the numbers of their names", () => {
  expect([CODE_NAMES[CodeName.input], CODE_NAMES[CodeName.constant]]).toEqual(["input", "constant"]);
});
