// The bit operations on numbers that elementary.ts of @mm-ptx/types/core needs, for WebAssembly; powers.ts beside it
// has them for JavaScript.

/** 2 to the power of an integer from -160 to 160. */
export function powerOfTwo(exponent: f64): f64 {
  return reinterpret<f64>((<i64>exponent + 1023) << 52);
}

/** The exponent of a positive finite f32, subnormal or not: x is 2^exponent times a number in [1, 2). */
export function exponentOf(x: f64): f64 {
  return <f64>(<i32>(reinterpret<u64>(x) >> 52) - 1023);
}
