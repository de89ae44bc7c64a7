// Random numbers at the site: PTX_PHILOX passes the state of a Philox generator as six operands, of which the counter's
// lowest word comes back advanced.
#include <ptx_inject.h>

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
    PTX_INJECT("draw", PTX_PHILOX(state), PTX_IN(F32, mean), PTX_OUT(F32, sample));
    samples[4 * i + k] = sample;
  }
}
