// Computes z = func(x, y) for each row. The body of `func` is injected later.

#include <ptx_inject.h>

extern "C" __global__ void apply(const float* xs, const float* ys, float* zs, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = xs[i], y = ys[i], z;
  PTX_INJECT("func", PTX_IN(F32, x), PTX_IN(F32, y), PTX_OUT(F32, z));
  zs[i] = z;
}
