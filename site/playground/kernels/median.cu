// A filter over a window of five values. What is made of the window is injected.

#include <ptx_inject.h>

extern "C" __global__ void filter(const float* values, float* filtered, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i + 2 >= count) return;
  float a = values[i - 2], b = values[i - 1], c = values[i], d = values[i + 1], e = values[i + 2], result;
  PTX_INJECT("window", PTX_IN(F32, a), PTX_IN(F32, b), PTX_IN(F32, c), PTX_IN(F32, d), PTX_IN(F32, e),
             PTX_OUT(F32, result));
  filtered[i] = result;
}
