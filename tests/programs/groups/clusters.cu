// program: tags=clusters,distributed-shared-memory arch=90
// A histogram spread over the shared memory of the blocks of a cluster, and a ring that passes values between blocks.

#include "../check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int BINS = 64;

__global__ void histogram(const int* in, int count, int* bins) {
  extern __shared__ int local[];
  cg::cluster_group cluster = cg::this_cluster();
  const int size = cluster.dim_blocks().x, each = BINS / size;
  for (int i = threadIdx.x; i < each; i += blockDim.x) local[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int* owner = cluster.map_shared_rank(local, in[i] / each);
    atomicAdd(owner + in[i] % each, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * each + i], local[i]);
}

__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
  __shared__ int box;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  // The memory of a block may be accessed once it has begun.
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&box, next) = static_cast<int>(blockIdx.x * 10);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = box + static_cast<int>(rank);
}

int main() {
  const int count = 2000;
  Random random(84);
  std::vector<int> in(count), want(BINS, 0);
  for (int& value : in) want[value = random.below(BINS)]++;
  DeviceArray<int> input(in), bins(BINS), out(8);
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 64;
  config.dynamicSmemBytes = BINS / 2 * sizeof(int);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, histogram, static_cast<const int*>(input.get()), count, bins.get()));
  CHECK_KERNEL();
  same("bins", bins.host(), want);
  ring<<<8, 32>>>(out);
  CHECK_KERNEL();
  std::vector<int> ring_want;
  for (int b = 0; b < 8; b++) ring_want.push_back((b / 4 * 4 + (b + 3) % 4) * 10 + b % 4);
  same("ring", out.host(), ring_want);
  return finish();
}
