// The sites of the fixtures for the CUDA header, which are the same for every compiler.
import type { AnnotatedPtx, Operand } from "../../src/index.js";

const LETTERS = { mod: "m", out: "o", in: "i" } as const;

/** An operand as its line in a marker. */
export const line = ({ register, direction, registerType, type, name }: Operand): string =>
  `${register} ${LETTERS[direction]} ${registerType} ${type} ${name}`;

/** The number of sites and the operands of each injection. */
export const summary = (annotated: AnnotatedPtx): Record<string, (string | number)[]> =>
  Object.fromEntries(
    annotated.injections.map(({ name, sites, operands }) => [name, [sites.length, ...operands.map(line)]]),
  );

/** Those of kinds.cu. */
export const KINDS = {
  named: [1, "_x0 m f32 F32 v_x", "_x1 o f32 F32 v_z", "_x2 i f32 F32 v_y"],
  twice: [2, "_x0 o f32 F32 z", "_x1 i f32 F32 x"],
  halves: [
    1,
    "_x0 m b32 F16X2 pair",
    "_x1 o b16 F16 result",
    "_x2 i b16 F16 constant",
    "_x3 i b16 F16 temporary",
    "_x4 i f32 ANGLE angle",
  ],
  step: [4, "_x0 m s32 S32 total", "_x1 o b32 B32 last", "_x2 i s32 S32 k", "_x3 i b32 MASK bits"],
  draw: [
    1,
    "_x0 m u32 PHILOX philox_ctr_x",
    "_x1 o u32 U32 drawn",
    "_x2 i u32 PHILOX philox_key_x",
    "_x3 i u32 PHILOX philox_key_y",
    "_x4 i u32 PHILOX philox_ctr_y",
    "_x5 i u32 PHILOX philox_ctr_z",
    "_x6 i u32 PHILOX philox_ctr_w",
  ],
};

const UNUSED = [1, "_x0 o f32 F32 unused", "_x1 i f32 F32 x"];
const Z_OF_X = [1, "_x0 o f32 F32 z", "_x1 i f32 F32 x"];
const named = (letter: string, prefix: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `_x${first + i} ${letter} f32 F32 ${prefix}${i}`);

/** Those of options.cu. */
export const OPTIONS = {
  volatile: UNUSED,
  memory: UNUSED,
  all_42: UNUSED,
  qualified: [
    1,
    "_x0 m b16 F16 changed",
    "_x1 o u32 U32 written",
    "_x2 i b16 F16 something",
    "_x3 i u32 U32 u[1]",
    "_x4 i b32 F16X2 *c",
    "_x5 i b32 F16X2 temporary",
    "_x6 i u32 U32 field",
    "_x7 i b32 F16X2 both",
  ],
  "50% of": [1, "_x0 m f32 F32 16", "_x1 i f32 F32 picked", '_x2 i f32 F32 x "y\\\\z"'],
  16: [1, "_x0 m f32 F32 scale"],
  macro: [1, "_x0 m f32 F32 scale"],
  numbered_0: Z_OF_X,
  numbered_12: Z_OF_X,
  full_0: [
    1,
    "_x0 m u32 PHILOX philox_ctr_x",
    ...named("m", "c", 1, 8),
    ...named("o", "b", 9, 8),
    ...named("i", "a", 17, 10),
    "_x27 i u32 PHILOX philox_key_x",
    "_x28 i u32 PHILOX philox_key_y",
    "_x29 i u32 PHILOX philox_ctr_y",
    "_x30 i u32 PHILOX philox_ctr_z",
    "_x31 i u32 PHILOX philox_ctr_w",
  ],
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`choice_${i}`, [...Z_OF_X, "_x2 i f32 F32 own"]]),
  ),
};
