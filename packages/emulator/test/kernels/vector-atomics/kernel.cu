// nvcc -arch=sm_90
// Atomic additions of vectors and pairs.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void vectors(float2* f2, float4* f4, __half2* h2, __nv_bfloat162* b2, float2* old2, float4* old4) {
  unsigned t = threadIdx.x;
  float x = (float)(t % 13) * 0.25f;
  old2[t] = atomicAdd(&f2[t % 3], make_float2(x, -x));
  old4[t] = atomicAdd(&f4[t % 2], make_float4(x, 1.0f, 2.0f * x, -1.0f));
  atomicAdd(&h2[t % 4], __floats2half2_rn(x, 1.0f));
  atomicAdd(&b2[t % 4], __floats2bfloat162_rn(x, -1.0f));
}
