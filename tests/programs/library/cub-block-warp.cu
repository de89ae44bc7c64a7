// program: tags=cub,warps,shared-memory
// CUB's collectives inside a kernel: loads, sorts, scans and reductions of blocks and warps.

#include "../check.h"
#include <algorithm>
#include <cub/cub.cuh>

constexpr int BLOCK = 64, EACH = 4, TILE = BLOCK * EACH;

__global__ void collectives(const int* in, int* sorted, int* scanned, int* maxima) {
  using Load = cub::BlockLoad<int, BLOCK, EACH, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, BLOCK, EACH, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, BLOCK, EACH>;
  using Scan = cub::BlockScan<int, BLOCK>;
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
  } shared;
  __shared__ typename WarpReduce::TempStorage warps[BLOCK / 32];
  int items[EACH], sums[EACH];
  Load(shared.load).Load(in + blockIdx.x * TILE, items);
  __syncthreads();
  int most = items[0];
  for (int i = 1; i < EACH; i++) most = max(most, items[i]);
  const int sum = WarpReduce(warps[threadIdx.x / 32]).Sum(most);
  if (threadIdx.x % 32 == 0) maxima[blockIdx.x * (BLOCK / 32) + threadIdx.x / 32] = sum;
  Scan(shared.scan).InclusiveSum(items, sums);
  __syncthreads();
  Store(shared.store).Store(scanned + blockIdx.x * TILE, sums);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  Store(shared.store).Store(sorted + blockIdx.x * TILE, items);
}

int main() {
  const int blocks = 3, count = blocks * TILE;
  Random random(91);
  std::vector<int> in(count), sorted, scanned(count), maxima(blocks * BLOCK / 32, 0);
  for (int& value : in) value = static_cast<int>(random.below(5000)) - 2500;
  sorted = in;
  for (int b = 0; b < blocks; b++) std::sort(sorted.begin() + b * TILE, sorted.begin() + (b + 1) * TILE);
  for (int i = 0; i < count; i++) scanned[i] = (i % TILE ? scanned[i - 1] : 0) + in[i];
  for (int t = 0; t < blocks * BLOCK; t++) maxima[t / 32] += *std::max_element(&in[t * EACH], &in[t * EACH] + EACH);
  DeviceArray<int> input(in), a(count), b(count), c(maxima.size());
  collectives<<<blocks, BLOCK>>>(input, a, b, c);
  CHECK_KERNEL();
  same("sorted", a.host(), sorted);
  same("scanned", b.host(), scanned);
  same("maxima", c.host(), maxima);
  return finish();
}
