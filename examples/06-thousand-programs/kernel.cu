// Improves an approximation x of f(a) step by step, beginning with 1. The body of `step` is injected later.

#include <ptx_inject.h>

extern "C" __global__ void iterate(const float* values, float* results, unsigned count, unsigned steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float a = values[i], x = 1.0f;
#pragma unroll 1
  for (unsigned n = 0; n < steps; ++n) PTX_INJECT("step", PTX_IN(F32, a), PTX_MOD(F32, x));
  results[i] = x;
}
