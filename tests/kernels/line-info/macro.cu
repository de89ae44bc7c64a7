// Compiled with -lineinfo: `.loc` and `.file` directives, inlined functions and debug sections stand around the sites.
#include <ptx_inject.h>

__device__ __forceinline__ float bounded(float x, float limit) {
  PTX_INJECT("bound", PTX_MOD(F32, x), PTX_IN(F32, limit));
  return x;
}

extern "C" __global__ void clamp_all(float* values, float limit, unsigned count) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = first; i < count; i += gridDim.x * blockDim.x) {
    values[i] = bounded(values[i], limit);
  }
}
