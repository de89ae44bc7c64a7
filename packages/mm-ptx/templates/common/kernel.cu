// Computes y = func(x) for each element. The body of `func` is injected later, into the compiled kernel.ptx.

#include <ptx_inject.h>

extern "C" __global__ void apply(const float* xs, float* ys, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = xs[i], y;
  PTX_INJECT("func", PTX_IN(F32, x), PTX_OUT(F32, y));
  ys[i] = y;
}
