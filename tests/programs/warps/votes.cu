// program: tags=warps,votes
// Votes, ballots, active masks, match and reduce of warps.

#include "../check.h"

__global__ void votes(const unsigned* in, unsigned* out) {
  const unsigned value = in[threadIdx.x], lane = threadIdx.x % 32;
  unsigned* mine = out + threadIdx.x * 10;
  mine[0] = __all_sync(0xffffffff, value < 900);
  mine[1] = __any_sync(0xffffffff, value > 900);
  mine[2] = __ballot_sync(0xffffffff, value & 1);
  mine[3] = mine[4] = 0;
  if (lane < 20) {
    mine[3] = __ballot_sync(0x000fffff, value & 2);
    mine[4] = __popc(__ballot_sync(0x000fffff, true));
  }
  __syncwarp();
#if __CUDA_ARCH__ >= 700
  mine[5] = __match_any_sync(0xffffffff, value % 5);
  int all = 7;
  mine[6] = __match_all_sync(0xffffffff, value / 1000, &all);
  mine[7] = all;
#endif
#if __CUDA_ARCH__ >= 800
  mine[8] = __reduce_add_sync(0xffffffff, value);
  mine[9] = __reduce_max_sync(0xffffffff, value) ^ __reduce_xor_sync(0xffffffff, value);
#else
  unsigned sum = value, most = value, parity = value;
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
    most = max(most, __shfl_xor_sync(0xffffffff, most, offset));
    parity ^= __shfl_xor_sync(0xffffffff, parity, offset);
  }
  mine[8] = sum;
  mine[9] = most ^ parity;
#endif
}

int main() {
  const int count = 128;
  Random random(6);
  std::vector<unsigned> in(count), want(count * 10, 0);
  for (int i = 0; i < count; i++) in[i] = random.below(i < 64 ? 1000 : 890);
  for (int i = 0; i < count; i++) {
    const int warp = i / 32 * 32, lane = i % 32;
    unsigned* mine = &want[i * 10];
    mine[0] = 1;
    unsigned most = 0, parity = 0;
    for (int j = 0; j < 32; j++) {
      const unsigned value = in[warp + j];
      mine[0] &= value < 900;
      mine[1] |= value > 900;
      mine[2] |= (value & 1) << j;
      if (lane < 20 && j < 20) mine[3] |= (value >> 1 & 1) << j;
      mine[5] |= unsigned(value % 5 == in[i] % 5) << j;
      mine[8] += value;
      most = value > most ? value : most;
      parity ^= value;
    }
    mine[4] = lane < 20 ? 20 : 0;
    mine[6] = 0xffffffff;
    mine[7] = 1;
    mine[9] = most ^ parity;
  }
  DeviceArray<unsigned> input(in), out(count * 10);
  votes<<<1, count>>>(input, out);
  CHECK_KERNEL();
  same("votes", out.host(), want);
  return finish();
}
