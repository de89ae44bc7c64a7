// Helpers for definitions of operations with values of 64 bits, f16 and bf16.
import { Class, Flag } from "./layout.js";
import { type Recipe, type Register, withArgument } from "./recipe.js";
import type {
  DoubleOperation,
  HalfFlag,
  HalfOperation,
  LongOperation,
  LongTest,
  Widening,
} from "./wide-kernels.js";
import { AnyRounding, HalfFlag as HalfFlags } from "./wide-kernels.js";

/** Writes steps of kernels for these values. */
export class WideSteps {
  readonly recipe: Recipe;

  constructor(recipe: Recipe) {
    this.recipe = recipe;
  }

  long(operation: LongOperation, ...registers: readonly Register[]): Register {
    return this.recipe.step(this.recipe.kernels.longs, operation, registers);
  }

  test(test: LongTest, argument: number, ...registers: readonly Register[]): Register {
    return this.recipe.step(this.recipe.kernels.longTests, withArgument(test, argument), registers);
  }

  widen(widening: Widening, ...registers: readonly Register[]): Register {
    return this.recipe.step(this.recipe.kernels.widenings, widening, registers);
  }

  double(operation: DoubleOperation, argument: number, ...registers: readonly Register[]): Register {
    return this.recipe.step(this.recipe.kernels.doubles, withArgument(operation, argument), registers);
  }

  /** `flags` are `HalfFlag`s. */
  half(operation: HalfOperation, flags: number, ...registers: readonly Register[]): Register {
    return this.recipe.step(this.recipe.kernels.halves, withArgument(operation, flags), registers);
  }

  /** A column of 64-bit constants. */
  constant(bits: bigint): Register {
    return this.recipe.constant(Number(BigInt.asUintN(32, bits)), Number(BigInt.asUintN(64, bits) >> 32n));
  }
}

/** The flags for operands and a result with 8 bytes a row; `Class.word` for those with 4. */
export function classesOf(operands: readonly Class[], result: Class): number {
  const classes = operands.reduce<number>((bits, each, index) => bits | (each << (index * Class.bits)), 0);
  // A result may only overwrite an operand whose rows have the same size and so the same places.
  const apart = result === Class.double && operands.some((each) => each !== Class.double);
  return classes | (result << Flag.resultShift) | (apart ? Flag.apart : 0);
}

const ROUNDINGS: Readonly<Record<string, AnyRounding>> = {
  rz: AnyRounding.zero,
  rm: AnyRounding.down,
  rp: AnyRounding.up,
  rn: AnyRounding.nearest,
  rna: AnyRounding.nearestAway,
};

/** A rounding to a float. */
export const anyRounding = (rounding: string): AnyRounding | undefined => ROUNDINGS[rounding];

/** The flags that the kernel of halves needs: a type and a rounding. */
export function halfFlags(type: string, rounding: AnyRounding, flags: HalfFlag | 0 = 0): number {
  const brain = type.startsWith("bf16") ? HalfFlags.brain : 0;
  return flags | brain | (type.endsWith("x2") ? HalfFlags.pairs : 0) | (rounding << HalfFlags.roundingShift);
}
