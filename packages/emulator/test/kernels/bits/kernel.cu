// nvcc -arch=sm_80
extern "C" __global__ void words(const unsigned* a, const unsigned* b, unsigned* out) {
  const unsigned i = threadIdx.x, x = a[i], y = b[i];
  unsigned field, put, find;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(y & 31), "r"(y >> 8 & 15));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(put) : "r"(y), "r"(x), "r"(y & 31), "r"(y >> 8 & 15));
  asm("bfind.u32 %0, %1;" : "=r"(find) : "r"(x));
  out[8 * i] = __brev(x) ^ __popc(y);
  out[8 * i + 1] = __clz(x & 0xffff) * 100 + __ffs(y & ~1u);
  out[8 * i + 2] = __funnelshift_l(x, y, y & 63) + __funnelshift_rc(x, y, y & 63);
  out[8 * i + 3] = __byte_perm(x, y, y);
  out[8 * i + 4] = field;
  out[8 * i + 5] = put;
  out[8 * i + 6] = find ^ (x & y | ~x & (y ^ 0x5a5a5a5a));
  out[8 * i + 7] = __mulhi((int)x, (int)y) + __umul24(x, y) + __mul24((int)x, (int)y) + __hadd((int)x, (int)y);
}
extern "C" __global__ void longs(const long long* a, const long long* b, long long* out) {
  const int i = threadIdx.x;
  const long long x = a[i], y = b[i] | 1;
  out[6 * i] = x / y;
  out[6 * i + 1] = x % y;
  out[6 * i + 2] = (unsigned long long)x / (unsigned long long)y + (unsigned long long)x % 1000003u;
  out[6 * i + 3] = __mul64hi(x, y) ^ (long long)__umul64hi(x, y);
  out[6 * i + 4] = __brevll(x) + __popcll(y) + __clzll(x) + (x >> (y & 63)) + (x << (y & 31));
  out[6 * i + 5] = (long long)(int)x / ((int)y | 1) + (int)x % ((int)y | 1) + (short)x / ((short)y | 1) + (x < y);
}
