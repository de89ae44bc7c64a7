// The device: its number, attributes, properties and limits.
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <array>

#include "arrays.h"
#include "device.h"
#include "errors.h"
#include "host_memory.h"
#include "images.h"
#include "memory.h"
#include "objects.h"

namespace cudart {
namespace {

/** Attributes that are not 0, as an H100 has them; the numbers are those of `cudaDeviceAttr`. */
struct Attribute {
  int number, value;
};

constexpr Attribute ATTRIBUTES[] = {
#include "attribute_table.inc"
};

}  // namespace

int attribute(int number) {
  if (number == CAPABILITY_MAJOR) return static_cast<int>(device().capability_major);
  if (number == CAPABILITY_MINOR) return static_cast<int>(device().capability_minor);
  for (const auto& one : ATTRIBUTES)
    if (one.number == number) return one.value;
  return 0;
}

}  // namespace cudart

using namespace cudart;

namespace {

struct Properties {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luid_mask;
  size_t global_bytes, shared_bytes;
  int registers, warp_size;
  size_t pitch;
  int max_threads, max_block[3], max_grid[3];
#if MM_PTX_CUDART_VERSION < 13
  int clock_rate;
#endif
  size_t constant_bytes;
  int major, minor;
  size_t texture_alignment, texture_pitch_alignment;
#if MM_PTX_CUDART_VERSION < 13
  int device_overlap;
#endif
  int multiprocessors;
#if MM_PTX_CUDART_VERSION < 13
  int timeout_enabled;
#endif
  int integrated, can_map_host;
#if MM_PTX_CUDART_VERSION < 13
  int compute_mode;
#endif
  int texture_1d, texture_1d_mipmap;
#if MM_PTX_CUDART_VERSION < 13
  int texture_1d_linear;
#endif
  int texture_2d[2], texture_2d_mipmap[2], texture_2d_linear[3], texture_2d_gather[2], texture_3d[3],
      texture_3d_alternate[3], texture_cubemap, texture_1d_layered[2], texture_2d_layered[3],
      texture_cubemap_layered[2], surface_1d, surface_2d[2], surface_3d[3], surface_1d_layered[2],
      surface_2d_layered[3], surface_cubemap, surface_cubemap_layered[2];
  size_t surface_alignment;
  int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, async_engines, unified_addressing;
#if MM_PTX_CUDART_VERSION < 13
  int memory_clock_rate;
#endif
  int bus_width, l2_bytes, persisting_l2_bytes, threads_per_multiprocessor, stream_priorities, global_l1, local_l1;
  size_t shared_per_multiprocessor;
  int registers_per_multiprocessor, managed_memory, multi_gpu_board, multi_gpu_group, host_atomics;
#if MM_PTX_CUDART_VERSION < 13
  int single_to_double;
#endif
  int pageable_access, concurrent_managed, preemption, registered_host_pointer, cooperative_launch;
#if MM_PTX_CUDART_VERSION < 13
  int cooperative_multi_device;
#endif
  size_t shared_optin;
  int host_page_tables, direct_managed, max_blocks, policy_window;
  size_t reserved_shared;
  int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools, rdma;
  unsigned rdma_flush;
  int rdma_ordering;
  unsigned pool_handles;
  int deferred_arrays, ipc_events, cluster_launch, unified_functions;
#if MM_PTX_CUDART_VERSION < 13
  int reserved[63];
#else
  int numa_configuration, numa_id, mps, host_numa;
  unsigned pci_ids[2];
  int numa_ipc;
  int reserved[56];
#endif
};
#if MM_PTX_CUDART_VERSION < 13
static_assert(sizeof(Properties) == 1032, "cudaDeviceProp of CUDA 12");
#else
static_assert(sizeof(Properties) == 1008, "cudaDeviceProp of CUDA 13");
#endif

Error properties(Properties* found, int number) {
  if (found == nullptr) return result(INVALID_VALUE);
  if (number != 0) return result(INVALID_DEVICE);
  memset(found, 0, sizeof *found);
  snprintf(found->name, sizeof found->name, "mm-ptx emulator");
  memcpy(found->uuid, "mm-ptx emulator", 16);
  found->global_bytes = device().memory_bytes;
  found->shared_bytes = static_cast<size_t>(attribute(8));
  found->registers = attribute(12);
  found->warp_size = attribute(10);
  found->pitch = static_cast<size_t>(attribute(11));
  found->max_threads = attribute(1);
  for (int axis = 0; axis < 3; axis++) {
    found->max_block[axis] = attribute(2 + axis);
    found->max_grid[axis] = attribute(5 + axis);
  }
  found->constant_bytes = static_cast<size_t>(attribute(9));
  found->major = attribute(CAPABILITY_MAJOR);
  found->minor = attribute(CAPABILITY_MINOR);
  found->texture_alignment = static_cast<size_t>(attribute(14));
  found->texture_pitch_alignment = static_cast<size_t>(attribute(51));
  found->multiprocessors = attribute(16);
  found->can_map_host = attribute(19);
#if MM_PTX_CUDART_VERSION < 13
  found->clock_rate = attribute(13);
  found->device_overlap = attribute(15);
  found->memory_clock_rate = attribute(36);
  found->single_to_double = attribute(87);
  found->texture_1d_linear = attribute(69);
#endif
  found->texture_1d = attribute(21);
  found->texture_2d[0] = attribute(22);
  found->texture_2d[1] = attribute(23);
  found->texture_2d_linear[0] = attribute(70);
  found->texture_2d_linear[1] = attribute(71);
  found->texture_2d_linear[2] = attribute(72);
  for (int axis = 0; axis < 3; axis++) {
    found->texture_3d[axis] = attribute(24 + axis);
    found->texture_2d_layered[axis] = attribute(27 + axis);
    found->surface_3d[axis] = attribute(58 + axis);
  }
  found->surface_1d = attribute(55);
  found->surface_2d[0] = attribute(56);
  found->surface_2d[1] = attribute(57);
  found->surface_alignment = static_cast<size_t>(attribute(30));
  found->concurrent_kernels = attribute(31);
  found->pci_bus = attribute(33);
  found->async_engines = attribute(40);
  found->unified_addressing = attribute(41);
  found->bus_width = attribute(37);
  found->l2_bytes = attribute(38);
  found->persisting_l2_bytes = attribute(PERSISTING_L2_BYTES);
  found->policy_window = attribute(POLICY_WINDOW_BYTES);
  found->threads_per_multiprocessor = attribute(39);
  found->stream_priorities = attribute(78);
  found->global_l1 = attribute(79);
  found->local_l1 = attribute(80);
  found->shared_per_multiprocessor = static_cast<size_t>(attribute(81));
  found->registers_per_multiprocessor = attribute(82);
  found->managed_memory = attribute(83);
  found->concurrent_managed = attribute(89);
  found->preemption = attribute(90);
  found->cooperative_launch = attribute(95);
  found->shared_optin = static_cast<size_t>(attribute(97));
  found->max_blocks = attribute(106);
  found->reserved_shared = static_cast<size_t>(attribute(111));
  found->host_register = attribute(99);
  found->memory_pools = attribute(115);
  found->cluster_launch = attribute(120);
  return result(device_error());
}

enum Limit : unsigned { STACK_LIMIT = 0, HEAP_LIMIT = 2, PERSISTING_L2_LIMIT = 6 };
constexpr size_t LIMITS = 7;
constexpr std::array<size_t, LIMITS> DEFAULT_LIMITS = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

std::array<size_t, LIMITS> limits = DEFAULT_LIMITS;

}  // namespace

