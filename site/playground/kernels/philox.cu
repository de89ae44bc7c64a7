// Draws random numbers: each thread has a Philox generator of its own, whose state the site binds.

#include <ptx_inject.h>

struct Philox {
  uint2 key;
  uint4 ctr;
};

extern "C" __global__ void draw(float* samples, unsigned seed, float mean, float deviation, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Philox state = {{seed, 0}, {0, 0, i, 0}};
  float sample;
  PTX_INJECT("sample", PTX_PHILOX(state), PTX_OUT(F32, sample));
  samples[i] = mean + deviation * sample;
}
