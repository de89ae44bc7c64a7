// Conversions between f32 and words, four rows at a time.
import { Conversion } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function convert(conversion: Conversion, a: v128): v128 {
  if (conversion == Conversion.toSigned) return i32x4.trunc_sat_f32x4_s(a);
  if (conversion == Conversion.toUnsigned) return i32x4.trunc_sat_f32x4_u(a);
  if (conversion == Conversion.fromSigned) return f32x4.convert_i32x4_s(a);
  return f32x4.convert_i32x4_u(a);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(conversion: Conversion, a: usize, target: usize, end: usize): void {
  do {
    const first = convert(conversion, v128.load(a));
    const second = convert(conversion, v128.load(a, 16));
    v128.store(target, first);
    v128.store(target, second, 16);
    a += 32;
    target += 32;
  } while (target < end);
}

export function conversions(step: usize, offset: usize, rows: usize): void {
  const a = addressOf(load<u32>(step, Step.a), offset);
  const target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (load<u32>(step, Step.extra) & 255) {
    case Conversion.toSigned: map(Conversion.toSigned, a, target, end); break;
    case Conversion.toUnsigned: map(Conversion.toUnsigned, a, target, end); break;
    case Conversion.fromSigned: map(Conversion.fromSigned, a, target, end); break;
    case Conversion.fromUnsigned: map(Conversion.fromUnsigned, a, target, end); break;
  }
}
