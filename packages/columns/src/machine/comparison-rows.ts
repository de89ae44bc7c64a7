// The comparisons of values of at most 32 bits, by type.
import { Comparison } from "./word-kernels.js";

/** A comparison, and whether its result is to be inverted. */
export type ComparisonRow = readonly [comparison: Comparison, inverse: boolean];

const BITS: Readonly<Record<string, ComparisonRow>> = {
  eq: [Comparison.equal, false],
  ne: [Comparison.equal, true],
};
const SIGNED: Readonly<Record<string, ComparisonRow>> = {
  ...BITS,
  lt: [Comparison.lessSigned, false],
  le: [Comparison.greaterSigned, true],
  gt: [Comparison.greaterSigned, false],
  ge: [Comparison.lessSigned, true],
};
const UNSIGNED: Readonly<Record<string, ComparisonRow>> = {
  ...BITS,
  lt: [Comparison.lessUnsigned, false],
  le: [Comparison.greaterUnsigned, true],
  gt: [Comparison.greaterUnsigned, false],
  ge: [Comparison.lessUnsigned, true],
  lo: [Comparison.lessUnsigned, false],
  ls: [Comparison.greaterUnsigned, true],
  hi: [Comparison.greaterUnsigned, false],
  hs: [Comparison.lessUnsigned, true],
};
const FLOAT: Readonly<Record<string, ComparisonRow>> = {
  eq: [Comparison.floatEqual, false],
  ne: [Comparison.floatDifferent, false],
  lt: [Comparison.floatLess, false],
  le: [Comparison.floatLessOrEqual, false],
  gt: [Comparison.floatGreater, false],
  ge: [Comparison.floatGreaterOrEqual, false],
  equ: [Comparison.floatDifferent, true],
  neu: [Comparison.floatEqual, true],
  ltu: [Comparison.floatGreaterOrEqual, true],
  leu: [Comparison.floatGreater, true],
  gtu: [Comparison.floatLessOrEqual, true],
  geu: [Comparison.floatLess, true],
  num: [Comparison.ordered, false],
  nan: [Comparison.ordered, true],
};
const ROWS: Readonly<Record<string, Readonly<Record<string, ComparisonRow>>>> = {
  f: FLOAT,
  u: UNSIGNED,
  s: SIGNED,
  b: BITS,
};

/** The comparison of an instruction, if the type has it. */
export const comparisonOf = (type: string, name: string): ComparisonRow | undefined =>
  ROWS[type.charAt(0)]?.[name];
