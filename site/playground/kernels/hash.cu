// Measures a hash: flips one bit of the input and counts how often each bit of the output changes. A good hash changes
// each of them half of the time. The site is in a function that is inlined twice.

#include <ptx_inject.h>

__device__ __forceinline__ unsigned hash(unsigned key) {
  unsigned value;
  PTX_INJECT("hash", PTX_IN(U32, key), PTX_OUT(U32, value));
  return value;
}

extern "C" __global__ void avalanche(float* changes, unsigned first, unsigned samples) {
  const unsigned flipped = blockIdx.x, bit = threadIdx.x;
  unsigned count = 0;
#pragma unroll 1
  for (unsigned i = 0; i < samples; i++) {
    const unsigned key = first + i;
    count += (hash(key) ^ hash(key ^ (1u << flipped))) >> bit & 1;
  }
  changes[flipped * 32 + bit] = (float)count / (float)samples;
}
