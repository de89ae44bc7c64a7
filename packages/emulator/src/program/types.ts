// The types of PTX values (PTX ISA, Fundamental Types), as data.

/** A PTX type, without its dot. */
export type PtxType =
  | "pred"
  | "b8"
  | "u8"
  | "s8"
  | "b16"
  | "u16"
  | "s16"
  | "f16"
  | "bf16"
  | "b32"
  | "u32"
  | "s32"
  | "f32"
  | "f16x2"
  | "bf16x2"
  | "u16x2"
  | "s16x2"
  | "tf32"
  | "e4m3"
  | "e5m2"
  | "e4m3x2"
  | "e5m2x2"
  | "f32x2"
  | "b64"
  | "u64"
  | "s64"
  | "f64"
  | "b128";

/** How the bits of a value are interpreted. */
export type TypeClass = "pred" | "bits" | "unsigned" | "signed" | "float";

interface TypeFacts {
  readonly bits: number;
  readonly class: TypeClass;
  /** The number of values that one register holds: 2 for `f16x2` and similar types. */
  readonly lanes: 1 | 2;
}

const facts = (bits: number, kind: TypeClass, lanes: 1 | 2 = 1): TypeFacts =>
  Object.freeze({ bits, class: kind, lanes });

/** The properties of each type. A predicate takes one bit. */
export const TYPES: Readonly<Record<PtxType, TypeFacts>> = Object.freeze({
  pred: facts(1, "pred"),
  b8: facts(8, "bits"),
  u8: facts(8, "unsigned"),
  s8: facts(8, "signed"),
  b16: facts(16, "bits"),
  u16: facts(16, "unsigned"),
  s16: facts(16, "signed"),
  f16: facts(16, "float"),
  bf16: facts(16, "float"),
  b32: facts(32, "bits"),
  u32: facts(32, "unsigned"),
  s32: facts(32, "signed"),
  f32: facts(32, "float"),
  tf32: facts(32, "float"),
  f16x2: facts(32, "float", 2),
  bf16x2: facts(32, "float", 2),
  u16x2: facts(32, "unsigned", 2),
  s16x2: facts(32, "signed", 2),
  e4m3: facts(8, "float"),
  e5m2: facts(8, "float"),
  e4m3x2: facts(16, "float", 2),
  e5m2x2: facts(16, "float", 2),
  f32x2: facts(64, "float", 2),
  b64: facts(64, "bits"),
  u64: facts(64, "unsigned"),
  s64: facts(64, "signed"),
  f64: facts(64, "float"),
  b128: facts(128, "bits"),
});

/** The kind of number in which a register's value is kept: an integer or a float of 32 or 64 bits. */
export type ValueType = "i32" | "i64" | "f32" | "f64";
