// Kernels whose results have 64 bits, of words.
import { Step } from "../src/machine/layout.js";
import { Widening } from "../src/machine/wide-kernels.js";
import { addressOf } from "./lanes.js";

/** The f64 NaN that results from the NaN of a narrower type, and an integer that results from a NaN. */
const CONVERTED: u64 = 0x7fffffffe0000000;
const NO_INTEGER: u64 = 0x8000000000000000;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function widen(widening: Widening, a: usize, b: usize): u64 {
  if (widening == Widening.signed) return <u64><i64>load<i32>(a);
  if (widening == Widening.unsigned) return load<u32>(a);
  if (widening == Widening.signedToDouble) return reinterpret<u64>(<f64>load<i32>(a));
  if (widening == Widening.unsignedToDouble) return reinterpret<u64>(<f64>load<u32>(a));
  if (widening == Widening.mulSigned) return <u64>(<i64>load<i32>(a) * <i64>load<i32>(b));
  if (widening == Widening.mulUnsigned) return <u64>load<u32>(a) * <u64>load<u32>(b);
  const x = load<f32>(a);
  if (widening == Widening.floatToDouble) return x != x ? CONVERTED : reinterpret<u64>(<f64>x);
  if (widening == Widening.floatToSigned) return x != x ? NO_INTEGER : <u64><i64>x;
  return x != x ? NO_INTEGER : <u64>x;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(widening: Widening, a: usize, b: usize, target: usize, end: usize): void {
  do {
    store<u64>(target, widen(widening, a, b));
    a += 4;
    b += 4;
    target += 8;
  } while (target < end);
}

export function widenings(step: usize, offset: usize, rows: usize): void {
  const a = addressOf(load<u32>(step, Step.a), offset);
  const b = addressOf(load<u32>(step, Step.b), offset);
  const target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 3);
  switch (load<u32>(step, Step.extra) & 255) {
    case Widening.signed: map(Widening.signed, a, b, target, end); break;
    case Widening.unsigned: map(Widening.unsigned, a, b, target, end); break;
    case Widening.floatToDouble: map(Widening.floatToDouble, a, b, target, end); break;
    case Widening.signedToDouble: map(Widening.signedToDouble, a, b, target, end); break;
    case Widening.unsignedToDouble: map(Widening.unsignedToDouble, a, b, target, end); break;
    case Widening.floatToSigned: map(Widening.floatToSigned, a, b, target, end); break;
    case Widening.floatToUnsigned: map(Widening.floatToUnsigned, a, b, target, end); break;
    case Widening.mulSigned: map(Widening.mulSigned, a, b, target, end); break;
    case Widening.mulUnsigned: map(Widening.mulUnsigned, a, b, target, end); break;
  }
}