CUDART_EXPORT Error cudaGetDeviceCount(int* count) {
  if (count == nullptr) return result(INVALID_VALUE);
  *count = 1;
  return result(device_error());
}
CUDART_EXPORT Error cudaGetDevice(int* number) {
  if (number == nullptr) return result(INVALID_VALUE);
  *number = 0;
  return result(device_error());
}
CUDART_EXPORT Error cudaSetDevice(int number) {
  if (number != 0) return result(INVALID_DEVICE);
  load_managed();
  return result(device_error());
}
CUDART_EXPORT Error cudaInitDevice(int number, unsigned, unsigned) { return cudaSetDevice(number); }
CUDART_EXPORT Error cudaSetValidDevices(int*, int) { return SUCCESS; }
CUDART_EXPORT Error cudaSetDeviceFlags(unsigned) { return result(device_error()); }
CUDART_EXPORT Error cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return SUCCESS;
}
CUDART_EXPORT Error cudaChooseDevice(int* number, const void*) { return cudaGetDevice(number); }
CUDART_EXPORT Error cudaGetDeviceProperties(Properties* found, int number) { return properties(found, number); }
CUDART_ALSO(cudaGetDeviceProperties, cudaGetDeviceProperties_v2)
CUDART_EXPORT Error cudaDeviceGetAttribute(int* value, int number, int device) {
  if (value == nullptr) return result(INVALID_VALUE);
  if (device != 0) return result(INVALID_DEVICE);
  if (number < 1 || number > 200) return result(INVALID_VALUE);
  *value = attribute(number);
  return result(device_error());
}
CUDART_EXPORT Error cudaDeviceGetPCIBusId(char* text, int size, int number) {
  if (number != 0) return result(INVALID_DEVICE);
  snprintf(text, static_cast<size_t>(size), "0000:01:00.0");
  return SUCCESS;
}
CUDART_EXPORT Error cudaDeviceGetByPCIBusId(int* number, const char*) { return cudaGetDevice(number); }
CUDART_EXPORT Error cudaDriverGetVersion(int* version) {
  *version = MM_PTX_CUDART_VERSION >= 13 ? 13000 : 12090;
  return SUCCESS;
}
CUDART_EXPORT Error cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

