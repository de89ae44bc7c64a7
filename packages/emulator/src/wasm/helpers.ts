// Helper functions of a translated module that many instructions share.
import { INVALID_NAN_64, QUIET_64 } from "@mm-ptx/types/internal/floats";
import { Code } from "./binary/code.js";
import type { ModuleBuilder } from "./binary/module.js";

const EXPONENT_64 = 0x7ff0000000000000n;
const SIZE_64 = 0x7fffffffffffffffn;

/** Adds a function that returns the first NaN of three numbers, made quiet, or the NaN of an invalid operation. */
export function nan64Function(builder: ModuleBuilder): number {
  const code = new Code(3);
  for (let i = 0; i < 3; i++) {
    code.get(i).op("i64.reinterpret_f64").i64(SIZE_64).op("i64.and").i64(EXPONENT_64).op("i64.gt_u").if();
    code
      .get(i)
      .op("i64.reinterpret_f64")
      .i64(QUIET_64)
      .op("i64.or")
      .op("f64.reinterpret_i64")
      .op("return")
      .end();
  }
  code.f64(INVALID_NAN_64);
  const index = builder.function({ parameters: ["f64", "f64", "f64"], results: ["f64"] });
  builder.define(index, code);
  return index;
}

/** Shifting an f64 by this keeps its low 28 bits, which are all 0 at the midpoint of two neighbouring f32 values. */
const SUSPECT_SHIFT = 4;

/**
 * Adds a function a * b + c of f32 with a single rounding. The product is exact in f64, and the rounding of the sum is
 * harmless unless its low bits show that it may be close to the midpoint of two f32 values. In that case it is rounded
 * to odd (Boldo and Melquiond, Emulation of FMA, 2008).
 */
export function fma32Function(builder: ModuleBuilder): number {
  const code = new Code(3);
  const [a, b, c] = [0, 1, 2];
  const product = code.local("f64");
  const sum = code.local("f64");
  const part = code.local("f64");
  const error = code.local("f64");
  const inexact = code.local("i32");
  code.get(a).op("f64.promote_f32").get(b).op("f64.promote_f32").op("f64.mul").tee(product);
  code.get(c).op("f64.promote_f32").op("f64.add").tee(sum);
  code.op("i64.reinterpret_f64").op("i32.wrap_i64").i32(SUSPECT_SHIFT).op("i32.shl").op("i32.eqz").if();
  // The exact rounding error of the sum: error = (product - (sum - part)) + (c - part), where part = sum - product.
  code.get(sum).get(product).op("f64.sub").set(part);
  code.get(product).get(sum).get(part).op("f64.sub").op("f64.sub");
  code.get(c).op("f64.promote_f32").get(part).op("f64.sub").op("f64.add").set(error);
  // This form is false for NaNs, which infinities produce here.
  code.get(error).f64(0n).op("f64.lt").get(error).f64(0n).op("f64.gt").op("i32.or").set(inexact);
  code.get(sum).op("i64.reinterpret_f64");
  code.get(error).f64(0n).op("f64.lt").get(sum).f64(0n).op("f64.lt").op("i32.ne").get(inexact).op("i32.and");
  code.op("i64.extend_i32_u").op("i64.sub");
  code.get(inexact).op("i64.extend_i32_u").op("i64.or").op("f64.reinterpret_i64").set(sum);
  code.end().get(sum).op("f32.demote_f64");
  const index = builder.function({ parameters: ["f32", "f32", "f32"], results: ["f32"] });
  builder.define(index, code);
  return index;
}

/** Adds a function a * b + c of f64 with a single rounding, for machines whose f64x2.relaxed_madd has that. */
export function fma64Function(builder: ModuleBuilder, nan64: number): number {
  const code = new Code(3);
  const sum = code.local("f64");
  for (let i = 0; i < 3; i++) code.get(i).op("f64x2.splat");
  code.op("f64x2.relaxed_madd").lane("f64x2.extract_lane", 0).tee(sum).get(sum).op("f64.ne").if();
  for (let i = 0; i < 3; i++) code.get(i);
  code.call(nan64).set(sum).end().get(sum);
  const index = builder.function({ parameters: ["f64", "f64", "f64"], results: ["f64"] });
  builder.define(index, code);
  return index;
}

/** Adds a function that returns the upper half of the product of two unsigned 64-bit numbers. */
export function multiplyHighFunction(builder: ModuleBuilder): number {
  const code = new Code(2);
  const low = (local: number) => code.get(local).i64(0xffffffffn).op("i64.and");
  const high = (local: number) => code.get(local).i64(32n).op("i64.shr_u");
  const [a, b] = [0, 1];
  const middle = code.local("i64");
  const other = code.local("i64");
  // The middle parts cannot overflow: (2^32 - 1)^2 + 2^32 - 1 is below 2^64.
  low(a);
  low(b);
  code.op("i64.mul").i64(32n).op("i64.shr_u");
  high(a);
  low(b);
  code.op("i64.mul").op("i64.add").set(middle);
  low(a);
  high(b);
  code.op("i64.mul");
  low(middle);
  code.op("i64.add").set(other);
  high(a);
  high(b);
  code.op("i64.mul");
  high(middle);
  code.op("i64.add");
  high(other);
  code.op("i64.add");
  const index = builder.function({ parameters: ["i64", "i64"], results: ["i64"] });
  builder.define(index, code);
  return index;
}
