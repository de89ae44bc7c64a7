// Helper functions of a translated module for f16: conversion to and from f32, and fused multiply-add.
import { Code } from "./binary/code.js";
import type { ModuleBuilder } from "./binary/module.js";

const NAN_16 = 0x7fff;
const INFINITY_16 = 0x7c00;
const NAN_32 = 0x7fffffffn;
/** 2^112: rebiases an f16 exponent that was shifted to the position of an f32 exponent. */
const REBIAS = 0x77800000n;

/** Adds a function that converts the bits of an f16 to an f32. */
export function halfToFloatFunction(builder: ModuleBuilder): number {
  const code = new Code(1);
  const half = 0;
  code.get(half).i32(INFINITY_16).op("i32.and").i32(INFINITY_16).op("i32.eq").if("f32");
  code.get(half).i32(0x3ff).op("i32.and").if("f32");
  code.f32(NAN_32).else();
  code.get(half).i32(16).op("i32.shl").i32(0x7f800000).op("i32.or").op("f32.reinterpret_i32").end();
  code.else();
  code
    .get(half)
    .i32(0x7fff)
    .op("i32.and")
    .i32(13)
    .op("i32.shl")
    .op("f32.reinterpret_i32")
    .f32(REBIAS)
    .op("f32.mul");
  code.get(half).i32(16).op("i32.shl").op("f32.reinterpret_i32").op("f32.copysign").end();
  const index = builder.function({ parameters: ["i32"], results: ["f32"] });
  builder.define(index, code);
  return index;
}

/**
 * 65536 and the least normal f16, as bits of f32; and 0.5, whose unit in the last place is that of the f16 subnormals.
 */
const TOO_LARGE = 0x47800000;
const LEAST_NORMAL = 0x38800000;
const ONE_HALF = 0x3f000000;
/** Subtracts 112 from the exponent and adds almost half of the part that is cut off. */
const REBIAS_AND_ROUND = -((112 << 23) - 0xfff);

/** Adds a function that converts an f32 to the bits of the nearest f16. */
export function floatToHalfFunction(builder: ModuleBuilder): number {
  const code = new Code(1);
  const size = code.local("i32");
  code.get(0).op("i32.reinterpret_f32").i32(0x7fffffff).op("i32.and").tee(size);
  code.i32(0x7f800000).op("i32.gt_u").if();
  code.i32(NAN_16).op("return").end();
  code.get(0).op("i32.reinterpret_f32").i32(16).op("i32.shr_u").i32(0x8000).op("i32.and");
  code.get(size).i32(TOO_LARGE).op("i32.ge_u").if("i32");
  code.i32(INFINITY_16).else();
  code.get(size).i32(LEAST_NORMAL).op("i32.lt_u").if("i32");
  code.get(size).op("f32.reinterpret_i32").f32(BigInt(ONE_HALF)).op("f32.add");
  code.op("i32.reinterpret_f32").i32(ONE_HALF).op("i32.sub").else();
  code.get(size).i32(REBIAS_AND_ROUND).op("i32.add");
  code.get(size).i32(13).op("i32.shr_u").i32(1).op("i32.and").op("i32.add").i32(13).op("i32.shr_u");
  code.end().end().op("i32.or");
  const index = builder.function({ parameters: ["f32"], results: ["i32"] });
  builder.define(index, code);
  return index;
}

/** Adds a function a * b + c of f16 with a single rounding: f64 holds the sum exactly. */
export function fmaHalfFunction(builder: ModuleBuilder, halfToFloat: number, doubleToHalf: number): number {
  const code = new Code(3);
  const wide = (half: number) => code.get(half).call(halfToFloat).op("f64.promote_f32");
  wide(0);
  wide(1);
  code.op("f64.mul");
  wide(2);
  code.op("f64.add").call(doubleToHalf);
  const index = builder.function({ parameters: ["i32", "i32", "i32"], results: ["i32"] });
  builder.define(index, code);
  return index;
}

/**
 * Adds a function that converts an f64 to the bits of the nearest f16. It rounds to odd in f32 first, so that the rounding to f16 is
 * correct.
 */
export function doubleToHalfFunction(builder: ModuleBuilder, floatToHalf: number): number {
  const code = new Code(1);
  const sum = 0;
  const single = code.local("f32");
  const bits = code.local("i32");
  code.get(sum).op("f32.demote_f64").tee(single).op("i32.reinterpret_f32").set(bits);
  code
    .get(single)
    .op("f64.promote_f32")
    .get(sum)
    .op("f64.ne")
    .get(bits)
    .i32(1)
    .op("i32.and")
    .op("i32.eqz")
    .op("i32.and")
    .if();
  // Moves toward the exact sum: a larger magnitude has larger bits, whatever the sign.
  code.get(bits).i32(-1).i32(1);
  code
    .get(single)
    .op("f64.promote_f32")
    .op("f64.abs")
    .get(sum)
    .op("f64.abs")
    .op("f64.gt")
    .op("select")
    .op("i32.add");
  code.op("f32.reinterpret_i32").set(single).end();
  code.get(single).call(floatToHalf);
  const index = builder.function({ parameters: ["f64"], results: ["i32"] });
  builder.define(index, code);
  return index;
}
