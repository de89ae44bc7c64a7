// One element a thread: what becomes of two arrays is decided at the site `combine`, which sees x, y and the running sum.
#include <ptx_inject.h>

extern "C" __global__ void elementwise(const float* x, const float* y, float* sum, float* result, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float total = sum[i];
  float z;
  PTX_INJECT("combine", PTX_OUT(F32, z), PTX_MOD(F32, total), PTX_IN(F32, x[i]), PTX_IN(F32, y[i]));
  sum[i] = total;
  result[i] = z;
}
