// Opcodes of WebAssembly by name (core specification, Index of Instructions). The upper part of a number holds its
// prefix byte: 0xfd0e4 is opcode 0xe4 after the prefix 0xfd. Lists name consecutive opcodes.

const numbered = <const Names extends readonly string[]>(first: number, names: Names) =>
  Object.fromEntries(names.map((name, i) => [name, first + i])) as Record<Names[number], number>;

const COMPARED = ["lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"] as const;
const INTEGER = [
  ...(["clz", "ctz", "popcnt", "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u"] as const),
  ...(["and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr"] as const),
] as const;
const FLOAT = [
  ...(["abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"] as const),
  ...(["add", "sub", "mul", "div", "min", "max", "copysign"] as const),
] as const;
const ORDERED = ["eq", "ne", "lt", "gt", "le", "ge"] as const;

const of = <const Type extends string, const Names extends readonly string[]>(type: Type, names: Names) =>
  names.map((name) => `${type}.${name}`) as { [I in keyof Names]: `${Type}.${Names[I] & string}` };

/** The prefix byte of a group of opcodes, in the position where {@link OPCODES} holds it. */
const MISC = 0xfc000;
const SIMD = 0xfd000;
const ATOMIC = 0xfe000;

/** The numbers of all opcodes that the translator emits. */
export const OPCODES = Object.freeze({
  unreachable: 0x00,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
  ...numbered(0x28, of("i32", ["load"])),
  ...numbered(0x29, of("i64", ["load"])),
  ...numbered(0x2a, of("f32", ["load"])),
  ...numbered(0x2b, of("f64", ["load"])),
  ...numbered(0x2c, of("i32", ["load8_s", "load8_u", "load16_s", "load16_u"])),
  ...numbered(0x30, of("i64", ["load8_s", "load8_u", "load16_s", "load16_u", "load32_s", "load32_u"])),
  ...numbered(0x36, of("i32", ["store"])),
  ...numbered(0x37, of("i64", ["store"])),
  ...numbered(0x38, of("f32", ["store"])),
  ...numbered(0x39, of("f64", ["store"])),
  ...numbered(0x3a, of("i32", ["store8", "store16"])),
  ...numbered(0x3c, of("i64", ["store8", "store16", "store32"])),
  ...numbered(0x45, of("i32", ["eqz", "eq", "ne", ...COMPARED])),
  ...numbered(0x50, of("i64", ["eqz", "eq", "ne", ...COMPARED])),
  ...numbered(0x5b, of("f32", ORDERED)),
  ...numbered(0x61, of("f64", ORDERED)),
  ...numbered(0x67, of("i32", INTEGER)),
  ...numbered(0x79, of("i64", INTEGER)),
  ...numbered(0x8b, of("f32", FLOAT)),
  ...numbered(0x99, of("f64", FLOAT)),
  ...numbered(0xa7, of("i32", ["wrap_i64"])),
  ...numbered(0xac, of("i64", ["extend_i32_s", "extend_i32_u"])),
  ...numbered(0xb2, of("f32", ["convert_i32_s", "convert_i32_u", "convert_i64_s", "convert_i64_u"])),
  ...numbered(0xb6, of("f32", ["demote_f64"])),
  ...numbered(0xb7, of("f64", ["convert_i32_s", "convert_i32_u", "convert_i64_s", "convert_i64_u"])),
  ...numbered(0xbb, of("f64", ["promote_f32"])),
  ...numbered(0xbc, of("i32", ["reinterpret_f32"])),
  ...numbered(0xbd, of("i64", ["reinterpret_f64"])),
  ...numbered(0xbe, of("f32", ["reinterpret_i32"])),
  ...numbered(0xbf, of("f64", ["reinterpret_i64"])),
  ...numbered(0xc0, of("i32", ["extend8_s", "extend16_s"])),
  ...numbered(0xc2, of("i64", ["extend8_s", "extend16_s", "extend32_s"])),
  ...numbered(MISC, of("i32", ["trunc_sat_f32_s", "trunc_sat_f32_u", "trunc_sat_f64_s", "trunc_sat_f64_u"])),
  ...numbered(
    MISC + 4,
    of("i64", ["trunc_sat_f32_s", "trunc_sat_f32_u", "trunc_sat_f64_s", "trunc_sat_f64_u"]),
  ),
  ...numbered(SIMD, of("v128", ["load"])),
  ...numbered(
    SIMD + 0x07,
    of("v128", ["load8_splat", "load16_splat", "load32_splat", "load64_splat", "store"]),
  ),
  ...numbered(SIMD + 0x11, of("i32x4", ["splat"])),
  ...numbered(SIMD + 0x12, of("i64x2", ["splat"])),
  ...numbered(SIMD + 0x13, of("f32x4", ["splat"])),
  ...numbered(SIMD + 0x14, of("f64x2", ["splat"])),
  ...numbered(SIMD + 0x1b, of("i32x4", ["extract_lane", "replace_lane"])),
  ...numbered(SIMD + 0x1d, of("i64x2", ["extract_lane", "replace_lane"])),
  ...numbered(SIMD + 0x1f, of("f32x4", ["extract_lane", "replace_lane"])),
  ...numbered(SIMD + 0x21, of("f64x2", ["extract_lane", "replace_lane"])),
  ...numbered(SIMD + 0x37, of("i32x4", ["eq", "ne", ...COMPARED])),
  ...numbered(SIMD + 0x41, of("f32x4", ORDERED)),
  ...numbered(SIMD + 0x47, of("f64x2", ORDERED)),
  ...numbered(SIMD + 0x4d, of("v128", ["not", "and", "andnot", "or", "xor", "bitselect", "any_true"])),
  ...numbered(SIMD + 0x5e, of("f32x4", ["demote_f64x2_zero"])),
  ...numbered(SIMD + 0x5f, of("f64x2", ["promote_low_f32x4"])),
  ...numbered(SIMD + 0x67, of("f32x4", ["ceil", "floor", "trunc", "nearest"])),
  ...numbered(SIMD + 0x74, of("f64x2", ["ceil", "floor"])),
  ...numbered(SIMD + 0x7a, of("f64x2", ["trunc"])),
  ...numbered(SIMD + 0x94, of("f64x2", ["nearest"])),
  ...numbered(SIMD + 0xa0, of("i32x4", ["abs", "neg"])),
  ...numbered(SIMD + 0xa3, of("i32x4", ["all_true", "bitmask"])),
  ...numbered(SIMD + 0xab, of("i32x4", ["shl", "shr_s", "shr_u", "add"])),
  ...numbered(SIMD + 0xb1, of("i32x4", ["sub"])),
  ...numbered(SIMD + 0xb5, of("i32x4", ["mul", "min_s", "min_u", "max_s", "max_u"])),
  ...numbered(SIMD + 0xc0, of("i64x2", ["abs", "neg"])),
  ...numbered(SIMD + 0xc3, of("i64x2", ["all_true", "bitmask"])),
  ...numbered(SIMD + 0xc7, of("i64x2", ["extend_low_i32x4_s", "extend_high_i32x4_s"])),
  ...numbered(SIMD + 0xc9, of("i64x2", ["extend_low_i32x4_u", "extend_high_i32x4_u"])),
  ...numbered(SIMD + 0xcb, of("i64x2", ["shl", "shr_s", "shr_u", "add"])),
  ...numbered(SIMD + 0xd1, of("i64x2", ["sub"])),
  ...numbered(SIMD + 0xd5, of("i64x2", ["mul", "eq", "ne", "lt_s", "gt_s", "le_s", "ge_s"])),
  ...numbered(SIMD + 0xdc, of("i64x2", ["extmul_low_i32x4_s", "extmul_high_i32x4_s"])),
  ...numbered(SIMD + 0xde, of("i64x2", ["extmul_low_i32x4_u", "extmul_high_i32x4_u"])),
  ...numbered(SIMD + 0xe0, of("f32x4", ["abs", "neg"])),
  ...numbered(SIMD + 0xe3, of("f32x4", ["sqrt", "add", "sub", "mul", "div", "min", "max"])),
  ...numbered(SIMD + 0xec, of("f64x2", ["abs", "neg"])),
  ...numbered(SIMD + 0xef, of("f64x2", ["sqrt", "add", "sub", "mul", "div", "min", "max"])),
  ...numbered(SIMD + 0xf8, of("i32x4", ["trunc_sat_f32x4_s", "trunc_sat_f32x4_u"])),
  ...numbered(SIMD + 0xfa, of("f32x4", ["convert_i32x4_s", "convert_i32x4_u"])),
  ...numbered(SIMD + 0xfe, of("f64x2", ["convert_low_i32x4_s", "convert_low_i32x4_u"])),
  ...numbered(SIMD + 0x105, of("f32x4", ["relaxed_madd"])),
  ...numbered(SIMD + 0x107, of("f64x2", ["relaxed_madd"])),
  ...numbered(ATOMIC + 0x10, of("i32.atomic", ["load"])),
  ...numbered(ATOMIC + 0x11, of("i64.atomic", ["load"])),
  ...numbered(ATOMIC + 0x12, of("i32.atomic", ["load8_u", "load16_u"])),
  ...numbered(ATOMIC + 0x17, of("i32.atomic", ["store"])),
  ...numbered(ATOMIC + 0x18, of("i64.atomic", ["store"])),
  ...numbered(ATOMIC + 0x19, of("i32.atomic", ["store8", "store16"])),
  ...numbered(ATOMIC + 0x1e, of("i32.atomic.rmw", ["add"])),
  ...numbered(ATOMIC + 0x1f, of("i64.atomic.rmw", ["add"])),
  ...numbered(ATOMIC + 0x2c, of("i32.atomic.rmw", ["and"])),
  ...numbered(ATOMIC + 0x2d, of("i64.atomic.rmw", ["and"])),
  ...numbered(ATOMIC + 0x33, of("i32.atomic.rmw", ["or"])),
  ...numbered(ATOMIC + 0x34, of("i64.atomic.rmw", ["or"])),
  ...numbered(ATOMIC + 0x3a, of("i32.atomic.rmw", ["xor"])),
  ...numbered(ATOMIC + 0x3b, of("i64.atomic.rmw", ["xor"])),
  ...numbered(ATOMIC + 0x41, of("i32.atomic.rmw", ["xchg"])),
  ...numbered(ATOMIC + 0x42, of("i64.atomic.rmw", ["xchg"])),
  ...numbered(ATOMIC + 0x48, of("i32.atomic.rmw", ["cmpxchg"])),
  ...numbered(ATOMIC + 0x49, of("i64.atomic.rmw", ["cmpxchg"])),
  ...numbered(ATOMIC + 0x4b, of("i32.atomic.rmw16", ["cmpxchg_u"])),
});

/** The name of an opcode without immediates, or of a load, a store or a lane access. */
export type Opcode = keyof typeof OPCODES;

/** The same numbers, for look-ups by names that differ from call to call, which a map answers three times as fast. */
export const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(OPCODES));

/** The types of locals and stack values, numbered as in the format. */
export const STACK_TYPES = Object.freeze({ i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b });

export type StackType = keyof typeof STACK_TYPES;
