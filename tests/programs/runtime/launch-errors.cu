// program: tags=runtime,errors,launches arch=90
// What a GPU refuses at the launch: the call returns the error, which does not stay, and the next launch is right.

#include "../check.h"
#include <cooperative_groups.h>

__global__ void add(int* sum) { atomicAdd(sum, 1); }

__global__ void __launch_bounds__(128) small(int* sum) { atomicAdd(sum, 1); }

__global__ void meet(int* sum) {
  atomicAdd(sum, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) sum[1] = sum[0];
}

__global__ void __cluster_dims__(2, 1, 1) in_pairs(int* sum) { atomicAdd(sum, 1); }

namespace {

int* sum = nullptr;

/** The launch has returned an error; nothing of it is left. */
void refused(const char* what, cudaError_t found, cudaError_t want) {
  same(what, static_cast<int>(found), static_cast<int>(want));
  same(what, static_cast<int>(cudaGetLastError()), static_cast<int>(want));
  same(what, static_cast<int>(cudaGetLastError()), 0);
  CHECK(cudaMemset(sum, 0, 8));
  add<<<1, 32>>>(sum);
  CHECK_KERNEL();
  int result = 0;
  CHECK(cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost));
  same("the next launch", result, 32);
}

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, size_t bytes = 0) {
  void* arguments[] = {&sum};
  return cudaLaunchKernel(kernel, grid, block, arguments, bytes, nullptr);
}

cudaError_t launch_clusters(dim3 grid, unsigned cluster) {
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = dim3(32);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelEx(&configuration, add, sum);
}

}  // namespace

int main() {
  CHECK(cudaMalloc(&sum, 8));
  const auto kernel = reinterpret_cast<const void*>(add);
  refused("no blocks", launch(kernel, dim3(0), dim3(32)), cudaErrorInvalidConfiguration);
  refused("no threads", launch(kernel, dim3(1), dim3(0)), cudaErrorInvalidConfiguration);
  refused("threads", launch(kernel, dim3(1), dim3(1025)), cudaErrorInvalidConfiguration);
  refused("threads in all", launch(kernel, dim3(1), dim3(64, 32)), cudaErrorInvalidConfiguration);
  refused("threads in z", launch(kernel, dim3(1), dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
  refused("blocks in y", launch(kernel, dim3(1, 65536), dim3(1)), cudaErrorInvalidConfiguration);
  refused("shared memory", launch(kernel, dim3(1), dim3(32), 49153), cudaErrorInvalidValue);
  refused("no kernel", launch(nullptr, dim3(1), dim3(32)), cudaErrorInvalidDeviceFunction);
  expect(launch(reinterpret_cast<const void*>(small), dim3(1), dim3(256)) != cudaSuccess, "bounds of the launch");
  cudaGetLastError();

  // Clusters: portable ones have up to 8 blocks, and grids consist of whole clusters.
  refused("large cluster", launch_clusters(dim3(16), 16), cudaErrorInvalidClusterSize);
  expect(launch_clusters(dim3(9), 2) != cudaSuccess, "a grid of whole clusters");
  cudaGetLastError();
  CHECK(launch_clusters(dim3(8), 8));
  CHECK(cudaFuncSetAttribute(add, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(launch_clusters(dim3(16), 16));
  expect(launch(reinterpret_cast<const void*>(in_pairs), dim3(3), dim3(32)) != cudaSuccess, "a grid of whole pairs");
  cudaGetLastError();
  CHECK(launch(reinterpret_cast<const void*>(in_pairs), dim3(4), dim3(32)));
  CHECK(cudaDeviceSynchronize());

  // As many cooperative blocks as fit, and one more.
  int each = 0, multiprocessors = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, 64, 0));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  void* arguments[] = {&sum};
  const auto cooperative = [&](int blocks, size_t bytes) {
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(meet), dim3(blocks), dim3(64), arguments, bytes,
                                       nullptr);
  };
  const int most = each * multiprocessors;
  refused("too many blocks", cooperative(most + 1, 0), cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaMemset(sum, 0, 8));
  CHECK(cooperative(most, 0));
  int results[2];
  CHECK(cudaMemcpy(results, sum, 8, cudaMemcpyDeviceToHost));
  same("cooperative", results[1], most * 64);
  // Shared memory leaves room for fewer.
  int fewer = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, meet, 64, 40000));
  expect(fewer < each, "fewer blocks with much shared memory");
  refused("too much shared memory", cooperative(fewer * multiprocessors + 1, 40000), cudaErrorCooperativeLaunchTooLarge);
  CHECK(cooperative(fewer * multiprocessors, 40000));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(sum));
  return finish();
}
