// nvcc -arch=sm_80
// Two stages of asynchronous copies into shared memory.
#include <cuda_pipeline.h>
extern "C" __global__ void sums(const float4* in, float* out, int tiles) {
  __shared__ float4 stage[2][32];
  const int i = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][i], &in[i], 16);
  __pipeline_commit();
  float sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    if (tile + 1 < tiles) __pipeline_memcpy_async(&stage[(tile + 1) & 1][i], &in[(tile + 1) * 32 + i], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 v = stage[tile & 1][31 - i];
    sum += (v.x + v.y) + (v.z + v.w);
    __syncthreads();
  }
  out[i] = sum;
}
