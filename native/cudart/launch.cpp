// Launches of kernels: `<<<>>>`, `cudaLaunchKernel` and the functions with attributes.
#include <string.h>

#include "errors.h"
#include "launch.h"
#include "modules.h"
#include "objects.h"

namespace cudart {
namespace {

constexpr unsigned MOST_THREADS = 1024;
constexpr unsigned MOST_SHARED_BYTES = 48 << 10;
constexpr unsigned MOST_RAISED_BYTES = 227 << 10;

/** What `<<<>>>` has pushed and the stub of the kernel pops. */
struct Configuration {
  Dim3 grid, block;
  size_t dynamic_bytes;
  Stream* stream;
};

thread_local std::vector<Configuration> configurations;

bool within(const Dim3& size, unsigned x, unsigned y, unsigned z) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= x && size.y <= y && size.z <= z;
}

}  // namespace

unsigned most_dynamic_bytes(const Kernel& kernel) {
  if (kernel.max_dynamic_bytes >= 0) return static_cast<unsigned>(kernel.max_dynamic_bytes);
  return kernel.facts.shared_bytes >= MOST_SHARED_BYTES
             ? 0
             : MOST_SHARED_BYTES - static_cast<unsigned>(kernel.facts.shared_bytes);
}

unsigned most_raised_bytes(const Kernel& kernel) {
  return kernel.facts.shared_bytes >= MOST_RAISED_BYTES
             ? 0
             : MOST_RAISED_BYTES - static_cast<unsigned>(kernel.facts.shared_bytes);
}

Error prepare_launch(const void* function, const LaunchShape& shape, void** arguments, void** extra, Work* work) {
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return INVALID_DEVICE_FUNCTION;
  if (const Error error = load(kernel)) return error;
  const auto& [grid, block, cluster, dynamic_bytes, cooperative] = shape;
  if (!within(grid, 0x7fffffff, 65535, 65535) || !within(block, MOST_THREADS, MOST_THREADS, 64))
    return INVALID_CONFIGURATION;
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  if (threads > MOST_THREADS) return INVALID_CONFIGURATION;
  if (threads > kernel->facts.max_threads) return LAUNCH_OUT_OF_RESOURCES;
  if (dynamic_bytes > most_dynamic_bytes(*kernel)) return INVALID_VALUE;
  if (cluster.x != 0 && (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0))
    return INVALID_CONFIGURATION;
  work->type = Work::LAUNCH;
  work->kernel = kernel;
  work->launch = {kernel->facts.kernel,
                  {grid.x, grid.y, grid.z},
                  {block.x, block.y, block.z},
                  {cluster.x, cluster.y, cluster.z},
                  static_cast<uint32_t>(dynamic_bytes),
                  cooperative ? 1u : 0u};
  work->parameters.assign(kernel->facts.parameter_bytes, 0);
  if (arguments != nullptr) {
    for (size_t i = 0; i < kernel->parameters.size(); i++) {
      const auto& [offset, bytes] = kernel->parameters[i];
      memcpy(work->parameters.data() + offset, arguments[i], bytes);
    }
  } else if (extra != nullptr) {
    // Pairs of a number and a value, ended by 0: 1 is a buffer with all parameters, 2 is the place of its size.
    const void* buffer = nullptr;
    size_t bytes = 0;
    for (; *extra != nullptr; extra += 2) {
      if (reinterpret_cast<uintptr_t>(*extra) == 1) buffer = extra[1];
      if (reinterpret_cast<uintptr_t>(*extra) == 2) bytes = *static_cast<size_t*>(extra[1]);
    }
    if (buffer == nullptr || bytes < work->parameters.size()) return INVALID_VALUE;
    memcpy(work->parameters.data(), buffer, work->parameters.size());
  } else if (!kernel->parameters.empty()) {
    return INVALID_VALUE;
  }
  return SUCCESS;
}

namespace {

Error launch(const void* function, const LaunchShape& shape, void** arguments, Stream* stream) {
  if (const Error error = device_error()) return error;
  Work work;
  if (const Error error = prepare_launch(function, shape, arguments, nullptr, &work)) return error;
  return submit(stream, work);
}

}  // namespace
}  // namespace cudart

using namespace cudart;

CUDART_EXPORT unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t dynamic_bytes, Stream* stream) {
  configurations.push_back({grid, block, dynamic_bytes, stream});
  return 0;
}

CUDART_EXPORT Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* dynamic_bytes, void* stream) {
  if (configurations.empty()) return result(INVALID_CONFIGURATION);
  const auto& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *dynamic_bytes = last.dynamic_bytes;
  *static_cast<Stream**>(stream) = last.stream;
  configurations.pop_back();
  return SUCCESS;
}

CUDART_EXPORT Error cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                     size_t dynamic_bytes, Stream* stream) {
  return result(launch(function, {grid, block, {0, 0, 0}, dynamic_bytes, false}, arguments, stream));
}
CUDART_PTSZ(cudaLaunchKernel)

CUDART_EXPORT Error __cudaLaunchKernel(Kernel* kernel, Dim3 grid, Dim3 block, void** arguments, size_t dynamic_bytes,
                                       Stream* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_bytes, stream);
}
CUDART_PTSZ(__cudaLaunchKernel)

CUDART_EXPORT Error cudaLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                                size_t dynamic_bytes, Stream* stream) {
  return result(launch(function, {grid, block, {0, 0, 0}, dynamic_bytes, true}, arguments, stream));
}
CUDART_PTSZ(cudaLaunchCooperativeKernel)

CUDART_EXPORT Error cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* function,
                                        void** arguments) {
  if (configuration == nullptr) return result(INVALID_VALUE);
  const auto& [grid, block, dynamic_bytes, stream, attributes, count] = *configuration;
  LaunchShape shape{grid, block, {0, 0, 0}, dynamic_bytes, false};
  Event* completion = nullptr;
  enum { COOPERATIVE = 2, CLUSTER_DIMENSION = 4, PROGRAMMATIC_EVENT = 7, COMPLETION_EVENT = 12 };
  for (unsigned i = 0; i < count; i++) {
    const auto& value = attributes[i].value;
    if (attributes[i].id == COOPERATIVE) shape.cooperative = value.number != 0;
    if (attributes[i].id == CLUSTER_DIMENSION) shape.cluster = value.dimensions;
    if (attributes[i].id == PROGRAMMATIC_EVENT || attributes[i].id == COMPLETION_EVENT) completion = value.event.event;
  }
  const Error error = launch(function, shape, arguments, stream);
  if (error != SUCCESS || completion == nullptr) return result(error);
  completion->recorded = true;
  Work work;
  work.type = Work::RECORD;
  work.event = completion;
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaLaunchKernelExC)
