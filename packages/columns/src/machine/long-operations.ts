// The instructions on integers and other values of 64 bits that have kernels in WebAssembly: arithmetic, logic, comparisons, selections.
import type { OperationParts } from "@mm-ptx/types/code";
import {
  combined,
  isNotNegative,
  PREDICATE_RESULT,
  setResult,
  splitChoice,
  THIRD_PREDICATE,
} from "./comparison-operations.js";
import { Class, Flag } from "./layout.js";
import type { Definition, Recipe, Register } from "./recipe.js";
import { LongOperation, LongTest, Widening } from "./wide-kernels.js";
import { classesOf, WideSteps } from "./wide-recipe.js";

type Build = (steps: WideSteps, signed: boolean) => Register;

/** Types, classes of operands and result (`d` for double words, `w` for words), and how to compute. */
type Row = readonly [types: string, shape: string, build: Build];

const BOTH = "u64 s64";
const A = [0, 1, 2, 3] as const;

const long =
  (operands: number, unsigned: LongOperation, signed = unsigned): Build =>
  (steps, isSigned) =>
    steps.long(isSigned ? signed : unsigned, ...A.slice(0, operands));

const test =
  (unsigned: LongTest, signed = unsigned): Build =>
  (steps, isSigned) =>
    steps.test(isSigned ? signed : unsigned, 0, 0);

const mulWide: Build = (steps, signed) =>
  steps.widen(signed ? Widening.mulSigned : Widening.mulUnsigned, 0, 1);

const plus =
  (build: Build): Build =>
  (steps, signed) =>
    steps.long(LongOperation.add, build(steps, signed), 2);

const mulHigh = long(2, LongOperation.mulHighUnsigned, LongOperation.mulHighSigned);
const min = long(2, LongOperation.minUnsigned, LongOperation.minSigned);
const max = long(2, LongOperation.maxUnsigned, LongOperation.maxSigned);

const differences: Build = (steps, signed) => {
  const difference = steps.long(LongOperation.sub, max(steps, signed), min(steps, signed));
  return steps.long(LongOperation.add, difference, 2);
};

const ROWS: Readonly<Record<string, Row>> = {
  mov: ["b64 u64 s64 f64", "dd", long(1, LongOperation.copy)],
  add: [BOTH, "ddd", long(2, LongOperation.add)],
  sub: [BOTH, "ddd", long(2, LongOperation.sub)],
  "mul.lo": [BOTH, "ddd", long(2, LongOperation.mul)],
  "mul.hi": [BOTH, "ddd", mulHigh],
  "mad.lo": [BOTH, "dddd", long(3, LongOperation.mad)],
  "mad.hi": [BOTH, "dddd", plus(mulHigh)],
  "mul.wide": ["u32 s32", "wwd", mulWide],
  "mad.wide": ["u32 s32", "wwdd", plus(mulWide)],
  sad: [BOTH, "dddd", differences],
  div: [BOTH, "ddd", long(2, LongOperation.divUnsigned, LongOperation.divSigned)],
  rem: [BOTH, "ddd", long(2, LongOperation.remUnsigned, LongOperation.remSigned)],
  neg: ["s64", "dd", long(1, LongOperation.neg)],
  abs: ["s64", "dd", long(1, LongOperation.abs)],
  min: [BOTH, "ddd", min],
  max: [BOTH, "ddd", max],
  and: ["b64", "ddd", long(2, LongOperation.and)],
  or: ["b64", "ddd", long(2, LongOperation.or)],
  xor: ["b64", "ddd", long(2, LongOperation.xor)],
  not: ["b64", "dd", long(1, LongOperation.not)],
  cnot: ["b64", "dd", long(1, LongOperation.cnot)],
  copysign: ["f64", "ddd", long(2, LongOperation.copysign)],
  shl: ["b64", "dwd", long(2, LongOperation.shiftLeft)],
  shr: [`b64 ${BOTH}`, "dwd", long(2, LongOperation.shiftRightUnsigned, LongOperation.shiftRightSigned)],
  popc: ["b64", "dw", test(LongTest.popc)],
  clz: ["b64", "dw", test(LongTest.clz)],
  brev: ["b64", "dd", long(1, LongOperation.brev)],
  bfind: [BOTH, "dw", test(LongTest.highestBitUnsigned, LongTest.highestBitSigned)],
  "bfind.shiftamt": [BOTH, "dw", test(LongTest.shiftToHighestUnsigned, LongTest.shiftToHighestSigned)],
  bfe: [BOTH, "dwwd", long(3, LongOperation.extractUnsigned, LongOperation.extractSigned)],
  bfi: ["b64", "ddwwd", long(4, LongOperation.insert)],
};

/** A comparison, and whether its result is to be inverted. */
type LongRow = readonly [test: LongTest, inverse: number];

