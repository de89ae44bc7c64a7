// The integer instructions of at most 32 bits that have kernels in WebAssembly. Lanes of 16-bit instructions may be extended in any way:
// operands are extended by the instruction's type where their upper halves matter, and results always.
import type { OperationParts } from "@mm-ptx/types/code";
import { Class, Flag } from "./layout.js";
import { bitwise, type Definition, type Recipe, type Register, withArgument } from "./recipe.js";
import { PermuteMode, RareOperation, ScalarOperation, WordOperation } from "./word-kernels.js";

type Build = (
  recipe: Recipe,
  signed: boolean,
  operands: readonly [a: Register, b: Register, c: Register, d: Register],
) => Register;

/** The instruction's types, its computation, and which of its operands and result are not extended. */
type Row = readonly [types: string, build: Build, raw?: number];

/** Operands that are not extended, one bit each, and that results are not. */
const RAW = 15;
const RAW_RESULT = 16;
const SECOND = 2;
const THIRD = 4;

const ALL = "u16 s16 u32 s32";
const WORDS = "u32 s32";
const BITS = "b16 b32";
const LOGIC = "b16 b32 pred";

const word =
  (count: number, unsigned: WordOperation, signed = unsigned): Build =>
  (recipe, isSigned, operands) =>
    recipe.words(isSigned ? signed : unsigned, ...operands.slice(0, count));

const rare =
  (count: number, unsigned: RareOperation, signed = unsigned): Build =>
  (recipe, isSigned, operands) =>
    recipe.rare(isSigned ? signed : unsigned, ...operands.slice(0, count));

const scalar =
  (count: number, unsigned: number, signed = unsigned): Build =>
  (recipe, isSigned, operands) =>
    recipe.scalar(isSigned ? signed : unsigned, ...operands.slice(0, count));

const wrapped = (recipe: Recipe, register: Register): Register =>
  recipe.words(WordOperation.and, register, recipe.constant(31));

const mulHigh = rare(2, RareOperation.mulHighUnsigned, RareOperation.mulHighSigned);

/** The upper half of a product of 16-bit integers. */
const mulHighOfHalves: Build = (recipe, signed, [a, b]) =>
  recipe.words(
    signed ? WordOperation.shiftRightSigned : WordOperation.shiftRightUnsigned,
    recipe.words(WordOperation.mul, a, b),
    recipe.constant(16),
  );

const plus =
  (build: Build): Build =>
  (recipe, signed, operands) =>
    recipe.words(WordOperation.add, build(recipe, signed, operands), operands[2]);

const plusSaturated =
  (build: Build): Build =>
  (recipe, signed, operands) =>
    recipe.rare(RareOperation.addSaturated, build(recipe, signed, operands), operands[2]);

const low24 =
  (build: Build): Build =>
  (recipe, signed, [a, b, c, d]) =>
    build(recipe, signed, [recipe.extended(a, 24, signed), recipe.extended(b, 24, signed), c, d]);

const mul24 = low24(word(2, WordOperation.mul));
const mul24High = low24(scalar(2, ScalarOperation.mul24High));

const rectified =
  (build: Build): Build =>
  (recipe, signed, operands) =>
    recipe.words(WordOperation.maxSigned, build(recipe, signed, operands), recipe.constant(0));

const min = word(2, WordOperation.minUnsigned, WordOperation.minSigned);
const max = word(2, WordOperation.maxUnsigned, WordOperation.maxSigned);

const differences: Build = (recipe, signed, operands) =>
  recipe.words(
    WordOperation.add,
    recipe.words(WordOperation.sub, max(recipe, signed, operands), min(recipe, signed, operands)),
    operands[2],
  );

/** Instructions whose amount or position counts modulo 32. */
const wrapping =
  (index: number, build: Build): Build =>
  (recipe, signed, operands) => {
    const registers = operands.map((each, at) => (at === index ? wrapped(recipe, each) : each));
    return build(recipe, signed, registers as [Register, Register, Register, Register]);
  };

const funnelLeft = scalar(3, ScalarOperation.funnelLeft);
const funnelRight = scalar(3, ScalarOperation.funnelRight);
const mask = scalar(2, ScalarOperation.mask);
const extend = scalar(2, ScalarOperation.extendUnsigned, ScalarOperation.extendSigned);
const permute = (mode: PermuteMode): Row => ["b32", scalar(3, withArgument(ScalarOperation.permute, mode))];

