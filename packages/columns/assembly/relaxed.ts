// fma.rn.f32 with the machine's own instruction, where engines let WebAssembly use it. Engines may also round twice, which
// `squareLess` shows.
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

/** x * x - y, rounded once where this kernel may be used. */
export function squareLess(x: f32, y: f32): f32 {
  return f32x4.extract_lane(f32x4.relaxed_madd(f32x4.splat(x), f32x4.splat(x), f32x4.splat(-y)), 0);
}

/** Subnormal results become zeros if they are less than `Step.least`. */
export function fma(step: usize, offset: usize, rows: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const first = flush(f32x4.relaxed_madd(v128.load(a), v128.load(b), v128.load(c)), least);
    const second = flush(f32x4.relaxed_madd(v128.load(a, 16), v128.load(b, 16), v128.load(c, 16)), least);
    v128.store(target, first);
    v128.store(target, second, 16);
    a += 32;
    b += 32;
    c += 32;
    target += 32;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function flush(x: v128, least: v128): v128 {
  const small = f32x4.lt(f32x4.abs(x), least);
  return v128.andnot(x, v128.and(small, i32x4.splat(0x7fffffff)));
}
