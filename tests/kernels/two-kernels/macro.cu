// Two kernels in a file: each has a site of its own, and both have `loss`, which comes in with a device function.
#include <ptx_inject.h>

__device__ __forceinline__ float loss(float predicted, float wanted) {
  float error;
  PTX_INJECT("loss", PTX_IN(F32, predicted), PTX_IN(F32, wanted), PTX_OUT(F32, error));
  return error;
}

extern "C" __global__ void forward(const float* x, const float* wanted, const float* weight, float* errors,
                                   unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float y;
  PTX_INJECT("model", PTX_IN(F32, x, x[i]), PTX_IN(F32, w, weight[0]), PTX_OUT(F32, y));
  errors[i] = loss(y, wanted[i]);
}

extern "C" __global__ void score(const float* y, const float* wanted, int* ranks, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int rank = ranks[i];
  PTX_INJECT("rank", PTX_MOD(S32, rank), PTX_IN(F32, error, loss(y[i], wanted[i])), PTX_IN(B32, index, i));
  ranks[i] = rank;
}
