// Half types: a site on pairs (F16X2, one 32-bit register) and one on a single element (F16, a 16-bit register).
#include <cuda_fp16.h>
#include <ptx_inject.h>

extern "C" __global__ void halves(const __half2* x, const __half2* y, __half2* z, __half* largest, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const __half2 a = x[i];
  __half2 b = y[i];
  PTX_INJECT("pairs", PTX_IN(F16X2, a), PTX_MOD(F16X2, b));
  z[i] = b;
  const __half low = __low2half(b);
  const __half high = __high2half(b);
  __half top;
  PTX_INJECT("single", PTX_IN(F16, low), PTX_IN(F16, high), PTX_OUT(F16, top));
  largest[i] = top;
}
