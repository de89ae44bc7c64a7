// nvcc -arch=sm_80 -std=c++17
// Cooperative groups: tiles of 8 lanes, and a group of the lanes that take a branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void tiles(const int* in, int* out, int* branch) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int i = block.thread_rank();
  out[i] = cg::reduce(tile, in[i], cg::plus<int>()) + tile.shfl(in[i], 3) * 1000 + tile.meta_group_rank();
  if (in[i] > 50) {
    const auto group = cg::coalesced_threads();
    branch[i] = group.size() * 100 + group.thread_rank();
  }
  block.sync();
}
