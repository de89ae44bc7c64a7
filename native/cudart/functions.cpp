// What programs ask about kernels and allow them: their attributes, and how many blocks fit on the device.
#include <string.h>

#include <algorithm>

#include "device.h"
#include "errors.h"
#include "launch.h"

namespace cudart {

int blocks_per_multiprocessor(const Kernel& kernel, uint64_t block_threads, size_t dynamic_bytes) {
  if (block_threads > kernel.facts.max_threads || dynamic_bytes > most_dynamic_bytes(kernel)) return 0;
  const uint64_t warps = (block_threads + 31) / 32;
  const auto by_threads = static_cast<int>(static_cast<uint64_t>(attribute(THREADS_PER_MULTIPROCESSOR)) / 32 / warps);
  const size_t shared = kernel.facts.shared_bytes + dynamic_bytes + static_cast<size_t>(attribute(RESERVED_SHARED));
  const auto by_shared = static_cast<int>(static_cast<size_t>(attribute(SHARED_PER_MULTIPROCESSOR)) / shared);
  return std::min({by_threads, by_shared, attribute(BLOCKS_PER_MULTIPROCESSOR)});
}

unsigned most_cluster_blocks(const Kernel& kernel) {
  constexpr unsigned PORTABLE = 8, MOST = 16;
  // A kernel that states the size of its clusters allows it.
  const bool is_stated = kernel.facts.cluster[0] != 0;
  const unsigned most = kernel.non_portable_cluster != 0 || is_stated ? MOST : PORTABLE;
  return kernel.facts.max_cluster_blocks == 0 ? most : std::min(most, kernel.facts.max_cluster_blocks);
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaFuncGetAttributes(FunctionAttributes* found, const void* function) {
  if (found == nullptr) return result(INVALID_VALUE);
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return result(INVALID_DEVICE_FUNCTION);
  if (const Error error = load(kernel)) return result(error);
  memset(found, 0, sizeof *found);
  found->shared_bytes = kernel->facts.shared_bytes;
  found->constant_bytes = kernel->facts.constant_bytes;
  found->local_bytes = kernel->facts.local_bytes;
  found->max_threads = static_cast<int>(kernel->facts.max_threads);
  found->registers = 32;
  found->ptx_version = static_cast<int>(kernel->facts.ptx_version);
  found->binary_version = attribute(CAPABILITY_MAJOR) * 10 + attribute(CAPABILITY_MINOR);
  found->max_dynamic_shared = static_cast<int>(most_dynamic_bytes(*kernel));
  found->carveout = kernel->carveout;
  found->cluster_must_be_set = kernel->facts.cluster[0] != 0 ? 1 : 0;
  found->cluster_width = static_cast<int>(kernel->facts.cluster[0]);
  found->cluster_height = static_cast<int>(kernel->facts.cluster[1]);
  found->cluster_depth = static_cast<int>(kernel->facts.cluster[2]);
  return SUCCESS;
}

CUDART_EXPORT Error cudaFuncSetAttribute(const void* function, int number, int value) {
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return result(INVALID_DEVICE_FUNCTION);
  if (const Error error = load(kernel)) return result(error);
  enum { MAX_DYNAMIC = 8, CARVEOUT = 9, NON_PORTABLE_CLUSTER = 14, LAST = 15 };
  if (number < MAX_DYNAMIC || number > LAST) return result(INVALID_VALUE);
  if (number == CARVEOUT) kernel->carveout = value;
  if (number == NON_PORTABLE_CLUSTER) kernel->non_portable_cluster = value;
  if (number != MAX_DYNAMIC) return SUCCESS;
  if (value < 0 || static_cast<unsigned>(value) > most_raised_bytes(*kernel)) return result(INVALID_VALUE);
  kernel->max_dynamic_bytes = value;
  return SUCCESS;
}
CUDART_EXPORT Error cudaFuncSetCacheConfig(const void*, int) { return SUCCESS; }
CUDART_EXPORT Error cudaFuncSetSharedMemConfig(const void*, int) { return SUCCESS; }

CUDART_EXPORT Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                           int block_threads, size_t dynamic_bytes,
                                                                           unsigned) {
  if (blocks == nullptr || block_threads < 1) return result(INVALID_VALUE);
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return result(INVALID_DEVICE_FUNCTION);
  if (const Error error = load(kernel)) return result(error);
  *blocks = blocks_per_multiprocessor(*kernel, static_cast<uint64_t>(block_threads), dynamic_bytes);
  return SUCCESS;
}
CUDART_EXPORT Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads,
                                                                  size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_threads, dynamic_bytes, 0);
}
CUDART_EXPORT Error cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int) {
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return result(INVALID_DEVICE_FUNCTION);
  if (const Error error = load(kernel)) return result(error);
  if (blocks < 1) return result(INVALID_VALUE);
  const size_t each = static_cast<size_t>(attribute(SHARED_PER_MULTIPROCESSOR) / blocks);
  const size_t taken = kernel->facts.shared_bytes + static_cast<size_t>(attribute(RESERVED_SHARED));
  *bytes = each > taken ? each - taken : 0;
  return SUCCESS;
}

namespace {

/** The kernel of a question about clusters, and the blocks of a cluster that the configuration asks for. */
Error cluster_question(const void* function, const LaunchConfiguration* configuration, Kernel** kernel,
                       LaunchShape* shape) {
  *kernel = find_kernel(function);
  if (*kernel == nullptr) return INVALID_DEVICE_FUNCTION;
  if (configuration == nullptr) return INVALID_VALUE;
  if (const Error error = load(*kernel)) return error;
  *shape = shape_of(*configuration);
  return SUCCESS;
}

}  // namespace

CUDART_EXPORT Error cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                   const LaunchConfiguration* configuration) {
  Kernel* kernel = nullptr;
  LaunchShape shape{};
  if (const Error error = cluster_question(function, configuration, &kernel, &shape)) return result(error);
  const auto [x, y, z] = cluster_of(*kernel, shape);
  const uint64_t blocks = uint64_t{x} * y * z;
  if (clusters == nullptr || blocks == 0) return result(INVALID_VALUE);
  if (blocks > most_cluster_blocks(*kernel)) return result(INVALID_CLUSTER_SIZE);
  const uint64_t threads = uint64_t{shape.block.x} * shape.block.y * shape.block.z;
  if (threads == 0) return result(INVALID_VALUE);
  const int resident = blocks_per_multiprocessor(*kernel, threads, shape.dynamic_bytes) * attribute(MULTIPROCESSORS);
  *clusters = resident / static_cast<int>(blocks);
  return SUCCESS;
}

CUDART_EXPORT Error cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                         const LaunchConfiguration* configuration) {
  Kernel* kernel = nullptr;
  LaunchShape shape{};
  if (const Error error = cluster_question(function, configuration, &kernel, &shape)) return result(error);
  if (blocks == nullptr) return result(INVALID_VALUE);
  *blocks = static_cast<int>(most_cluster_blocks(*kernel));
  return SUCCESS;
}
