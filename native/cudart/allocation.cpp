// The functions that allocate and free memory.
#include <string.h>

#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "objects.h"

using namespace cudart;

namespace cudart {

struct PointerAttributes {
  int type, device;
  void* device_pointer;
  void* host_pointer;
#if MM_PTX_CUDART_VERSION >= 13
  long reserved[8];
#endif
};

}  // namespace cudart

namespace {

/** The pitch of rows: a multiple of what textures need. */
constexpr size_t PITCH_BYTES = 512;

size_t pitch_of(size_t width) { return (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES; }

}  // namespace

CUDART_EXPORT Error cudaMalloc(void** pointer, size_t bytes) {
  if (pointer == nullptr) return result(INVALID_VALUE);
  load_managed();
  if (bytes == 0) {
    *pointer = nullptr;
    return result(device_error());
  }
  uint64_t address = 0;
  const Error error = allocate_device(bytes, 256, &address);
  if (error == SUCCESS) *pointer = reinterpret_cast<void*>(address);
  return result(error);
}

CUDART_EXPORT Error cudaFree(void* pointer) {
  load_managed();
  if (pointer == nullptr) return result(synchronize());
  SharedFacts facts;
  const bool is_shared = find_shared(pointer, &facts);
  if (free_shared(pointer, Sharing::MANAGED) == SUCCESS) {
    if (is_shared) forget_hints(facts.address, facts.bytes);
    return result(device_error());
  }
  if (!in_window(pointer)) return result(INVALID_VALUE);
  Error error = SUCCESS;
  if (free_graph_memory(reinterpret_cast<uint64_t>(pointer), &error)) return result(error);
  return result(free_device(reinterpret_cast<uint64_t>(pointer)));
}

CUDART_EXPORT Error cudaMallocAsync(void** pointer, size_t bytes, Stream* handle) {
  Stream* stream = stream_of(handle);
  if (stream->capture == nullptr) return cudaMalloc(pointer, bytes);
  if (pointer == nullptr || bytes == 0) return result(INVALID_VALUE);
  Work work;
  if (const Error error = allocate_in_graph(*stream->capture, stream->last, bytes, &work)) return result(error);
  *pointer = reinterpret_cast<void*>(work.address);
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaMallocAsync)
CUDART_EXPORT Error cudaMallocFromPoolAsync(void** pointer, size_t bytes, void*, Stream* stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}
CUDART_PTSZ(cudaMallocFromPoolAsync)
CUDART_EXPORT Error cudaFreeAsync(void* pointer, Stream* stream) {
  if (stream_of(stream)->capture == nullptr) return cudaFree(pointer);
  Work work;
  work.type = Work::FREE;
  work.address = reinterpret_cast<uint64_t>(pointer);
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaFreeAsync)

CUDART_EXPORT Error cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return result(INVALID_VALUE);
  *pitch = pitch_of(width);
  return cudaMalloc(pointer, *pitch * height);
}

CUDART_EXPORT Error cudaMalloc3D(PitchedPointer* pointer, Extent extent) {
  if (pointer == nullptr) return result(INVALID_VALUE);
  *pointer = {nullptr, pitch_of(extent.width), extent.width, extent.height};
  return cudaMalloc(&pointer->pointer, pointer->pitch * extent.height * extent.depth);
}

CUDART_EXPORT Error cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  if (pointer == nullptr || bytes == 0) return result(INVALID_VALUE);
  return result(allocate_shared(bytes, Sharing::MANAGED, pointer));
}

CUDART_EXPORT Error cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr) return result(INVALID_VALUE);
  if (bytes == 0) {
    *pointer = nullptr;
    return result(device_error());
  }
  const Error error = allocate_shared(bytes, Sharing::PINNED, pointer);
  constexpr unsigned MAPPED = 2;
  if (error == SUCCESS && (flags & MAPPED) != 0) map_pinned(*pointer);
  return result(error);
}
CUDART_EXPORT Error cudaMallocHost(void** pointer, size_t bytes) { return cudaHostAlloc(pointer, bytes, 0); }
CUDART_EXPORT Error cudaFreeHost(void* pointer) {
  if (pointer == nullptr) return result(device_error());
  return result(free_shared(pointer, Sharing::PINNED));
}

CUDART_EXPORT Error cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  if (pointer == nullptr || bytes == 0) return result(INVALID_VALUE);
  return result(register_host(pointer, bytes));
}
CUDART_EXPORT Error cudaHostUnregister(void* pointer) { return result(unregister_host(pointer)); }
CUDART_EXPORT Error cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  if (device == nullptr) return result(INVALID_VALUE);
  SharedFacts facts;
  if (find_shared(host, &facts)) {
    map_pinned(host);
    *device = host;
    return result(device_error());
  }
  uint64_t address = 0;
  const Error error = registered_address(host, &address);
  if (error == SUCCESS) *device = reinterpret_cast<void*>(address);
  return result(error);
}
CUDART_EXPORT Error cudaHostGetFlags(unsigned* flags, void* host) {
  SharedFacts facts;
  if (flags == nullptr || !find_shared(host, &facts)) return result(INVALID_VALUE);
  *flags = 2;
  return SUCCESS;
}

CUDART_EXPORT Error cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return result(INVALID_VALUE);
  memset(attributes, 0, sizeof *attributes);
  auto* any = const_cast<void*>(pointer);
  SharedFacts facts;
  if (find_shared(pointer, &facts)) {
    attributes->type = facts.sharing == Sharing::PINNED ? HOST_MEMORY : MANAGED_MEMORY;
    attributes->device_pointer = attributes->host_pointer = any;
  } else if (in_window(pointer)) {
    attributes->type = DEVICE_MEMORY;
    attributes->device_pointer = any;
  } else {
    uint64_t address = 0;
    if (registered_address(pointer, &address) == SUCCESS) {
      attributes->type = HOST_MEMORY;
      attributes->device_pointer = reinterpret_cast<void*>(address);
    } else {
      attributes->device = -2;
    }
    attributes->host_pointer = any;
  }
  return SUCCESS;
}
