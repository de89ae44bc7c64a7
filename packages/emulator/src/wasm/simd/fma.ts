// a * b + c of four f32 with a single rounding: by relaxed SIMD where it rounds once, otherwise in f64, in which
// products are exact. Sums whose low bits show a risk of double rounding to f32 are computed one by one.
import { LANES, type Vectors } from "./vectors.js";

/** Byte indices of the lower halves of two vectors, and of their upper halves. */
const LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
/** These bits of an f64 are 0 in all midpoints of neighbouring f32 values, and also in infinities and many NaNs. */
const SUSPECT = 0x0fffffffn;

/** Replaces the three vectors on the stack by a * b + c. */
export function multiplyAdd(vectors: Vectors): void {
  const { code, facts } = vectors;
  if (facts.fusedMultiplyAdd) {
    code.op("f32x4.relaxed_madd");
    return;
  }
  withVectors(vectors, 6, ([a, b, c, low, high, result]) => {
    code.set(c!).set(b!).set(a!);
    const wide = (value: number, isUpper: boolean) => {
      code.get(value);
      if (isUpper) code.get(value).shuffle(UPPER);
      code.op("f64x2.promote_low_f32x4");
    };
    for (const sum of [low!, high!]) {
      wide(a!, sum === high);
      wide(b!, sum === high);
      code.op("f64x2.mul");
      wide(c!, sum === high);
      code.op("f64x2.add").set(sum);
    }
    code
      .get(low!)
      .op("f32x4.demote_f64x2_zero")
      .get(high!)
      .op("f32x4.demote_f64x2_zero")
      .shuffle(LOWER)
      .set(result!);
    for (const sum of [low!, high!]) {
      code.get(sum).v128([SUSPECT, SUSPECT], 64).op("v128.and").v128([0n, 0n], 64).op("i64x2.eq");
    }
    code.op("v128.or").op("v128.any_true").if();
    for (let lane = 0; lane < LANES; lane++) {
      code.get(result!);
      for (const value of [a!, b!, c!]) code.get(value).lane("f32x4.extract_lane", lane);
      code.call(facts.module.fma32()).lane("f32x4.replace_lane", lane).set(result!);
    }
    code.end().get(result!);
  });
}

function withVectors({ code }: Vectors, count: number, use: (locals: readonly number[]) => void): void {
  const take = (locals: readonly number[]): void => {
    if (locals.length === count) use(locals);
    else code.scratch("v128", (local) => take([...locals, local]));
  };
  take([]);
}
