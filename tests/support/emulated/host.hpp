// PTX instructions as the C++ of a host computes them, written from the manual alone and knowing nothing of the emulator: every
// operand and result is bits. A function is named for the instruction and its types; `flags` has the other words of the mnemonic.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t u32;
typedef int32_t s32;
typedef __int128 s128;
typedef unsigned __int128 u128;

enum Flag : u64 {
  rn = 1ull << 0, rz = 1ull << 1, rm = 1ull << 2, rp = 1ull << 3,
  rni = 1ull << 4, rzi = 1ull << 5, rmi = 1ull << 6, rpi = 1ull << 7,
  ftz = 1ull << 8, sat = 1ull << 9, NaN = 1ull << 10, xorsign = 1ull << 11, abs_ = 1ull << 12, relu = 1ull << 13,
  lo = 1ull << 14, hi = 1ull << 15, wide = 1ull << 16,
  l = 1ull << 17, r = 1ull << 18, wrap = 1ull << 19, clamp = 1ull << 20, shiftamt = 1ull << 21,
  lt = 1ull << 22, le = 1ull << 23, gt = 1ull << 24, ge = 1ull << 25, eq = 1ull << 26, ne = 1ull << 27,
  ltu = 1ull << 28, leu = 1ull << 29, gtu = 1ull << 30, geu = 1ull << 31, equ = 1ull << 32, neu = 1ull << 33,
  num = 1ull << 34, nan_ = 1ull << 35,
  finite_ = 1ull << 36, infinite = 1ull << 37, number = 1ull << 38, notanumber = 1ull << 39, normal = 1ull << 40,
  subnormal = 1ull << 41,
  f4e = 1ull << 42, b4e = 1ull << 43, rc8 = 1ull << 44, ecl = 1ull << 45, ecr = 1ull << 46, rc16 = 1ull << 47,
};

static inline float f32(u64 bits) { u32 b = (u32)bits; float x; memcpy(&x, &b, 4); return x; }
static inline double f64(u64 bits) { double x; memcpy(&x, &bits, 8); return x; }
static inline u64 raw(float x) { u32 b; memcpy(&b, &x, 4); return b; }
static inline u64 raw(double x) { u64 b; memcpy(&b, &x, 8); return b; }

/** Sets the processor's rounding for as long as it lives. */
struct Rounding {
  int before;
  explicit Rounding(u64 flags) : before(fegetround()) {
    fesetround(flags & (rz | rzi) ? FE_TOWARDZERO : flags & (rm | rmi) ? FE_DOWNWARD : flags & (rp | rpi) ? FE_UPWARD : FE_TONEAREST);
  }
  ~Rounding() { fesetround(before); }
};

// f32: operands flushed, computed with one rounding, flushed, clamped; NaN is 0x7fffffff.
static inline float in32(u64 flags, u64 bits) {
  return f32(flags & ftz && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}
static inline u64 out32(u64 flags, float x) {
  if (flags & sat) x = x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
  if (x != x) return 0x7fffffff;
  u64 bits = raw(x);
  return flags & ftz && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}
#define F32_OPERATION(name, expression) \
  static u64 name##_f32(u64 flags, u64 p, u64 q = 0, u64 s = 0) { \
    volatile float a = in32(flags, p), b = in32(flags, q), c = in32(flags, s); \
    volatile float result; \
    { Rounding rounding(flags); result = (expression); } \
    (void)b; (void)c; \
    return out32(flags, result); \
  }
F32_OPERATION(add, a + b)
F32_OPERATION(sub, a - b)
F32_OPERATION(mul, a * b)
F32_OPERATION(div, a / b)
F32_OPERATION(fma, __builtin_fmaf(a, b, c))
F32_OPERATION(rcp, 1.0f / a)
F32_OPERATION(sqrt, __builtin_sqrtf(a))
F32_OPERATION(neg, -a)
F32_OPERATION(abs, __builtin_fabsf(a))

// f64: an operand that is NaN is the result, made quiet; an invalid operation gives the processor's.
#define F64_OPERATION(name, operands, expression) \
  static u64 name##_f64(u64 flags, u64 p, u64 q = 0, u64 s = 0) { \
    u64 all[3] = {p, q, s}; \
    for (int i = 0; i < operands; i++) if (f64(all[i]) != f64(all[i])) return all[i] | 0x0008000000000000; \
    volatile double a = f64(p), b = f64(q), c = f64(s); \
    volatile double result; \
    { Rounding rounding(flags); result = (expression); } \
    (void)b; (void)c; \
    return result != result ? 0xfff8000000000000 : raw((double)result); \
  }
F64_OPERATION(add, 2, a + b)
F64_OPERATION(sub, 2, a - b)
F64_OPERATION(mul, 2, a * b)
F64_OPERATION(div, 2, a / b)
F64_OPERATION(fma, 3, __builtin_fma(a, b, c))
F64_OPERATION(rcp, 1, 1.0 / a)
F64_OPERATION(sqrt, 1, __builtin_sqrt(a))
F64_OPERATION(neg, 1, -a)
F64_OPERATION(abs, 1, __builtin_fabs(a))

// The sign of the first, the size of the second.
static u64 copysign_f32(u64, u64 a, u64 b) { return (a & 0x80000000) | (b & 0x7fffffff); }
static u64 copysign_f64(u64, u64 a, u64 b) { return (a & 0x8000000000000000) | (b & 0x7fffffffffffffff); }

