// Two kernels in a file: each has a site of its own, and both have `loss`, which comes in with a device function.

__device__ __forceinline__ float loss(float predicted, float wanted) {
  float error;
  /* PTX_INJECT loss
    in  f32 predicted
    in  f32 wanted
    out f32 error
  */
  return error;
}

extern "C" __global__ void forward(const float* x, const float* wanted, const float* weight, float* errors,
                                   unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float y;
  /* PTX_INJECT model
    in  f32 x[i] as x
    in  f32 weight[0] as w
    out f32 y
  */
  errors[i] = loss(y, wanted[i]);
}

extern "C" __global__ void score(const float* y, const float* wanted, int* ranks, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int rank = ranks[i];
  /* PTX_INJECT rank
    mod s32 rank
    in  f32 loss(y[i], wanted[i]) as error
    in  b32 i as index
  */
  ranks[i] = rank;
}