const BITS: Readonly<Record<string, LongRow>> = { eq: [LongTest.equal, 0], ne: [LongTest.equal, 1] };
const SIGNED: Readonly<Record<string, LongRow>> = {
  ...BITS,
  lt: [LongTest.lessSigned, 0],
  le: [LongTest.greaterSigned, 1],
  gt: [LongTest.greaterSigned, 0],
  ge: [LongTest.lessSigned, 1],
};
const UNSIGNED: Readonly<Record<string, LongRow>> = {
  ...BITS,
  lt: [LongTest.lessUnsigned, 0],
  le: [LongTest.greaterUnsigned, 1],
  gt: [LongTest.greaterUnsigned, 0],
  ge: [LongTest.lessUnsigned, 1],
  lo: [LongTest.lessUnsigned, 0],
  ls: [LongTest.greaterUnsigned, 1],
  hi: [LongTest.greaterUnsigned, 0],
  hs: [LongTest.lessUnsigned, 1],
};
const DOUBLE: Readonly<Record<string, LongRow>> = {
  eq: [LongTest.doubleEqual, 0],
  ne: [LongTest.doubleDifferent, 0],
  lt: [LongTest.doubleLess, 0],
  le: [LongTest.doubleLessOrEqual, 0],
  gt: [LongTest.doubleGreater, 0],
  ge: [LongTest.doubleGreaterOrEqual, 0],
  equ: [LongTest.doubleDifferent, 1],
  neu: [LongTest.doubleEqual, 1],
  ltu: [LongTest.doubleGreaterOrEqual, 1],
  leu: [LongTest.doubleGreater, 1],
  gtu: [LongTest.doubleLessOrEqual, 1],
  geu: [LongTest.doubleLess, 1],
  num: [LongTest.ordered, 0],
  nan: [LongTest.ordered, 1],
};
const COMPARISONS: Readonly<Record<string, Readonly<Record<string, LongRow>>>> = {
  b64: BITS,
  s64: SIGNED,
  u64: UNSIGNED,
  f64: DOUBLE,
};

const CLASSES: Readonly<Record<string, Class>> = { d: Class.double, w: Class.word };

/**
 * The definition of an instruction, if there is one.
 * @param key the mnemonic without its types
 */
export function longDefinition(parts: OperationParts, key: string, operands: number): Definition | undefined {
  const { name, types } = parts;
  const [type = "", by = ""] = types;
  const build = (write: (steps: WideSteps, recipe: Recipe) => Register) => (recipe: Recipe) =>
    write(new WideSteps(recipe), recipe);
  const selects = CHOSEN.includes(type);
  if (name === "setp" || name === "set") return comparing(parts);
  if (name === "testp") return testing(parts);
  if (name === "selp" && selects) {
    return {
      flags: SELECTED | THIRD_PREDICATE,
      build: build((steps) => steps.long(LongOperation.select, 0, 1, 2)),
    };
  }
  if (name === "slct" && selects) {
    const bits = by === "s32" ? 4 << Flag.bitwiseShift : 0;
    return {
      flags: SELECTED | bits,
      build: build((steps, recipe) =>
        steps.long(LongOperation.select, 0, 1, isNotNegative(recipe, by, parts.flush)),
      ),
    };
  }
  const row = ROWS[key];
  if (row === undefined || types.length !== 1 || !row[0].split(" ").includes(type)) return undefined;
  const [, shape, write] = row;
  const classes = [...shape].map((each) => CLASSES[each]!);
  const narrow = classes
    .slice(0, operands)
    .reduce((bits, each, at) => bits | (Number(each === Class.word) << at), 0);
  return {
    flags: classesOf(classes.slice(0, -1), classes.at(-1)!) | (narrow << Flag.bitwiseShift),
    build: build((steps) => write(steps, type.startsWith("s"))),
  };
}

const CHOSEN = ["b64", "u64", "s64", "f64"];
const SELECTED = classesOf([Class.double, Class.double, Class.word], Class.double);

/** `setp.cmp{.bool}.type` and `set.cmp{.bool}.result.type` */
function comparing({ name, types, choice }: OperationParts): Definition | undefined {
  const isSet = name === "set";
  const [result, type] = isSet ? types : ["", types[0]];
  const [comparison, combination] = splitChoice(choice);
  const row = COMPARISONS[type ?? ""]?.[comparison];
  if (row === undefined) return undefined;
  return {
    flags:
      classesOf([Class.double, Class.double], Class.word) |
      (combination === undefined ? 0 : THIRD_PREDICATE) |
      (isSet ? 0 : PREDICATE_RESULT),
    build: (recipe) => {
      const holds = new WideSteps(recipe).test(row[0], row[1], 0, 1);
      const whole = combined(recipe, combination, holds);
      return isSet ? setResult(recipe, result!, whole) : whole;
    },
  };
}

/** Of the bits of a magnitude: the least, and how many there are. */
const TESTS: Readonly<Record<string, readonly [least: bigint, count: bigint]>> = {
  finite: [0n, 0x7ff0000000000000n],
  infinite: [0x7ff0000000000000n, 1n],
  number: [0n, 0x7ff0000000000001n],
  notanumber: [0x7ff0000000000001n, 0xfffffffffffffn],
  normal: [0x0010000000000000n, 0x7fe0000000000000n],
  subnormal: [1n, 0xfffffffffffffn],
};

/** `testp.test.f64` */
function testing({ types, choice }: OperationParts): Definition | undefined {
  const limits = TESTS[choice];
  if (limits === undefined || types[0] !== "f64") return undefined;
  return {
    flags: classesOf([Class.double], Class.predicate),
    build: (recipe) => {
      const steps = new WideSteps(recipe);
      const size = steps.long(LongOperation.and, 0, steps.constant(0x7fffffffffffffffn));
      const distance = steps.long(LongOperation.sub, size, steps.constant(limits[0]));
      return steps.test(LongTest.lessUnsigned, 0, distance, steps.constant(limits[1]));
    },
  };
}
