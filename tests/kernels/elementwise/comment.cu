// One element a thread: what becomes of two arrays is decided at the site `combine`, which sees x, y and the running sum.

extern "C" __global__ void elementwise(const float* x, const float* y, float* sum, float* result, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float total = sum[i];
  float z;
  /* PTX_INJECT combine
    out f32 z
    mod f32 total
    in  f32 x[i]
    in  f32 y[i]
  */
  sum[i] = total;
  result[i] = z;
}
