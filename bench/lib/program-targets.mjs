// What programs are searched or drawn for in benchmarks of models: operations, data of three inputs, and functions of these.

import { generator } from "./random.mjs";

/** The instructions of programs, of which some are transcendental. */
export const F32_OPERATIONS =
  "add.f32 sub.f32 mul.f32 fma.rn.f32 min.f32 max.f32 div.approx.f32 sqrt.approx.f32 rcp.approx.f32 sin.approx.f32 cos.approx.f32 ex2.approx.f32 lg2.approx.f32 neg.f32 abs.f32".split(
    " ",
  );

/** Functions of the three inputs. */
export const TARGETS = [
  (x, y, z) => x * y + Math.sin(2 * z),
  (x, y, z) => Math.exp(-x * x) * Math.cos(3 * y) + 0.5 * z,
  (x, y, z) => x / (1 + y * y) + z * Math.abs(z),
  (x, y, z) => Math.sqrt(x * x + y * y + 1) * Math.sin(z + x),
];

export const ROWS = 4096;
const random = generator(17);
/** The inputs, from -2 to 2. */
export const INPUTS = [0, 1, 2].map(() => Float32Array.from({ length: ROWS }, () => 4 * random() - 2));

/** The values of a function on all rows. */
export const valuesOf = (target) =>
  Float64Array.from(INPUTS[0], (_, row) => target(...INPUTS.map((column) => column[row])));
