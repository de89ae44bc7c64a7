// program: tags=warps,cooperative-groups,atomics,votes
// Stream compaction: one atomic for all active lanes, by __activemask and by coalesced groups, and in order by ballots.

#include "../check.h"
#include <algorithm>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int add_for_mask(int* counter) {
  const unsigned mask = __activemask(), lane = threadIdx.x % 32;
  const int leader = __ffs(mask) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(mask));
  return __shfl_sync(mask, base, leader) + __popc(mask & ((1u << lane) - 1));
}

__device__ int add_for_group(int* counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(group.size()));
  return group.shfl(base, 0) + static_cast<int>(group.thread_rank());
}

__global__ void compact(const int* in, int* by_mask, int* by_group, int* counters, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || in[i] % 3 != 0) return;
  by_mask[add_for_mask(&counters[0])] = in[i];
  by_group[add_for_group(&counters[1])] = in[i];
}

__global__ void in_order(const int* in, int* out, int count) {
  int kept = 0;
  for (int start = 0; start < count; start += 32) {
    const int i = start + threadIdx.x;
    const bool keep = i < count && in[i] % 3 == 0;
    const unsigned mask = __ballot_sync(0xffffffff, keep);
    if (keep) out[kept + __popc(mask & ((1u << threadIdx.x) - 1))] = in[i];
    kept += __popc(mask);
  }
}

int main() {
  const int count = 1000;
  Random random(81);
  std::vector<int> in(count), want;
  for (int& value : in)
    if ((value = random.below(10000)) % 3 == 0) want.push_back(value);
  DeviceArray<int> input(in), a(want.size()), b(want.size()), c(want.size()), counters(2);
  compact<<<blocks_for(count, 128), 128>>>(input, a, b, counters, count);
  in_order<<<1, 32>>>(input, c, count);
  CHECK_KERNEL();
  same("in order", c.host(), want);
  same("counters", counters.host(), std::vector<int>(2, static_cast<int>(want.size())));
  std::sort(want.begin(), want.end());
  auto first = a.host(), second = b.host();
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  same("mask", first, want);
  same("group", second, want);
  return finish();
}
