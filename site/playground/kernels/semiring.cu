// Multiplies two square matrices over a semiring: `times` joins an element of a row with one of a column, and `plus` gathers
// the products. The bodies of both are injected later.

#include <ptx_inject.h>

extern "C" __global__ void product(const float* a, const float* b, float* c, unsigned n, float zero) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = zero;
#pragma unroll 1
  for (unsigned k = 0; k < n; k++) {
    float left = a[row * n + k], right = b[k * n + column], product;
    PTX_INJECT("times", PTX_IN(F32, left), PTX_IN(F32, right), PTX_OUT(F32, product));
    PTX_INJECT("plus", PTX_MOD(F32, sum), PTX_IN(F32, product));
  }
  c[row * n + column] = sum;
}
