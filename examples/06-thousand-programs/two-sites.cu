// The same with a second site: `guess` computes the first approximation.

#include <ptx_inject.h>

extern "C" __global__ void iterate(const float* values, float* results, unsigned count, unsigned steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float a = values[i], x;
  PTX_INJECT("guess", PTX_IN(F32, a), PTX_OUT(F32, x));
#pragma unroll 1
  for (unsigned n = 0; n < steps; ++n) PTX_INJECT("step", PTX_IN(F32, a), PTX_MOD(F32, x));
  results[i] = x;
}
