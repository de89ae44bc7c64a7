// nvcc -arch=sm_86
// Least significant bits first, one block: ranks by ballots and the counts of the warps before.
extern "C" __global__ void radix_sort(unsigned* keys, unsigned* other, int bits) {
  __shared__ int zeros[8];
  const int i = threadIdx.x, lane = i & 31, warp = i >> 5, warps = blockDim.x / 32;
  unsigned* from = keys;
  unsigned* to = other;
  for (int bit = 0; bit < bits; bit++) {
    const unsigned key = from[i];
    const bool one = key >> bit & 1;
    const unsigned votes = __ballot_sync(0xffffffff, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < warps; w++) {
      if (w < warp) before += zeros[w];
      all += zeros[w];
    }
    const int rank = before + __popc(votes & ((1u << lane) - 1));
    to[one ? all + i - rank : rank] = key;
    unsigned* t = from; from = to; to = t;
    __syncthreads();
  }
}
