// A device function with a site, inlined at three places of a kernel: the gates of a recurrent cell share one activation.

__device__ __forceinline__ float activation(float x) {
  float y;
  /* PTX_INJECT activation
    out f32 y
    in  f32 x
  */
  return y;
}

extern "C" __global__ void cell(const float* forget, const float* input, const float* output, float* state,
                                float* hidden, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float next = activation(forget[i]) * state[i] + activation(input[i]);
  state[i] = next;
  hidden[i] = activation(output[i]) * next;
}
