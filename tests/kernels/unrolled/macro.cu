// A loop of 8 steps that nvcc unrolls: the one site of the source stands 8 times in the PTX, each with its own registers.
// Horner's scheme is `acc = acc * x + coefficient`; other steps make other series.
#include <ptx_inject.h>

extern "C" __global__ void series(const float* coefficients, const float* points, float* values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = points[i];
  float acc = 0.0f;
#pragma unroll
  for (unsigned k = 0; k < 8; k++) {
    PTX_INJECT("step", PTX_MOD(F32, acc), PTX_IN(F32, x), PTX_IN(F32, coefficient, coefficients[k]), PTX_IN(U32, k));
  }
  values[i] = acc;
}
