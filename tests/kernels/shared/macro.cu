// Shared memory with barriers: a block of 256 threads reduces its elements as a tree; how two are combined is the site.
#include <ptx_inject.h>

extern "C" __global__ void reduce(const float* values, float* results) {
  __shared__ float partial[256];
  const unsigned thread = threadIdx.x;
  partial[thread] = values[blockIdx.x * 256 + thread];
  __syncthreads();
#pragma unroll
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (thread < stride) {
      float acc = partial[thread];
      PTX_INJECT("combine", PTX_MOD(F32, acc), PTX_IN(F32, other, partial[thread + stride]));
      partial[thread] = acc;
    }
    __syncthreads();
  }
  if (thread == 0) results[blockIdx.x] = partial[0];
}
