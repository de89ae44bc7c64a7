// program: tags=samples,monte-carlo,integers arch=80
// Pi from random points; the generator is Philox-4x32-10, so each thread's numbers follow from its index.

#include "../check.h"

struct Four {
  unsigned v[4];
};

__host__ __device__ inline unsigned high_product(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  return __umulhi(a, b);
#else
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
#endif
}

__host__ __device__ Four philox(Four counter, unsigned key0, unsigned key1) {
  for (int round = 0; round < 10; round++) {
    const unsigned h0 = high_product(0xD2511F53u, counter.v[0]), l0 = 0xD2511F53u * counter.v[0];
    const unsigned h1 = high_product(0xCD9E8D57u, counter.v[2]), l1 = 0xCD9E8D57u * counter.v[2];
    counter = {{h1 ^ counter.v[1] ^ key0, l1, h0 ^ counter.v[3] ^ key1, l0}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

__host__ __device__ unsigned hits(unsigned thread, unsigned rounds) {
  unsigned inside = 0;
  for (unsigned i = 0; i < rounds; i++) {
    const Four r = philox({{i, thread, 0, 0}}, 42, 7);
    for (int j = 0; j < 4; j += 2) {
      const unsigned long long x = r.v[j] >> 1, y = r.v[j + 1] >> 1;
      inside += x * x + y * y < 1ull << 62;
    }
  }
  return inside;
}

__global__ void count_hits(unsigned long long* total, unsigned rounds) {
  const unsigned mine = hits(blockIdx.x * blockDim.x + threadIdx.x, rounds);
  const int warp = __reduce_add_sync(0xffffffff, static_cast<int>(mine));
  if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(warp));
}

int main() {
  const int blocks = 8, block = 128, rounds = 8;
  unsigned long long want = 0;
  for (int i = 0; i < blocks * block; i++) want += hits(i, rounds);
  DeviceArray<unsigned long long> total(1);
  count_hits<<<blocks, block>>>(total, rounds);
  CHECK_KERNEL();
  const unsigned long long got = total.host()[0];
  same("hits", got, want);
  close("pi", 4.0 * got / (blocks * block * rounds * 2), 3.14159265, 0.02);
  // The known answer of the generator's authors for a counter and key of zeros.
  same("philox", philox({{0, 0, 0, 0}}, 0, 0).v[0], 0x6627E8D5u);
  return finish();
}
