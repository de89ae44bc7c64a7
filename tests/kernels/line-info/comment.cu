// Compiled with -lineinfo: `.loc` and `.file` directives, inlined functions and debug sections stand around the sites.

__device__ __forceinline__ float bounded(float x, float limit) {
  /* PTX_INJECT bound
    mod f32 x
    in  f32 limit
  */
  return x;
}

extern "C" __global__ void clamp_all(float* values, float limit, unsigned count) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = first; i < count; i += gridDim.x * blockDim.x) {
    values[i] = bounded(values[i], limit);
  }
}
