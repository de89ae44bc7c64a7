// program: tags=language,integers,bits ci
// Integer intrinsics, 64- and 128-bit arithmetic, bitfields and unions, dp4a, byte_perm and funnel shifts.

#include "../check.h"
#include <cstring>

union Word {
  unsigned bits;
  float number;
  unsigned char bytes[4];
  struct {
    unsigned low : 5, middle : 20;
    int top : 7;
  } parts;
};

struct Results {
  int popc, clz, ffs, popcll, clzll, dp4a, sad, mulhi, top, shifted;
  unsigned brev, perm, left, right, umulhi, low, middle;
  unsigned long long brevll, umul64hi, quotient, remainder, high128, low128, divided128;
  long long mul64hi, product, arithmetic_shift;
  float number;
};

__host__ __device__ void portable(Results& r, unsigned a, unsigned b, long long s, long long t) {
  Word word;
  word.bits = a;
  r.low = word.parts.low;
  r.middle = word.parts.middle;
  r.top = word.parts.top;
  word.bits = (a & 0x007fffff) | 0x3f800000;
  r.number = word.number;
  r.product = s * t;
  r.arithmetic_shift = s >> 7;
  r.shifted = static_cast<int>(a) >> 3;
  const unsigned long long u = static_cast<unsigned long long>(s), v = static_cast<unsigned long long>(t) | 1;
  r.quotient = u / v;
  r.remainder = u % v;
  const unsigned __int128 wide = static_cast<unsigned __int128>(u) * v + a;
  r.high128 = static_cast<unsigned long long>(wide >> 64);
  r.low128 = static_cast<unsigned long long>(wide);
  r.divided128 = static_cast<unsigned long long>(wide / (b | 1));
}

__global__ void all(Results* results, const unsigned* as, const unsigned* bs) {
  const int i = threadIdx.x;
  const unsigned a = as[i], b = bs[i];
  const long long s = static_cast<long long>(static_cast<unsigned long long>(a) << 32 | b), t = static_cast<int>(b ^ a);
  Results r;
  memset(&r, 0, sizeof(r));
  portable(r, a, b, s, t);
  r.popc = __popc(a), r.clz = __clz(a), r.ffs = __ffs(a), r.popcll = __popcll(s), r.clzll = __clzll(s);
  r.brev = __brev(a), r.brevll = __brevll(s);
  r.dp4a = __dp4a(static_cast<int>(a), static_cast<int>(b), 5);
  r.sad = __sad(static_cast<int>(a), static_cast<int>(b), 3u);
  r.mulhi = __mulhi(static_cast<int>(a), static_cast<int>(b)), r.umulhi = __umulhi(a, b);
  r.mul64hi = __mul64hi(s, t), r.umul64hi = __umul64hi(s, t);
  r.perm = __byte_perm(a, b, 0x3715), r.left = __funnelshift_l(a, b, 11), r.right = __funnelshift_r(a, b, 37);
  results[i] = r;
}

int main() {
  const int count = 64;
  Random random(86);
  std::vector<unsigned> as(count), bs(count);
  for (int i = 0; i < count; i++) as[i] = random.next() >> (i % 32), bs[i] = random.next() >> (i * 7 % 32);
  as[0] = bs[1] = 0, as[2] = bs[2] = 0x80000000;
  DeviceArray<unsigned> da(as), db(bs);
  DeviceArray<Results> results(count);
  all<<<1, count>>>(results, da, db);
  CHECK_KERNEL();
  const auto got = results.host();
  for (int i = 0; i < count; i++) {
    const unsigned a = as[i], b = bs[i];
    const long long s = static_cast<long long>(static_cast<unsigned long long>(a) << 32 | b), t = static_cast<int>(b ^ a);
    Results r;
    std::memset(&r, 0, sizeof(r));
    portable(r, a, b, s, t);
    r.popc = __builtin_popcount(a), r.popcll = __builtin_popcountll(s);
    r.clz = a ? __builtin_clz(a) : 32, r.clzll = s ? __builtin_clzll(s) : 64, r.ffs = __builtin_ffs(a);
    for (int bit = 0; bit < 32; bit++) r.brev |= (a >> bit & 1) << (31 - bit);
    for (int bit = 0; bit < 64; bit++) r.brevll |= (static_cast<unsigned long long>(s) >> bit & 1) << (63 - bit);
    r.dp4a = 5;
    for (int k = 0; k < 32; k += 8) r.dp4a += static_cast<signed char>(a >> k) * static_cast<signed char>(b >> k);
    const long long apart = static_cast<long long>(static_cast<int>(a)) - static_cast<int>(b);
    r.sad = static_cast<int>(static_cast<unsigned>(apart < 0 ? -apart : apart) + 3u);
    r.mulhi = static_cast<int>((static_cast<long long>(static_cast<int>(a)) * static_cast<int>(b)) >> 32);
    r.umulhi = static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
    r.mul64hi = static_cast<long long>((static_cast<__int128>(s) * t) >> 64);
    r.umul64hi = static_cast<unsigned long long>((static_cast<unsigned __int128>(static_cast<unsigned long long>(s)) * static_cast<unsigned long long>(t)) >> 64);
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    for (int k = 0; k < 4; k++) r.perm |= static_cast<unsigned>(both >> ((0x3715 >> (4 * k) & 7) * 8) & 255) << (8 * k);
    r.left = static_cast<unsigned>((both << 11) >> 32);
    r.right = static_cast<unsigned>(both >> 5);
    if (std::memcmp(&r, &got[i], sizeof(r)) == 0) continue;
    const unsigned *x = reinterpret_cast<const unsigned*>(&got[i]), *y = reinterpret_cast<const unsigned*>(&r);
    for (size_t word = 0; word < sizeof(r) / 4; word++)
      if (x[word] != y[word]) report_difference("word of the results", i * 1000 + word, x[word], y[word]);
  }
  return finish();
}
