// Multiplies two square matrices by tiles in shared memory. What happens to each element at the end is injected.

#include <ptx_inject.h>

#define TILE 8

extern "C" __global__ void product(const float* a, const float* b, float* c, float bias, unsigned n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  const unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned k = 0; k < n; k += TILE) {
    left[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0.0f;
    right[threadIdx.y][threadIdx.x] = k + threadIdx.y < n && column < n ? b[(k + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row >= n || column >= n) return;
  float result;
  PTX_INJECT("epilogue", PTX_IN(F32, sum), PTX_IN(F32, bias), PTX_OUT(F32, result));
  c[row * n + column] = result;
}
