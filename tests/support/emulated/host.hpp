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

// Integers. Wide products say what was meant.
static u64 saturated(s64 x) { return (u32)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x); }
static u64 add_s32(u64 flags, u64 a, u64 b) { return flags & sat ? saturated((s64)(s32)a + (s32)b) : (u32)(a + b); }
static u64 sub_s32(u64 flags, u64 a, u64 b) { return flags & sat ? saturated((s64)(s32)a - (s32)b) : (u32)(a - b); }
#define PLAIN(name, type, expression) static u64 name##_##type(u64, u64 a, u64 b = 0) { (void)b; return (expression); }
PLAIN(add, u32, (u32)(a + b)) PLAIN(add, u64, a + b) PLAIN(add, s64, a + b)
PLAIN(sub, u32, (u32)(a - b)) PLAIN(sub, u64, a - b) PLAIN(sub, s64, a - b)
PLAIN(neg, s32, (u32)(0 - a)) PLAIN(neg, s64, 0 - a)
PLAIN(abs, s32, (u32)((s32)a < 0 ? 0 - a : a)) PLAIN(abs, s64, (s64)a < 0 ? 0 - a : a)
PLAIN(min, u32, (u32)a < (u32)b ? a : b) PLAIN(max, u32, (u32)a > (u32)b ? a : b)
PLAIN(min, u64, a < b ? a : b) PLAIN(max, u64, a > b ? a : b)
PLAIN(min, s64, (s64)a < (s64)b ? a : b) PLAIN(max, s64, (s64)a > (s64)b ? a : b)
static u64 rectified(u64 flags, s32 x) { return (u32)(flags & relu && x < 0 ? 0 : x); }
static u64 min_s32(u64 flags, u64 a, u64 b) { return rectified(flags, (s32)a < (s32)b ? (s32)a : (s32)b); }
static u64 max_s32(u64 flags, u64 a, u64 b) { return rectified(flags, (s32)a > (s32)b ? (s32)a : (s32)b); }
#define SAD(type, word) \
  static u64 sad_##type(u64, u64 a, u64 b, u64 c) { return (word)(c + ((type)a < (type)b ? b - a : a - b)); }
SAD(u32, u32) SAD(s32, u32) SAD(u64, u64) SAD(s64, u64)
// Division by zero: the emulator's choice, all ones.
PLAIN(div, u32, (u32)b == 0 ? 0xffffffff : (u32)a / (u32)b) PLAIN(rem, u32, (u32)b == 0 ? 0xffffffff : (u32)a % (u32)b)
PLAIN(div, s32, (s32)b == 0 ? 0xffffffff : (u32)((s64)(s32)a / (s32)b))
PLAIN(rem, s32, (s32)b == 0 ? 0xffffffff : (u32)((s64)(s32)a % (s32)b))
PLAIN(div, u64, b == 0 ? ~0ull : a / b) PLAIN(rem, u64, b == 0 ? ~0ull : a % b)
PLAIN(div, s64, b == 0 ? ~0ull : (u64)((s128)(s64)a / (s64)b)) PLAIN(rem, s64, b == 0 ? ~0ull : (u64)((s128)(s64)a % (s64)b))
static u64 part(u64 flags, s128 product, int bits) {
  if (flags & wide) return (u64)product;
  return (u64)(flags & hi ? product >> bits : product) & (bits == 32 ? 0xffffffff : ~0ull);
}
static u64 mul_u32(u64 flags, u64 a, u64 b) { return part(flags, (s128)(u32)a * (u32)b, 32); }
static u64 mul_s32(u64 flags, u64 a, u64 b) { return part(flags, (s128)(s32)a * (s32)b, 32); }
static u64 mul_u64(u64 flags, u64 a, u64 b) { u128 product = (u128)a * b; return (u64)(flags & hi ? product >> 64 : product); }
static u64 mul_s64(u64 flags, u64 a, u64 b) { return part(flags, (s128)(s64)a * (s64)b, 64); }
static u64 mad_u32(u64 flags, u64 a, u64 b, u64 c) { u64 sum = mul_u32(flags, a, b) + c; return flags & wide ? sum : (u32)sum; }
static u64 mad_s32(u64 flags, u64 a, u64 b, u64 c) {
  u64 product = mul_s32(flags, a, b);
  if (flags & wide) return product + c;
  return flags & sat ? saturated((s64)(s32)product + (s32)c) : (u32)(product + c);
}
static u64 mad_u64(u64 flags, u64 a, u64 b, u64 c) { return mul_u64(flags, a, b) + c; }
static u64 mad_s64(u64 flags, u64 a, u64 b, u64 c) { return mul_s64(flags, a, b) + c; }
static s64 signed24(u64 a) { return (s64)(a << 40) >> 40; }
static u64 middle(u64 flags, s64 product) { return (u32)(flags & hi ? product >> 16 : product); }
static u64 mul24_u32(u64 flags, u64 a, u64 b) { return middle(flags, (a & 0xffffff) * (b & 0xffffff)); }
static u64 mul24_s32(u64 flags, u64 a, u64 b) { return middle(flags, signed24(a) * signed24(b)); }
static u64 mad24_u32(u64 flags, u64 a, u64 b, u64 c) { return (u32)(mul24_u32(flags, a, b) + c); }
static u64 mad24_s32(u64 flags, u64 a, u64 b, u64 c) {
  u64 product = mul24_s32(flags, a, b);
  return flags & sat ? saturated((s64)(s32)product + (s32)c) : (u32)(product + c);
}

