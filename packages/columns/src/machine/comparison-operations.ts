// The comparisons and selections that have kernels in WebAssembly: `setp`, `set`, `selp`, `slct`, `testp` and `mov`, of at most 32 bits.
import type { OperationParts } from "@mm-ptx/types/code";
import { type ComparisonRow, comparisonOf } from "./comparison-rows.js";
import { FloatKernel } from "./kernels.js";
import { Class, Flag } from "./layout.js";
import { bitwise, type Definition, LEAST_NORMAL, type Recipe, type Register } from "./recipe.js";
import { Comparison, WordOperation } from "./word-kernels.js";

const COMBINATIONS: Readonly<Record<string, WordOperation>> = {
  and: WordOperation.and,
  or: WordOperation.or,
  xor: WordOperation.xor,
};

/** A comparison, and the operation that combines its result with a predicate. */
export function splitChoice(choice: string): readonly [comparison: string, combination: string | undefined] {
  const [comparison = "", combination] = choice.split(".");
  return [comparison, combination];
}

/** Combines the result of a comparison with the third operand, if the instruction has one. */
export function combined(recipe: Recipe, combination: string | undefined, result: Register): Register {
  return combination === undefined ? result : recipe.words(COMBINATIONS[combination]!, result, 2);
}

/** What `set` writes for true. */
const TRUE: Readonly<Record<string, number>> = {
  u32: 0xffffffff,
  s32: 0xffffffff,
  u16: 0xffff,
  s16: 0xffffffff,
  f32: 0x3f800000,
  f16: 0x3c00,
  bf16: 0x3f80,
};

/** The results of `set`, from those of a comparison. */
export function setResult(recipe: Recipe, result: string, holds: Register): Register {
  const ones = recipe.words(WordOperation.neg, holds);
  const yes = TRUE[result]!;
  return yes === 0xffffffff ? ones : recipe.words(WordOperation.and, ones, recipe.constant(yes));
}

export const THIRD_PREDICATE = Class.predicate << (2 * Class.bits);
export const PREDICATE_RESULT = Class.predicate << Flag.resultShift;

const NARROW = "b16 u16 s16 b32 u32 s32 f32";
const SET_RESULTS = "u32 s32 f32 f16 bf16";

const isNarrow = (type: string | undefined): boolean =>
  type !== undefined && NARROW.split(" ").includes(type);
const bitsOf = (type: string): number => (type.endsWith("16") ? 16 : 32);

/** `setp.cmp{.bool}{.ftz}.type` */
export function setpDefinition({ types, choice, flush }: OperationParts): Definition | undefined {
  const [type = ""] = types;
  const [name, combination] = splitChoice(choice);
  const row = comparisonOf(type, name);
  if (row === undefined || types.length !== 1 || !isNarrow(type)) return undefined;
  return comparing(type, row, combination, flush, PREDICATE_RESULT, (_, holds) => holds);
}

/** `set.cmp{.bool}{.ftz}.result.type` */
export function setDefinition({ types, choice, flush }: OperationParts): Definition | undefined {
  const [result = "", type = ""] = types;
  const [name, combination] = splitChoice(choice);
  const row = comparisonOf(type, name);
  if (row === undefined || !isNarrow(type) || !SET_RESULTS.split(" ").includes(result)) return undefined;
  if (flush && result === "bf16") return undefined;
  return comparing(type, row, combination, flush, Class.word, (recipe, holds) =>
    setResult(recipe, result, holds),
  );
}

function comparing(
  type: string,
  [comparison, inverse]: ComparisonRow,
  combination: string | undefined,
  flush: boolean,
  resultFlags: number,
  finish: (recipe: Recipe, holds: Register) => Register,
): Definition | undefined {
  const isFloat = type === "f32";
  if (flush && !isFloat) return undefined;
  return {
    flags:
      resultFlags |
      (combination === undefined ? 0 : THIRD_PREDICATE) |
      (isFloat ? 0 : bitwise(2)) |
      (flush ? Flag.flushes : 0),
    build: (recipe) => {
      const read = (operand: Register) => recipe.extended(operand, bitsOf(type), type.startsWith("s"));
      const holds = recipe.compare(comparison, inverse, read(0), read(1));
      return finish(recipe, combined(recipe, combination, holds));
    },
  };
}

/** The first operand where the condition is 1, the second where it is 0. */
const select = (recipe: Recipe, condition: Register): Register =>
  recipe.step(recipe.kernels.comparisons, Comparison.select, [0, 1, condition]);

/** `selp.type` */
export function selpDefinition({ types: [type = ""] }: OperationParts): Definition | undefined {
  if (!isNarrow(type)) return undefined;
  return {
    flags: THIRD_PREDICATE | bitwise(2),
    build: (recipe) => recipe.extended(select(recipe, 2), bitsOf(type), false),
  };
}

/** Whether the third operand of `slct` is at least zero. */
export function isNotNegative(recipe: Recipe, by: string, flush: boolean): Register {
  if (by === "s32") return recipe.compare(Comparison.lessSigned, true, 2, recipe.constant(0));
  const number = flush ? recipe.float(FloatKernel.flush, LEAST_NORMAL, 2) : 2;
  return recipe.compare(Comparison.floatGreaterOrEqual, false, number, recipe.constant(0));
}

/** `slct{.ftz}.type.by` */
export function slctDefinition({
  types: [type = "", by = ""],
  flush,
}: OperationParts): Definition | undefined {
  if (!isNarrow(type) || (by !== "f32" && (by !== "s32" || flush))) return undefined;
  return {
    flags: bitwise(by === "s32" ? 3 : 2),
    build: (recipe) => recipe.extended(select(recipe, isNotNegative(recipe, by, flush)), bitsOf(type), false),
  };
}

/** Of the bits of a magnitude: the least, and how many there are. */
const TESTS: Readonly<Record<string, readonly [least: number, count: number]>> = {
  finite: [0, 0x7f800000],
  infinite: [0x7f800000, 1],
  number: [0, 0x7f800001],
  notanumber: [0x7f800001, 0x7fffff],
  normal: [0x00800000, 0x7f000000],
  subnormal: [1, 0x7fffff],
};

/** `testp.test.f32` */
export function testpDefinition({ types: [type], choice }: OperationParts): Definition | undefined {
  const test = TESTS[choice];
  if (test === undefined || type !== "f32") return undefined;
  return {
    flags: PREDICATE_RESULT,
    build: (recipe) => {
      const size = recipe.words(WordOperation.and, 0, recipe.constant(0x7fffffff));
      const distance = recipe.words(WordOperation.sub, size, recipe.constant(test[0]));
      return recipe.compare(Comparison.lessUnsigned, false, distance, recipe.constant(test[1]));
    },
  };
}

/** `mov.type` */
export function movDefinition({ types: [type] }: OperationParts): Definition | undefined {
  const build = (recipe: Recipe) => recipe.words(WordOperation.copy, 0);
  if (type === "pred") return { flags: Class.predicate | PREDICATE_RESULT | bitwise(1), build };
  return isNarrow(type) ? { flags: bitwise(1), build } : undefined;
}
