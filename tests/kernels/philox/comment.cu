// Random numbers at the site: the state of a Philox generator is six operands, of which the counter's
// lowest word comes back advanced.

struct Philox {
  uint2 key;
  uint4 ctr;
};

extern "C" __global__ void noise(const float* means, float* samples, unsigned seed, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Philox state = {{seed, 0}, {0, 0, i, 0}};
  const float mean = means[i];
#pragma unroll 1
  for (unsigned k = 0; k < 4; k++) {
    float sample;
    /* PTX_INJECT draw
      in  PHILOX state.key.x as philox_key_x
      in  PHILOX state.key.y as philox_key_y
      mod PHILOX state.ctr.x as philox_ctr_x
      in  PHILOX state.ctr.y as philox_ctr_y
      in  PHILOX state.ctr.z as philox_ctr_z
      in  PHILOX state.ctr.w as philox_ctr_w
      in  f32    mean
      out f32    sample
    */
    samples[4 * i + k] = sample;
  }
}
