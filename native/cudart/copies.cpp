// The functions that copy and fill memory.
#include "arrays.h"
#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "objects.h"

using namespace cudart;

namespace {

uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

CopyMessage plain(const void* target, const void* source, size_t bytes) {
  return {address_of(target), address_of(source), 0, 0, bytes, 1, 1, bytes, bytes, bytes, bytes};
}

CopyMessage rows(const void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                 size_t height) {
  return {address_of(target), address_of(source), 0, 0, width, height, 1, target_pitch, source_pitch,
          target_pitch * height, source_pitch * height};
}

Error copy_later(CopyMessage copy, MemcpyKind kind, Stream* stream) {
  if (copy.width * copy.height * copy.depth == 0) return result(device_error());
  if (copy.height > 1 && (copy.target_pitch < copy.width || copy.source_pitch < copy.width))
    return result(INVALID_PITCH);
  if (copy.target == 0 || copy.source == 0) return result(INVALID_VALUE);
  if (const Error error = check_kind(copy, kind)) return result(error);
  Work work;
  work.type = Work::COPY;
  work.copy = copy;
  return result(submit(stream, work));
}

/** Copies between the device and the program have finished when the function returns. */
Error copy_now(const CopyMessage& copy, MemcpyKind kind) {
  const Error error = copy_later(copy, kind, nullptr);
  if (error != SUCCESS) return error;
  const bool reads = !in_window(reinterpret_cast<void*>(copy.target));
  // The caller may read managed memory after a copy from the device, and sees errors of earlier kernels.
  return reads ? result(after_synchronization()) : SUCCESS;
}

Error fill_later(const FillMessage& fill, Stream* stream) {
  if (fill.width * fill.height * fill.depth == 0) return result(device_error());
  Work work;
  work.type = Work::FILL;
  work.fill = fill;
  return result(submit(stream, work));
}

FillMessage filling(void* target, size_t pitch, int value, size_t width, size_t height, size_t depth, size_t slice) {
  return {address_of(target), static_cast<uint32_t>(value & 0xff), 1, width, height, depth, pitch, slice};
}

}  // namespace

CUDART_EXPORT Error cudaMemcpy(void* target, const void* source, size_t bytes, MemcpyKind kind) {
  return copy_now(plain(target, source, bytes), kind);
}
CUDART_PTDS(cudaMemcpy)
CUDART_EXPORT Error cudaMemcpyAsync(void* target, const void* source, size_t bytes, MemcpyKind kind, Stream* stream) {
  return copy_later(plain(target, source, bytes), kind, stream);
}
CUDART_PTSZ(cudaMemcpyAsync)
CUDART_EXPORT Error cudaMemcpyPeer(void* target, int, const void* source, int, size_t bytes) {
  return copy_now(plain(target, source, bytes), DEFAULT_KIND);
}
CUDART_EXPORT Error cudaMemcpyPeerAsync(void* target, int, const void* source, int, size_t bytes, Stream* stream) {
  return copy_later(plain(target, source, bytes), DEFAULT_KIND, stream);
}
CUDART_EXPORT Error cudaMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                                 size_t width, size_t height, MemcpyKind kind) {
  return copy_now(rows(target, target_pitch, source, source_pitch, width, height), kind);
}
CUDART_PTDS(cudaMemcpy2D)
CUDART_EXPORT Error cudaMemcpy2DAsync(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                                      size_t width, size_t height, MemcpyKind kind, Stream* stream) {
  return copy_later(rows(target, target_pitch, source, source_pitch, width, height), kind, stream);
}
CUDART_PTSZ(cudaMemcpy2DAsync)

CUDART_EXPORT Error cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                                       MemcpyKind kind) {
  uint64_t address = 0;
  if (const Error error = symbol_address(symbol, offset, bytes, &address)) return result(error);
  return copy_now(plain(reinterpret_cast<void*>(address), source, bytes), kind);
}
CUDART_PTDS(cudaMemcpyToSymbol)
CUDART_EXPORT Error cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes, size_t offset,
                                            MemcpyKind kind, Stream* stream) {
  uint64_t address = 0;
  if (const Error error = symbol_address(symbol, offset, bytes, &address)) return result(error);
  return copy_later(plain(reinterpret_cast<void*>(address), source, bytes), kind, stream);
}
CUDART_PTSZ(cudaMemcpyToSymbolAsync)
CUDART_EXPORT Error cudaMemcpyFromSymbol(void* target, const void* symbol, size_t bytes, size_t offset,
                                         MemcpyKind kind) {
  uint64_t address = 0;
  if (const Error error = symbol_address(symbol, offset, bytes, &address)) return result(error);
  return copy_now(plain(target, reinterpret_cast<void*>(address), bytes), kind);
}
CUDART_PTDS(cudaMemcpyFromSymbol)
CUDART_EXPORT Error cudaMemcpyFromSymbolAsync(void* target, const void* symbol, size_t bytes, size_t offset,
                                              MemcpyKind kind, Stream* stream) {
  uint64_t address = 0;
  if (const Error error = symbol_address(symbol, offset, bytes, &address)) return result(error);
  return copy_later(plain(target, reinterpret_cast<void*>(address), bytes), kind, stream);
}
CUDART_PTSZ(cudaMemcpyFromSymbolAsync)