/** The instructions with one type, by their mnemonic without it. */
const ROWS: Readonly<Record<string, Row>> = {
  add: [ALL, word(2, WordOperation.add), RAW],
  sub: [ALL, word(2, WordOperation.sub), RAW],
  "add.sat": ["s32", rare(2, RareOperation.addSaturated)],
  "sub.sat": ["s32", rare(2, RareOperation.subSaturated)],
  "mul.lo": [ALL, word(2, WordOperation.mul), RAW],
  "mad.lo": [ALL, word(3, WordOperation.mad), RAW],
  "mul.hi": [WORDS, mulHigh],
  "mad.hi": [WORDS, plus(mulHigh)],
  "mad.hi.sat": ["s32", plusSaturated(mulHigh)],
  "mul.wide": ["u16 s16", word(2, WordOperation.mul), RAW_RESULT],
  "mad.wide": ["u16 s16", word(3, WordOperation.mad), THIRD | RAW_RESULT],
  "mul24.lo": [WORDS, mul24],
  "mul24.hi": [WORDS, mul24High],
  "mad24.lo": [WORDS, plus(mul24)],
  "mad24.hi": [WORDS, plus(mul24High)],
  "mad24.hi.sat": ["s32", plusSaturated(mul24High)],
  sad: [ALL, differences],
  div: [ALL, word(2, WordOperation.divUnsigned, WordOperation.divSigned)],
  rem: [ALL, word(2, WordOperation.remUnsigned, WordOperation.remSigned)],
  neg: ["s16 s32", word(1, WordOperation.neg), RAW],
  abs: ["s16 s32", word(1, WordOperation.abs)],
  min: [ALL, min],
  max: [ALL, max],
  "min.relu": ["s32", rectified(min)],
  "max.relu": ["s32", rectified(max)],
  and: [LOGIC, word(2, WordOperation.and), RAW],
  or: [LOGIC, word(2, WordOperation.or), RAW],
  xor: [LOGIC, word(2, WordOperation.xor), RAW],
  not: [BITS, word(1, WordOperation.not), RAW],
  cnot: [BITS, rare(1, RareOperation.cnot)],
  shl: [BITS, word(2, WordOperation.shiftLeft), RAW],
  shr: [`${BITS} ${ALL}`, word(2, WordOperation.shiftRightUnsigned, WordOperation.shiftRightSigned), SECOND],
  popc: ["b32", rare(1, RareOperation.popc)],
  clz: ["b32", scalar(1, ScalarOperation.clz)],
  brev: ["b32", rare(1, RareOperation.brev)],
  bfind: [WORDS, scalar(1, ScalarOperation.highestBitUnsigned, ScalarOperation.highestBitSigned)],
  "bfind.shiftamt": [
    WORDS,
    scalar(1, ScalarOperation.shiftToHighestUnsigned, ScalarOperation.shiftToHighestSigned),
  ],
  bfe: [WORDS, scalar(3, ScalarOperation.extractUnsigned, ScalarOperation.extractSigned)],
  bfi: ["b32", scalar(4, ScalarOperation.insert)],
  prmt: permute(PermuteMode.any),
  "prmt.f4e": permute(PermuteMode.forward),
  "prmt.b4e": permute(PermuteMode.backward),
  "prmt.rc8": permute(PermuteMode.replicateByte),
  "prmt.ecl": permute(PermuteMode.clampLeft),
  "prmt.ecr": permute(PermuteMode.clampRight),
  "prmt.rc16": permute(PermuteMode.replicateHalf),
  lop3: ["b32", rare(4, RareOperation.lop3)],
  "shf.l.clamp": ["b32", funnelLeft],
  "shf.l.wrap": ["b32", wrapping(2, funnelLeft)],
  "shf.r.clamp": ["b32", funnelRight],
  "shf.r.wrap": ["b32", wrapping(2, funnelRight)],
  fns: ["b32", scalar(3, ScalarOperation.findNthSet)],
  "bmsk.clamp": ["b32", mask],
  "bmsk.wrap": ["b32", wrapping(0, wrapping(1, mask))],
  "szext.clamp": [WORDS, extend],
  "szext.wrap": [WORDS, wrapping(1, extend)],
};

/** Of 16-bit integers only. */
const HALF_ROWS: Readonly<Record<string, Row>> = {
  "mul.hi": [ALL, mulHighOfHalves],
  "mad.hi": [ALL, plus(mulHighOfHalves)],
};

const ONLY_PREDICATES =
  Class.predicate | (Class.predicate << Class.bits) | (Class.predicate << Flag.resultShift);

/**
 * The definition of an integer instruction, if there is one.
 * @param key the mnemonic without its types
 */
export function integerDefinition(
  { name, types }: OperationParts,
  key: string,
  operands: number,
): Definition | undefined {
  const [type = "", second] = types;
  if (name.endsWith("3") && key !== "lop3") return undefined;
  if (second !== undefined) return dotDefinition(type, second, key);
  const bits = type.endsWith("16") ? 16 : 32;
  const row = (bits === 16 ? HALF_ROWS[key] : undefined) ?? ROWS[key];
  if (type === "pred") return predicateDefinition(row, key, operands);
  if (row === undefined || !row[0].split(" ").includes(type)) return undefined;
  const [, build, raw = 0] = row;
  const signed = type.startsWith("s");
  return {
    flags: bitwise(operands),
    build: (recipe) => {
      const taken = [0, 1, 2, 3].map((operand) =>
        operand < operands && ((raw >> operand) & 1) === 0 ? recipe.extended(operand, bits, signed) : operand,
      ) as [Register, Register, Register, Register];
      const result = build(recipe, signed, taken);
      return (raw & RAW_RESULT) === 0 ? recipe.extended(result, bits, signed) : result;
    },
  };
}

function predicateDefinition(row: Row | undefined, key: string, operands: number): Definition | undefined {
  const classes = operands === 1 ? ONLY_PREDICATES & ~(Class.mask << Class.bits) : ONLY_PREDICATES;
  const flags = classes | bitwise(operands);
  if (key === "not") {
    return { flags, build: (recipe) => recipe.words(WordOperation.xor, 0, recipe.constant(1)) };
  }
  if (row === undefined || !row[0].includes("pred")) return undefined;
  return { flags, build: (recipe) => row[1](recipe, false, [0, 1, 2, 3]) };
}

/** What `dp4a` and `dp2a` compute, without the signs. */
const DOTS: Readonly<Record<string, number>> = {
  dp4a: ScalarOperation.dotOfBytes,
  "dp2a.lo": ScalarOperation.dotOfHalves,
  "dp2a.hi": withArgument(ScalarOperation.dotOfHalves, 4),
};

function dotDefinition(a: string, b: string, key: string): Definition | undefined {
  const operation = DOTS[key];
  if (operation === undefined || !WORDS.includes(a) || !WORDS.includes(b)) return undefined;
  const signs = Number(a === "s32") | (Number(b === "s32") << 1);
  return {
    flags: bitwise(3),
    build: (recipe) => recipe.scalar(withArgument(operation, signs), 0, 1, 2),
  };
}
