// a * b + c of four f32, rounded once: by relaxed SIMD where it does that, else in f64, where products are exact. Sums whose
// low bits say that rounding them to f32 may be rounding twice are computed one by one.
import { LANES, type Vectors } from "./vectors.js";

/** Of both vectors the lower halves; the upper halves. */
const LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
/** All middles of neighbouring f32 have zeros here in f64; so have infinities and many NaNs. */
const SUSPECT = 0x0fffffffn;

/** Of the three vectors on the stack. */
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
