// Adds up the values of each block in shared memory. What stands between the rounds is injected: without a barrier
// there, a thread reads what another one may not have written yet.

#include <ptx_inject.h>

extern "C" __global__ void sum(const float* values, float* sums, unsigned count) {
  __shared__ float partial[128];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < count ? values[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    float mine = 0.0f, other = 0.0f;
    if (threadIdx.x < half) {
      mine = partial[threadIdx.x];
      other = partial[threadIdx.x + half];
      PTX_INJECT("combine", PTX_MOD(F32, mine), PTX_IN(F32, other));
      partial[threadIdx.x] = mine;
    }
    PTX_INJECT("between", PTX_MEMORY, PTX_IN(U32, half));
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}
