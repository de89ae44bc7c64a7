// program: tags=samples,atomics except=races
// Every atomic function on global memory, for the types that it has, and compare-and-swap loops.

#include "../check.h"

struct Results {
  int added, subtracted, least, most, exchanged_sum;
  unsigned incremented, decremented, anded, ored, xored, umax;
  unsigned long long added64, max64, ored64;
  long long min64;
  float fadd, fmax_by_cas;
  double dadd;
};

__device__ float atomic_max(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits;
  while (__int_as_float(old) < value) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
  return __int_as_float(old);
}

__global__ void all(Results* r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&r->added, i);
  atomicSub(&r->subtracted, 2);
  atomicMin(&r->least, 5 - i);
  atomicMax(&r->most, i);
  if (i == 0) atomicExch(&r->exchanged_sum, 77);
  atomicInc(&r->incremented, 16);
  atomicDec(&r->decremented, 9);
  atomicAnd(&r->anded, ~(1u << (i % 8)));
  atomicOr(&r->ored, 1u << (i % 32));
  atomicXor(&r->xored, i);
  atomicMax(&r->umax, 0xfffffff0u + i % 5);
  atomicAdd(&r->added64, 1ull << 33);
  atomicMax(&r->max64, static_cast<unsigned long long>(i) << 40);
  atomicOr(&r->ored64, 1ull << (i % 64));
  atomicMin(&r->min64, -static_cast<long long>(i) << 35);
  atomicAdd(&r->fadd, 0.5f);
  atomicAdd(&r->dadd, 0.25);
  atomic_max(&r->fmax_by_cas, static_cast<float>((i * 37) % 512));
}

int main() {
  const int count = 512;
  Results start = {};
  start.anded = 0xffffffff;
  Results* device;
  CHECK(cudaMalloc(&device, sizeof(Results)));
  CHECK(cudaMemcpy(device, &start, sizeof(Results), cudaMemcpyHostToDevice));
  all<<<4, 128>>>(device);
  CHECK_KERNEL();
  Results got;
  CHECK(cudaMemcpy(&got, device, sizeof(Results), cudaMemcpyDeviceToHost));
  unsigned incremented = 0, decremented = 0, xored = 0;
  for (int i = 0; i < count; i++) {
    incremented = incremented >= 16 ? 0 : incremented + 1;
    decremented = decremented == 0 || decremented > 9 ? 9 : decremented - 1;
    xored ^= i;
  }
  same("add", got.added, count * (count - 1) / 2);
  same("sub", got.subtracted, -2 * count);
  same("min", got.least, 5 - (count - 1));
  same("max", got.most, count - 1);
  same("exch", got.exchanged_sum, 77);
  same("inc", got.incremented, incremented);
  same("dec", got.decremented, decremented);
  same("and", got.anded, 0xffffff00u);
  same("or", got.ored, 0xffffffffu);
  same("xor", got.xored, xored);
  same("unsigned max", got.umax, 0xfffffff4u);
  same("64-bit add", got.added64, static_cast<unsigned long long>(count) << 33);
  same("64-bit max", got.max64, static_cast<unsigned long long>(count - 1) << 40);
  same("64-bit or", got.ored64, ~0ull);
  same("64-bit min", got.min64, -(static_cast<long long>(count - 1) << 35));
  same("float add", got.fadd, count * 0.5f);
  same("double add", got.dadd, count * 0.25);
  same("float max", got.fmax_by_cas, 511.0f);
  CHECK(cudaFree(device));
  return finish();
}
