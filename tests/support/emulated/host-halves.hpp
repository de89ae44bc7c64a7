// Part of host.hpp: f16, bf16 and pairs of them, with their conversions.

// f16 and bf16: computed in f64 so that a second rounding does no harm, then rounded to the format. NaN is 0x7fff.
struct Format { int fraction, least_exponent; double greatest; u64 infinity, one; };
static const Format F16 = {10, -14, 65504.0, 0x7c00, 0x3c00}, BF16 = {7, -126, 0x1.fep127, 0x7f80, 0x3f80};
static bool is_nan16(const Format& f, u64 bits) { return (bits & 0x7fff) > f.infinity; }
static double in16(const Format& f, u64 flags, u64 bits) {
  u64 exponent = (bits & 0x7fff) >> f.fraction, fraction = bits & ((1ull << f.fraction) - 1);
  double size = __builtin_ldexp((double)(exponent ? fraction | (1ull << f.fraction) : fraction), (exponent ? (int)exponent - 1 : 0) + f.least_exponent - f.fraction);
  if ((bits & 0x7fff) == f.infinity) size = __builtin_inf();
  if (is_nan16(f, bits)) size = __builtin_nan("");
  if (flags & ftz && exponent == 0) size = 0;
  return bits & 0x8000 ? -size : size;
}
/** The nearest of the format, or that of the rounding in flags. */
static u64 out16(const Format& f, u64 flags, long double x) {
  if (flags & relu && x < 0) x = 0;
  if (flags & sat) x = x > 0 ? (x < 1 ? x : 1.0L) : 0.0L;
  if (x != x) return 0x7fff;
  u64 sign = __builtin_signbit(x) ? 0x8000 : 0;
  if (flags & relu) sign = 0;
  long double size = __builtin_fabsl(x);
  if (size == __builtin_infl()) return sign | f.infinity;
  if (size == 0) return sign;
  int exponent = __builtin_ilogbl(size);
  if (exponent < f.least_exponent) exponent = f.least_exponent;
  volatile long double steps = __builtin_ldexpl(sign ? -size : size, f.fraction - exponent), rounded;
  { Rounding rounding(flags); rounded = __builtin_nearbyintl(steps); }
  u64 bits = (u64)__builtin_fabsl(rounded);
  // Counts of steps and exponents together are the bits, also where rounding carries.
  bits += (u64)(exponent - f.least_exponent) << f.fraction;
  if (bits >= f.infinity) {
    bool away = flags & rz ? false : flags & rm ? sign != 0 : flags & rp ? sign == 0 : true;
    bits = away ? f.infinity : f.infinity - 1;
  }
  if (flags & ftz && bits < (1ull << f.fraction)) bits = 0;
  return sign | bits;
}
/** a * b + c towards zero, its last bit set where something was cut off. */
static double odd_fma(double x, double y, double z) {
  volatile double a = x, b = y, c = z, result;
  Rounding rounding(rz);
  feclearexcept(FE_INEXACT);
  result = __builtin_fma(a, b, c);
  u64 bits = raw((double)result);
  return fetestexcept(FE_INEXACT) ? f64(bits | 1) : f64(bits);
}
static u64 extreme16(const Format& f, u64 flags, u64 p, u64 q, bool least) {
  double a = in16(f, flags, p), b = in16(f, flags, q);
  bool negative = flags & xorsign && ((p ^ q) & 0x8000);
  if (flags & abs_) a = __builtin_fabs(a), b = __builtin_fabs(b);
  if ((a != a && b != b) || (flags & NaN && (a != a || b != b))) return 0x7fff;
  double x = a != a ? b : b != b ? a : less(a, b) == least ? a : b;
  return out16(f, 0, negative ? -x : x);
}
#define HALF_OPERATION(name, type, format, expression) \
  static u64 name##_##type(u64 flags, u64 p, u64 q = 0, u64 s = 0) { \
    double a = in16(format, flags, p & 0xffff), b = in16(format, flags, q & 0xffff), c = in16(format, flags, s & 0xffff); \
    (void)b; (void)c; \
    return out16(format, flags & ~(u64)abs_, expression); \
  } \
  PAIR_OPERATION(name, type)