// A NaN loses against a number unless the mnemonic says NaN; -0 is less than +0.
template <class Float> static bool less(Float a, Float b) {
  return a < b || (a == b && __builtin_signbit(a) && !__builtin_signbit(b));
}
static u64 extreme_f32(u64 flags, u64 p, u64 q, bool least) {
  float a = in32(flags, p), b = in32(flags, q);
  bool negative = flags & xorsign && ((p ^ q) & 0x80000000);
  if (flags & abs_) a = __builtin_fabsf(a), b = __builtin_fabsf(b);
  if ((a != a && b != b) || (flags & NaN && (a != a || b != b))) return 0x7fffffff;
  float x = a != a ? b : b != b ? a : less(a, b) == least ? a : b;
  return raw(negative ? -x : x);
}
static u64 min_f32(u64 flags, u64 a, u64 b) { return extreme_f32(flags, a, b, true); }
static u64 max_f32(u64 flags, u64 a, u64 b) { return extreme_f32(flags, a, b, false); }
static u64 min_f32(u64 flags, u64 a, u64 b, u64 c) { return min_f32(flags, min_f32(flags, a, b), c); }
static u64 max_f32(u64 flags, u64 a, u64 b, u64 c) { return max_f32(flags, max_f32(flags, a, b), c); }
static u64 extreme_f64(u64 p, u64 q, bool least) {
  double a = f64(p), b = f64(q);
  if (a != a && b != b) return p | 0x0008000000000000;
  return raw(a != a ? b : b != b ? a : less(a, b) == least ? a : b);
}
static u64 min_f64(u64, u64 a, u64 b) { return extreme_f64(a, b, true); }
static u64 max_f64(u64, u64 a, u64 b) { return extreme_f64(a, b, false); }

// Comparisons.
template <class Number> static u64 compare(u64 flags, Number a, Number b) {
  bool none = a != a || b != b;
  if (flags & num) return !none;
  if (flags & nan_) return none;
  if (flags & (ltu | leu | gtu | geu | equ | neu) && none) return 1;
  if (flags & (lt | ltu)) return a < b;
  if (flags & (le | leu)) return a <= b;
  if (flags & (gt | gtu)) return a > b;
  if (flags & (ge | geu)) return a >= b;
  if (flags & (eq | equ)) return a == b;
  return !none && a != b;
}
static u64 setp_f32(u64 flags, u64 a, u64 b) { return compare(flags, in32(flags, a), in32(flags, b)); }
static u64 setp_f64(u64 flags, u64 a, u64 b) { return compare(flags, f64(a), f64(b)); }
static u64 setp_u32(u64 flags, u64 a, u64 b) { return compare(flags, (u32)a, (u32)b); }
static u64 setp_s32(u64 flags, u64 a, u64 b) { return compare(flags, (s32)a, (s32)b); }
static u64 setp_b32(u64 flags, u64 a, u64 b) { return compare(flags, (u32)a, (u32)b); }
static u64 setp_u64(u64 flags, u64 a, u64 b) { return compare(flags, a, b); }
static u64 setp_s64(u64 flags, u64 a, u64 b) { return compare(flags, (s64)a, (s64)b); }
static u64 setp_b64(u64 flags, u64 a, u64 b) { return compare(flags, a, b); }
#define SET(from) \
  static u64 set_u32_##from(u64 flags, u64 a, u64 b) { return setp_##from(flags, a, b) ? 0xffffffff : 0; } \
  static u64 set_f32_##from(u64 flags, u64 a, u64 b) { return setp_##from(flags, a, b) ? 0x3f800000 : 0; }
SET(f32)
SET(f64)
SET(u32)
SET(s32)
static u64 choose(u64 a, u64 b, u64 p) { return p ? a : b; }
#define SELP(type) static u64 selp_##type(u64, u64 a, u64 b, u64 p) { return choose(a, b, p); }
SELP(f32) SELP(u32) SELP(s32) SELP(b32) SELP(u64) SELP(s64) SELP(b64) SELP(f64)
#define SLCT(type) \
  static u64 slct_##type##_s32(u64, u64 a, u64 b, u64 c) { return choose(a, b, (s32)c >= 0); } \
  static u64 slct_##type##_f32(u64 flags, u64 a, u64 b, u64 c) { return choose(a, b, in32(flags, c) >= 0); }
SLCT(f32) SLCT(u32) SLCT(s32) SLCT(u64) SLCT(s64) SLCT(f64)
template <class Float> static u64 classify(u64 flags, Float x) {
  int kind = __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);
  if (flags & finite_) return kind != FP_NAN && kind != FP_INFINITE;
  if (flags & infinite) return kind == FP_INFINITE;
  if (flags & number) return kind != FP_NAN;
  if (flags & notanumber) return kind == FP_NAN;
  return kind == (flags & normal ? FP_NORMAL : FP_SUBNORMAL);
}
static u64 testp_f32(u64 flags, u64 a) { return classify(flags, f32(a)); }
static u64 testp_f64(u64 flags, u64 a) { return classify(flags, f64(a)); }

#include "host-integers.hpp"
#include "host-conversions.hpp"
#include "host-halves.hpp"