// Bits.
#define LOGIC(type, mask) \
  static u64 and_##type(u64, u64 a, u64 b) { return a & b; } \
  static u64 or_##type(u64, u64 a, u64 b) { return a | b; } \
  static u64 xor_##type(u64, u64 a, u64 b) { return a ^ b; } \
  static u64 not_##type(u64, u64 a) { return ~a & mask; } \
  static u64 cnot_##type(u64, u64 a) { return (a & mask) == 0; }
LOGIC(pred, 1) LOGIC(b32, 0xffffffff) LOGIC(b64, ~0ull)
// Counts are u32 and clamped to the width.
PLAIN(shl, b32, (u32)b > 31 ? 0 : (u32)(a << (u32)b)) PLAIN(shl, b64, (u32)b > 63 ? 0 : a << (u32)b)
PLAIN(shr, u32, (u32)b > 31 ? 0 : (u32)a >> (u32)b) PLAIN(shr, b32, (u32)b > 31 ? 0 : (u32)a >> (u32)b)
PLAIN(shr, u64, (u32)b > 63 ? 0 : a >> (u32)b) PLAIN(shr, b64, (u32)b > 63 ? 0 : a >> (u32)b)
PLAIN(shr, s32, (u32)((s32)a >> ((u32)b > 31 ? 31 : (u32)b))) PLAIN(shr, s64, (u64)((s64)a >> ((u32)b > 63 ? 63 : (u32)b)))
static u64 shf_b32(u64 flags, u64 a, u64 b, u64 c) {
  u32 count = flags & wrap ? (u32)c & 31 : (u32)c > 32 ? 32 : (u32)c;
  u64 both = (b << 32) | (u32)a;
  return (u32)(flags & l ? (both << count) >> 32 : both >> count);
}
PLAIN(popc, b32, __builtin_popcount((u32)a)) PLAIN(popc, b64, __builtin_popcountll(a))
PLAIN(clz, b32, (u32)a == 0 ? 32 : __builtin_clz((u32)a)) PLAIN(clz, b64, a == 0 ? 64 : __builtin_clzll(a))
static u64 reversed(u64 a, int bits) { u64 x = 0; for (int i = 0; i < bits; i++) x = (x << 1) | ((a >> i) & 1); return x; }
PLAIN(brev, b32, reversed(a, 32)) PLAIN(brev, b64, reversed(a, 64))
static u64 field(u64 a, u64 start, u64 count, int bits, bool is_signed) {
  start &= 255, count &= 255;
  u64 sign = 0;
  if (is_signed && count > 0) { u64 top = start + count - 1; sign = (a >> (top > (u64)bits - 1 ? bits - 1 : top)) & 1; }
  u64 x = 0;
  for (int i = 0; i < bits; i++) x |= ((u64)i < count && i + start < (u64)bits ? (a >> (i + start)) & 1 : sign) << i;
  return x;
}
static u64 bfe_u32(u64, u64 a, u64 b, u64 c) { return field((u32)a, b, c, 32, false); }
static u64 bfe_s32(u64, u64 a, u64 b, u64 c) { return field((u32)a, b, c, 32, true); }
static u64 bfe_u64(u64, u64 a, u64 b, u64 c) { return field(a, b, c, 64, false); }
static u64 bfe_s64(u64, u64 a, u64 b, u64 c) { return field(a, b, c, 64, true); }
static u64 inserted(u64 a, u64 b, u64 start, u64 count, int bits) {
  start &= 255, count &= 255;
  for (u64 i = 0; i < count && i + start < (u64)bits; i++) b = (b & ~(1ull << (i + start))) | (((a >> i) & 1) << (i + start));
  return b;
}
static u64 bfi_b32(u64, u64 a, u64 b, u64 c, u64 d) { return inserted(a, (u32)b, c, d, 32); }
static u64 bfi_b64(u64, u64 a, u64 b, u64 c, u64 d) { return inserted(a, b, c, d, 64); }
static u64 highest(u64 flags, u64 a, int bits) {
  for (int i = bits - 1; i >= 0; i--) if ((a >> i) & 1) return flags & shiftamt ? bits - 1 - i : i;
  return 0xffffffff;
}
static u64 bfind_u32(u64 flags, u64 a) { return highest(flags, (u32)a, 32); }
static u64 bfind_s32(u64 flags, u64 a) { return highest(flags, (u32)((s32)a < 0 ? ~a : a), 32); }
static u64 bfind_u64(u64 flags, u64 a) { return highest(flags, a, 64); }
static u64 bfind_s64(u64 flags, u64 a) { return highest(flags, (s64)a < 0 ? ~a : a, 64); }
static u64 bmsk_b32(u64 flags, u64 a, u64 b) {
  u64 start = (u32)a, count = (u32)b;
  if (flags & wrap) start &= 31, count &= 31;
  if (start > 31) return 0;
  return (u32)((count > 31 ? 0xffffffff : (1ull << count) - 1) << start);
}
static u64 extended(u64 flags, u64 a, u64 b, bool is_signed) {
  u64 count = flags & wrap ? b & 31 : (u32)b;
  if (count == 0) return 0;
  if (count > 31) return (u32)a;
  u64 x = a & ((1ull << count) - 1);
  return is_signed && (x >> (count - 1)) & 1 ? (u32)(x | ~((1ull << count) - 1)) : x;
}
static u64 szext_u32(u64 flags, u64 a, u64 b) { return extended(flags, a, b, false); }
static u64 szext_s32(u64 flags, u64 a, u64 b) { return extended(flags, a, b, true); }
static u64 prmt_b32(u64 flags, u64 a, u64 b, u64 c) {
  u64 both = (b << 32) | (u32)a, x = 0;
  int k = c & 3;
  for (int i = 0; i < 4; i++) {
    int from = (c >> (4 * i)) & 7;
    bool sign = (c >> (4 * i)) & 8;
    if (flags & (f4e | b4e | rc8 | ecl | ecr | rc16)) sign = false;
    if (flags & f4e) from = i + k;
    if (flags & b4e) from = (k - i) & 7;
    if (flags & rc8) from = k;
    if (flags & ecl) from = i > k ? i : k;
    if (flags & ecr) from = i < k ? i : k;
    if (flags & rc16) from = (k & 1) * 2 + (i & 1);
    u64 byte = (both >> (8 * from)) & 255;
    x |= (sign ? (byte & 128 ? 255 : 0) : byte) << (8 * i);
  }
  return x;
}
static s64 item(u64 word, int at, int bits, bool is_signed) {
  s64 x = (word >> (at * bits)) & ((1ull << bits) - 1);
  return is_signed && x >> (bits - 1) ? x - (1ll << bits) : x;
}
#define DOT(at, bt, a_signed, b_signed) \
  static u64 dp4a_##at##_##bt(u64, u64 a, u64 b, u64 c) { \
    for (int i = 0; i < 4; i++) c += item(a, i, 8, a_signed) * item(b, i, 8, b_signed); \
    return (u32)c; \
  } \
  static u64 dp2a_##at##_##bt(u64 flags, u64 a, u64 b, u64 c) { \
    for (int i = 0; i < 2; i++) c += item(a, i, 16, a_signed) * item(b, i + (flags & hi ? 2 : 0), 8, b_signed); \
    return (u32)c; \
  }
DOT(u32, u32, false, false) DOT(u32, s32, false, true) DOT(s32, u32, true, false) DOT(s32, s32, true, true)

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