#define PAIR_OPERATION(name, type) \
  static u64 name##_##type##x2(u64 flags, u64 p, u64 q = 0, u64 s = 0) { \
    return name##_##type(flags, p & 0xffff, q & 0xffff, s & 0xffff) | name##_##type(flags, p >> 16, q >> 16, s >> 16) << 16; \
  }
#define HALF(type, format) \
  HALF_OPERATION(add, type, format, odd_fma(a, 1, b)) HALF_OPERATION(sub, type, format, odd_fma(a, 1, -b)) \
  HALF_OPERATION(mul, type, format, a * b) HALF_OPERATION(fma, type, format, odd_fma(a, b, c)) \
  HALF_OPERATION(neg, type, format, -a) HALF_OPERATION(abs, type, format, __builtin_fabs(a)) \
  static u64 min_##type(u64 flags, u64 a, u64 b, u64 = 0) { return extreme16(format, flags, a, b, true); } \
  static u64 max_##type(u64 flags, u64 a, u64 b, u64 = 0) { return extreme16(format, flags, a, b, false); } \
  PAIR_OPERATION(min, type) PAIR_OPERATION(max, type) \
  static u64 setp_##type(u64 flags, u64 a, u64 b) { return compare(flags, in16(format, flags, a), in16(format, flags, b)); } \
  static u64 set_##type##_##type(u64 flags, u64 a, u64 b) { return setp_##type(flags, a, b) ? format.one : 0; } \
  static u64 set_##type##x2_##type##x2(u64 flags, u64 a, u64 b) { \
    return set_##type##_##type(flags, a & 0xffff, b & 0xffff) | set_##type##_##type(flags, a >> 16, b >> 16) << 16; \
  } \
  static u64 cvt_##type##_##type(u64 flags, u64 a) { return out16(format, 0, whole(flags, in16(format, 0, a))); } \
  static u64 cvt_f32_##type(u64 flags, u64 a) { return out32(flags, (float)in16(format, 0, a)); } \
  static u64 cvt_f64_##type(u64 flags, u64 a) { return is_nan16(format, a) ? 0x7fffffffe0000000 : raw(in16(format, 0, a)); } \
  static u64 cvt_##type##_f32(u64 flags, u64 a) { return out16(format, flags & ~(u64)ftz, in32(flags, a)); } \
  static u64 cvt_##type##_f64(u64 flags, u64 a) { return out16(format, flags, f64(a)); } \
  static u64 cvt_##type##x2_f32(u64 flags, u64 a, u64 b) { return cvt_##type##_f32(flags, b) | cvt_##type##_f32(flags, a) << 16; } \
  static u64 cvt_##type##_u32(u64 flags, u64 a) { return out16(format, flags, (u32)a); } \
  static u64 cvt_##type##_s32(u64 flags, u64 a) { return out16(format, flags, (s32)a); } \
  static u64 cvt_##type##_u64(u64 flags, u64 a) { return out16(format, flags, a); } \
  static u64 cvt_##type##_s64(u64 flags, u64 a) { return out16(format, flags, (s64)a); } \
  static u64 cvt_u32_##type(u64 flags, u64 a) { return from_float(flags, in16(format, 0, a), 32, false, false); } \
  static u64 cvt_s32_##type(u64 flags, u64 a) { return from_float(flags, in16(format, 0, a), 32, true, false); } \
  static u64 cvt_u64_##type(u64 flags, u64 a) { return from_float(flags, in16(format, 0, a), 64, false, false); } \
  static u64 cvt_s64_##type(u64 flags, u64 a) { return from_float(flags, in16(format, 0, a), 64, true, false); }
HALF(f16, F16)
HALF(bf16, BF16)
static u64 cvt_bf16_f16(u64 flags, u64 a) { return out16(BF16, flags, in16(F16, 0, a)); }
static u64 cvt_f16_bf16(u64 flags, u64 a) { return out16(F16, flags, in16(BF16, 0, a)); }
SELP(b16)
