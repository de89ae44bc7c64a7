// Part of host.hpp: integers and bits.

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
