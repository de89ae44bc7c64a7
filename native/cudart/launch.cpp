// Launches of kernels: `<<<>>>`, `cudaLaunchKernel` and the functions with attributes.
#include <cxxabi.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
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

/** One of the launches of `cudaLaunchCooperativeKernelMultiDevice`. */
struct DeviceLaunch {
  const void* function;
  Dim3 grid, block;
  void** arguments;
  size_t dynamic_bytes;
  Stream* stream;
};

thread_local std::vector<Configuration> configurations;

uint64_t product(const Dim3& size) { return uint64_t{size.x} * size.y * size.z; }

bool within(const Dim3& size, unsigned x, unsigned y, unsigned z) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= x && size.y <= y && size.z <= z;
}

bool equal(const uint32_t (&sizes)[3], const Dim3& size) {
  return sizes[0] == size.x && sizes[1] == size.y && sizes[2] == size.z;
}

Error shape_error(const Kernel& kernel, const LaunchShape& shape) {
  const auto& [grid, block, cluster, dynamic_bytes, cooperative] = shape;
  if (!within(grid, 0x7fffffff, 65535, 65535) || !within(block, MOST_THREADS, MOST_THREADS, 64))
    return INVALID_CONFIGURATION;
  const uint64_t threads = product(block);
  if (threads > MOST_THREADS) return INVALID_CONFIGURATION;
  if (threads > kernel.facts.max_threads) return LAUNCH_OUT_OF_RESOURCES;
  if (kernel.facts.block[0] != 0 && !equal(kernel.facts.block, block)) return INVALID_VALUE;
  if (dynamic_bytes > most_dynamic_bytes(kernel)) return INVALID_VALUE;
  const Dim3 clusters = cluster_of(kernel, shape);
  if (clusters.x == 0) {
    if (kernel.facts.needs_cluster != 0) return INVALID_CLUSTER_SIZE;
  } else {
    if (kernel.facts.cluster[0] != 0 && !equal(kernel.facts.cluster, clusters)) return INVALID_CLUSTER_SIZE;
    const uint64_t blocks = product(clusters);
    if (blocks == 0 || blocks > most_cluster_blocks(kernel)) return INVALID_CLUSTER_SIZE;
    if (grid.x % clusters.x != 0 || grid.y % clusters.y != 0 || grid.z % clusters.z != 0) return INVALID_CONFIGURATION;
  }
  if (!cooperative) return SUCCESS;
  const auto resident = static_cast<uint64_t>(blocks_per_multiprocessor(kernel, threads, dynamic_bytes)) *
                        static_cast<uint64_t>(attribute(MULTIPROCESSORS));
  return product(grid) > resident ? COOPERATIVE_TOO_LARGE : SUCCESS;
}

}  // namespace

Error check_shape(const Kernel& kernel, const LaunchShape& shape) {
  const Error error = shape_error(kernel, shape);
  if (error == SUCCESS) return SUCCESS;
  const auto& [grid, block, cluster, dynamic_bytes, cooperative] = shape;
  // Programs often do not look at this error, and go on without what the kernel should have written.
  char* plain = abi::__cxa_demangle(kernel.name.c_str(), nullptr, nullptr, nullptr);
  complain("expected a launch that the device can run, found `%s` with %u x %u x %u blocks of %u x %u x %u threads and "
           "%zu bytes of dynamic shared memory: %s",
           plain == nullptr ? kernel.name.c_str() : plain, grid.x, grid.y, grid.z, block.x, block.y, block.z,
           dynamic_bytes, cudaGetErrorName(error));
  free(plain);
  return error;
}

Dim3 cluster_of(const Kernel& kernel, const LaunchShape& shape) {
  const auto& [x, y, z] = kernel.facts.cluster;
  return shape.cluster.x != 0 ? shape.cluster : Dim3{x, y, z};
}

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
  if (const Error error = check_shape(*kernel, shape)) return error;
  const auto& [grid, block, cluster, dynamic_bytes, cooperative] = shape;
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

LaunchShape shape_of(const LaunchConfiguration& configuration) {
  const auto& [grid, block, dynamic_bytes, stream, attributes, count] = configuration;
  LaunchShape shape{grid, block, {0, 0, 0}, dynamic_bytes, false};
  for (unsigned i = 0; i < count; i++) {
    if (attributes[i].id == COOPERATIVE) shape.cooperative = attributes[i].value.number != 0;
    if (attributes[i].id == CLUSTER_DIMENSION) shape.cluster = attributes[i].value.dimensions;
  }
  return shape;
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
  Event* completion = nullptr;
  for (unsigned i = 0; i < count; i++) {
    const int id = attributes[i].id;
    if (id == PROGRAMMATIC_EVENT || id == COMPLETION_EVENT) completion = attributes[i].value.event.event;
  }
  const Error error = launch(function, shape_of(*configuration), arguments, stream);
  if (error != SUCCESS || completion == nullptr) return result(error);
  completion->recorded = true;
  Work work;
  work.type = Work::RECORD;
  work.event = completion;
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaLaunchKernelExC)

CUDART_EXPORT Error cudaLaunchCooperativeKernelMultiDevice(const DeviceLaunch* launches, unsigned count, unsigned) {
  if (launches == nullptr || count == 0) return result(INVALID_VALUE);
  // Each launch has to be on another device.
  if (count > 1) return result(INVALID_DEVICE);
  const auto& [function, grid, block, arguments, dynamic_bytes, stream] = *launches;
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, dynamic_bytes, stream);
}
