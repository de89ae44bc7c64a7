// nvcc -arch=sm_90
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void halves(const __half2* x, __half2* y, const float* f, __half* rounded, float* back) {
  const int i = threadIdx.x;
  const __half2 product = __hmul2(x[i], y[i]);
  rounded[i] = __float2half(f[i]);
  back[i] = __half2float(__hadd(__low2half(x[i]), __high2half(x[i])));
  y[i] = __hmax2(product, __hneg2(x[i]));
}
extern "C" __global__ void brains(const float* f, __nv_bfloat16* rounded, float* back, unsigned* compared) {
  const int i = threadIdx.x;
  const __nv_bfloat16 a = __float2bfloat16(f[i]), b = __float2bfloat16_rz(f[i]);
  rounded[2 * i] = a;
  rounded[2 * i + 1] = b;
  back[i] = __bfloat162float(a) - __bfloat162float(b);
  compared[i] = __hgt(a, b) | __hlt(__float2half(f[i]), __float2half(0.25f)) << 1;
}