namespace cudart {
namespace {

/** Where one side of a copy begins, and the distances of its rows and slices. */
struct Place {
  uint64_t address;
  size_t pitch, slice;
};

Place place_of(const PitchedPointer& all, const Position& at) {
  const size_t slice = all.pitch * all.ysize;
  return {address_of(all.pointer) + at.z * slice + at.y * all.pitch + at.x, all.pitch, slice};
}

bool is_inside(size_t at, size_t count, size_t size) { return at <= size && count <= size - at; }

/** False if the elements are not all inside the array. */
bool place_in(const Array& array, const Position& at, const Extent& extent, Place* place) {
  if (!is_inside(at.x, extent.width, array.extent.width) || !is_inside(at.y, extent.height, array.rows()) ||
      !is_inside(at.z, extent.depth, array.slices()))
    return false;
  const size_t pitch = array.pitch(), slice = pitch * array.rows();
  *place = {array.address + at.z * slice + at.y * pitch + at.x * array.element_bytes, pitch, slice};
  return true;
}

}  // namespace

Error describe_copy(const Memcpy3D* request, CopyMessage* copy) {
  if (request == nullptr) return INVALID_VALUE;
  const auto& [source_array, source_at, source, target_array, target_at, target, extent, kind] = *request;
  if ((source_array == nullptr) == (source.pointer == nullptr)) return INVALID_VALUE;
  if ((target_array == nullptr) == (target.pointer == nullptr)) return INVALID_VALUE;
  if (source_array != nullptr && (kind == HOST_TO_HOST || kind == HOST_TO_DEVICE)) return INVALID_MEMCPY_DIRECTION;
  if (target_array != nullptr && (kind == HOST_TO_HOST || kind == DEVICE_TO_HOST)) return INVALID_MEMCPY_DIRECTION;
  for (const auto* array : {source_array, target_array})
    if (array != nullptr && !is_array(array)) return INVALID_HANDLE;
  // With an array, the extent counts its elements; otherwise bytes.
  const size_t unit = source_array != nullptr   ? source_array->element_bytes
                      : target_array != nullptr ? target_array->element_bytes
                                                : 1;
  if (target_array != nullptr && target_array->element_bytes != unit) return INVALID_VALUE;
  Place from = place_of(source, source_at), to = place_of(target, target_at);
  if (source_array != nullptr && !place_in(*source_array, source_at, extent, &from)) return INVALID_VALUE;
  if (target_array != nullptr && !place_in(*target_array, target_at, extent, &to)) return INVALID_VALUE;
  *copy = {to.address, from.address, 0,          0,        extent.width * unit, extent.height, extent.depth,
           to.pitch,   from.pitch,   to.slice,   from.slice};
  return SUCCESS;
}

}  // namespace cudart

CUDART_EXPORT Error cudaMemcpy3D(const Memcpy3D* request) {
  CopyMessage copy;
  if (const Error error = describe_copy(request, &copy)) return result(error);
  return copy_now(copy, request->kind);
}
CUDART_PTDS(cudaMemcpy3D)
CUDART_EXPORT Error cudaMemcpy3DAsync(const Memcpy3D* request, Stream* stream) {
  CopyMessage copy;
  if (const Error error = describe_copy(request, &copy)) return result(error);
  return copy_later(copy, request->kind, stream);
}
CUDART_PTSZ(cudaMemcpy3DAsync)

CUDART_EXPORT Error cudaMemsetAsync(void* target, int value, size_t bytes, Stream* stream) {
  return fill_later(filling(target, bytes, value, bytes, 1, 1, bytes), stream);
}
CUDART_PTSZ(cudaMemsetAsync)
CUDART_EXPORT Error cudaMemset(void* target, int value, size_t bytes) {
  return cudaMemsetAsync(target, value, bytes, nullptr);
}
CUDART_PTDS(cudaMemset)
CUDART_EXPORT Error cudaMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height,
                                      Stream* stream) {
  if (height > 1 && pitch < width) return result(INVALID_PITCH);
  return fill_later(filling(target, pitch, value, width, height, 1, pitch * height), stream);
}
CUDART_PTSZ(cudaMemset2DAsync)
CUDART_EXPORT Error cudaMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(target, pitch, value, width, height, nullptr);
}
CUDART_PTDS(cudaMemset2D)
CUDART_EXPORT Error cudaMemset3DAsync(PitchedPointer target, int value, Extent extent, Stream* stream) {
  const auto& [pointer, pitch, xsize, ysize] = target;
  return fill_later(filling(pointer, pitch, value, extent.width, extent.height, extent.depth, pitch * ysize), stream);
}
CUDART_PTSZ(cudaMemset3DAsync)
CUDART_EXPORT Error cudaMemset3D(PitchedPointer target, int value, Extent extent) {
  return cudaMemset3DAsync(target, value, extent, nullptr);
}
CUDART_PTDS(cudaMemset3D)
