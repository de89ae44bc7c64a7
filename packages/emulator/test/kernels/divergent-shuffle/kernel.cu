// nvcc -arch=sm_90
// Lanes leave a loop one after the other; those that are left shuffle among themselves, each time fewer.
extern "C" __global__ void divergent(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned rounds = in[i] % 13;
  unsigned sum = in[i], active = 0xffffffffu;
  for (unsigned k = 0;; k++) {
    const unsigned more = __ballot_sync(active, k < rounds);
    if (k >= rounds) break;
    active = more;
    unsigned next = lane;
    do next = (next + 1) % 32; while (!(active >> next & 1));
    sum = sum * 31 + __shfl_sync(active, sum, next);
    if (sum & 1) {
      unsigned digits = 0;
      for (unsigned bits = sum; bits; bits >>= 3) digits += bits & 7;
      sum ^= digits;
    }
    __syncwarp(active);
  }
  out[i] = sum;
}
