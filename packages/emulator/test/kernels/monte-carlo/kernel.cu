// nvcc -arch=sm_88
// Points in the circle, counted by votes; 64-bit states of a linear congruential generator.
extern "C" __global__ void circle(unsigned long long* hits, unsigned long long* states, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long state = states[i], found = 0;
  for (int round = 0; round < rounds; round++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const unsigned x = (unsigned)(state >> 33) & 0xffff, y = (unsigned)(state >> 49) & 0x7fff;
    found += __popc(__ballot_sync(0xffffffffu, x / 2 * (x / 2) + y * y < 1u << 30));
  }
  states[i] = state;
  if (threadIdx.x % 32 == 0) atomicAdd(hits, found);
}
