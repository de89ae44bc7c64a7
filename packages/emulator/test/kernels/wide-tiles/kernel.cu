// nvcc -arch=sm_90 -std=c++17
// Cooperative groups of four warps: they meet in the shared memory that the system reserves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void wide(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<128>(block);
  __shared__ int last[256];
  const int i = block.thread_rank(), value = in[i];
  last[i] = value;
  tile.sync();
  out[i] = cg::reduce(tile, value, cg::plus<int>()) + 1000 * tile.shfl(value, 5) + last[i ^ 127];
}