CUDART_EXPORT Error cudaDeviceReset() {
  finish_program();
  Message message(Operation::RESET);
  const Error error = request(message);
  if (error != SUCCESS) return result(error);
  forget_allocations();
  forget_arrays();
  forget_images();
  forget_graph_memory();
  forget_shared();
  forget_loaded();
  clear_device_error();
  limits = DEFAULT_LIMITS;
  return SUCCESS;
}
CUDART_ALSO(cudaDeviceReset, cudaThreadExit)

CUDART_EXPORT Error cudaDeviceSetLimit(unsigned limit, size_t value) {
  if (limit >= LIMITS) return result(INVALID_VALUE);
  if (limit == HEAP_LIMIT || limit == STACK_LIMIT) {
    Message message(limit == HEAP_LIMIT ? Operation::RESIZE_HEAP : Operation::RESIZE_STACK);
    message.add(static_cast<uint64_t>(value));
    if (const Error error = request(message)) return result(error);
  }
  if (limit == PERSISTING_L2_LIMIT) value = std::min(value, static_cast<size_t>(attribute(PERSISTING_L2_BYTES)));
  limits[limit] = value;
  return result(device_error());
}
CUDART_EXPORT Error cudaDeviceGetLimit(size_t* value, unsigned limit) {
  if (limit >= LIMITS || value == nullptr) return result(INVALID_VALUE);
  *value = limits[limit];
  return result(device_error());
}
CUDART_ALSO(cudaDeviceSetLimit, cudaThreadSetLimit)
CUDART_ALSO(cudaDeviceGetLimit, cudaThreadGetLimit)
CUDART_EXPORT Error cudaDeviceSetCacheConfig(int) { return SUCCESS; }
CUDART_EXPORT Error cudaDeviceGetCacheConfig(int* value) {
  *value = 0;
  return SUCCESS;
}
CUDART_ALSO(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig)
CUDART_ALSO(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig)
CUDART_EXPORT Error cudaDeviceSetSharedMemConfig(int) { return SUCCESS; }
CUDART_EXPORT Error cudaDeviceGetSharedMemConfig(int* value) {
  *value = 1;
  return SUCCESS;
}
CUDART_EXPORT Error cudaCtxResetPersistingL2Cache() { return SUCCESS; }
CUDART_EXPORT Error cudaDeviceFlushGPUDirectRDMAWrites(int, int) { return SUCCESS; }
CUDART_EXPORT Error cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements, const ChannelDescription* format,
                                                         int number) {
  if (elements == nullptr || format == nullptr) return result(INVALID_VALUE);
  if (number != 0) return result(INVALID_DEVICE);
  *elements = static_cast<size_t>(attribute(TEXTURE_1D_LINEAR_WIDTH));
  return SUCCESS;
}
// GPUs have double precision since 2008, so there is nothing to convert.
CUDART_EXPORT Error cudaSetDoubleForDevice(double*) { return SUCCESS; }
CUDART_EXPORT Error cudaSetDoubleForHost(double*) { return SUCCESS; }
CUDART_EXPORT Error cudaProfilerStart() { return SUCCESS; }
CUDART_EXPORT Error cudaProfilerStop() { return SUCCESS; }

CUDART_EXPORT Error cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  Message message(Operation::FREE_BYTES);
  Answer answer;
  if (const Error error = request(message, &answer)) return result(error);
  uint64_t bytes[2];
  memcpy(bytes, answer.data(), sizeof bytes);
  if (free_bytes != nullptr) *free_bytes = bytes[0];
  if (total_bytes != nullptr) *total_bytes = bytes[1];
  return SUCCESS;
}
