// program: tags=runtime,limits,recursion
// cudaLimitStackSize: deep recursion gets the stack that the program asks for, also in kernels that have run before.

#include "../check.h"

// Each call needs 64 bytes and more for its array.
__device__ __noinline__ unsigned deep(unsigned depth, unsigned seed) {
  volatile unsigned own[16];
  for (unsigned i = 0; i < 16; i++) own[i] = seed + i * depth;
  const unsigned below = depth == 0 ? 1 : deep(depth - 1, seed * 3 + 1);
  unsigned sum = below;
  for (unsigned i = 0; i < 16; i++) sum = sum * 31 + own[i];
  return sum;
}

__global__ void recurse(unsigned* out, unsigned depth) { out[threadIdx.x] = deep(depth, threadIdx.x); }

static unsigned on_host(unsigned depth, unsigned seed) {
  unsigned sum = depth == 0 ? 1 : on_host(depth - 1, seed * 3 + 1);
  for (unsigned i = 0; i < 16; i++) sum = sum * 31 + seed + i * depth;
  return sum;
}

static void runs(unsigned depth) {
  DeviceArray<unsigned> out(32);
  recurse<<<1, 32>>>(out, depth);
  CHECK_KERNEL();
  std::vector<unsigned> want(32);
  for (unsigned i = 0; i < 32; i++) want[i] = on_host(depth, i);
  same("recursion", out.host(), want);
}

int main() {
  size_t bytes = 0;
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  expect(bytes >= 1024, "a default stack");
  runs(4);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10));
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  expect(bytes >= 128 << 10, "the stack that was asked for");
  runs(700);
  runs(4);
  expect(cudaDeviceSetLimit(cudaLimitStackSize, size_t{1} << 40) != cudaSuccess, "that so much does not fit");
  cudaGetLastError();
  runs(700);
  return finish();
}
