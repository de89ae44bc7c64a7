// Part of host.hpp: conversions between integers, f32 and f64.

// Conversions. Integers on the way are wider than any of their types.
static s128 integer_of(u64 a, int bits, bool is_signed) {
  if (bits < 64) a &= (1ull << bits) - 1;
  if (is_signed && (a >> (bits - 1)) & 1) return (s128)a - ((s128)1 << bits);
  return a;
}
static s128 clamped(s128 x, int bits, bool is_signed) {
  s128 least = is_signed ? -((s128)1 << (bits - 1)) : 0, most = least + ((s128)1 << bits) - 1;
  return x < least ? least : x > most ? most : x;
}
static u64 to_integer(u64 flags, s128 x, int bits, bool is_signed) {
  if (flags & sat) x = clamped(x, bits, is_signed);
  return (u64)integer_of((u64)x, bits, is_signed);
}
#define CVT_INTEGERS(to, to_bits, to_signed, from, from_bits, from_signed) \
  static u64 cvt_##to##_##from(u64 flags, u64 a) { return to_integer(flags, integer_of(a, from_bits, from_signed), to_bits, to_signed); }
#define CVT_FROM_INTEGER(from, from_bits, from_signed, type) \
  CVT_INTEGERS(u32, 32, false, from, from_bits, from_signed) CVT_INTEGERS(s32, 32, true, from, from_bits, from_signed) \
  CVT_INTEGERS(u64, 64, false, from, from_bits, from_signed) CVT_INTEGERS(s64, 64, true, from, from_bits, from_signed) \
  CVT_INTEGERS(u8, 8, false, from, from_bits, from_signed) CVT_INTEGERS(s8, 8, true, from, from_bits, from_signed) \
  CVT_INTEGERS(u16, 16, false, from, from_bits, from_signed) CVT_INTEGERS(s16, 16, true, from, from_bits, from_signed)
CVT_FROM_INTEGER(u32, 32, false, u32) CVT_FROM_INTEGER(s32, 32, true, s32)
CVT_FROM_INTEGER(u64, 64, false, u64) CVT_FROM_INTEGER(s64, 64, true, s64)
CVT_FROM_INTEGER(u8, 8, false, u32) CVT_FROM_INTEGER(s8, 8, true, s32)
CVT_FROM_INTEGER(u16, 16, false, u32) CVT_FROM_INTEGER(s16, 16, true, s32)
#define CVT_TO_FLOAT(from, type) \
  static u64 cvt_f32_##from(u64 flags, u64 a) { volatile type x = (type)a; Rounding rounding(flags); volatile float y = (float)x; return raw((float)y); } \
  static u64 cvt_f64_##from(u64 flags, u64 a) { volatile type x = (type)a; Rounding rounding(flags); volatile double y = (double)x; return raw((double)y); }
CVT_TO_FLOAT(u32, u32) CVT_TO_FLOAT(s32, s32) CVT_TO_FLOAT(u64, u64) CVT_TO_FLOAT(s64, s64)
static double whole(u64 flags, double x) {
  return flags & rni ? __builtin_nearbyint(x) : flags & rmi ? __builtin_floor(x) : flags & rpi ? __builtin_ceil(x) : __builtin_trunc(x);
}
// A NaN becomes 0; where f64 or 64 bits take part, the highest bit.
static u64 from_float(u64 flags, double x, int bits, bool is_signed, bool is_double) {
  if (x != x) return is_double || bits == 64 ? 1ull << (bits - 1) : 0;
  x = whole(flags, x);
  s128 wide_value = x >= 0x1p100 ? (s128)1 << 100 : x <= -0x1p100 ? -((s128)1 << 100) : (s128)x;
  u64 result = (u64)clamped(wide_value, bits, is_signed);
  return bits == 64 ? result : (u32)result;
}
#define CVT_FLOAT_TO_INTEGER(to, bits, is_signed) \
  static u64 cvt_##to##_f32(u64 flags, u64 a) { return from_float(flags, in32(flags, a), bits, is_signed, false); } \
  static u64 cvt_##to##_f64(u64 flags, u64 a) { return from_float(flags, f64(a), bits, is_signed, true); }
CVT_FLOAT_TO_INTEGER(u32, 32, false) CVT_FLOAT_TO_INTEGER(s32, 32, true)
CVT_FLOAT_TO_INTEGER(u64, 64, false) CVT_FLOAT_TO_INTEGER(s64, 64, true)
static u64 cvt_f32_f32(u64 flags, u64 a) {
  float x = in32(flags, a);
  return out32(flags, flags & (rni | rzi | rmi | rpi) ? (float)whole(flags, x) : x);
}
static u64 cvt_f64_f64(u64 flags, u64 a) { return f64(a) != f64(a) ? a | 0x0008000000000000 : raw(whole(flags, f64(a))); }
static u64 cvt_f32_f64(u64 flags, u64 a) {
  volatile double x = f64(a);
  volatile float y;
  { Rounding rounding(flags); y = (float)x; }
  return out32(flags, y);
}
// A NaN of f32 is the canonical one first.
static u64 cvt_f64_f32(u64 flags, u64 a) {
  float x = in32(flags, a);
  return x != x ? 0x7fffffffe0000000 : raw((double)x);
}
