// program: tags=cooperative-groups,shuffle,votes
// Tiles of a block: ranks, shuffles, votes, reduce and scan of groups of 4 to 32 threads, and partitions by a predicate.

#include "../check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int SIZE>
__global__ void tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<SIZE>(block);
  const int i = static_cast<int>(block.thread_rank()), value = in[i];
  int* mine = out + i * 6;
  mine[0] = static_cast<int>(tile.meta_group_rank() * 100 + tile.thread_rank());
  mine[1] = cg::reduce(tile, value, cg::plus<int>());
  mine[2] = cg::inclusive_scan(tile, value);
  mine[3] = tile.shfl_xor(value, 1) + tile.shfl(value, 0) * 3;
  mine[4] = tile.any(value > 90) * 2 + tile.all(value > 5);
  const auto parity = cg::binary_partition(tile, value % 2 == 1);
  mine[5] = cg::reduce(parity, value, cg::greater<int>()) * 100 + static_cast<int>(parity.size());
  block.sync();
}

template <int SIZE>
void run(const std::vector<int>& in) {
  const int count = static_cast<int>(in.size());
  std::vector<int> want(count * 6);
  for (int i = 0; i < count; i++) {
    const int base = i / SIZE * SIZE;
    int* mine = &want[i * 6];
    int sum = 0, any = 0, all = 1, most = 0, same_parity = 0;
    for (int j = base; j < base + SIZE; j++) {
      sum += in[j];
      if (j <= i) mine[2] += in[j];
      any |= in[j] > 90;
      all &= in[j] > 5;
      if (in[j] % 2 == in[i] % 2) most = in[j] > most ? in[j] : most, same_parity++;
    }
    mine[0] = i / SIZE * 100 + i % SIZE;
    mine[1] = sum;
    mine[3] = in[i ^ 1] + in[base] * 3;
    mine[4] = any * 2 + all;
    mine[5] = most * 100 + same_parity;
  }
  DeviceArray<int> input(in), out(count * 6);
  tiles<SIZE><<<1, count>>>(input, out);
  CHECK_KERNEL();
  same("tiles", out.host(), want);
}

int main() {
  Random random(82);
  std::vector<int> in(64);
  for (int& value : in) value = 1 + random.below(99);
  run<32>(in);
  run<16>(in);
  run<8>(in);
  run<4>(in);
  return finish();
}
