// The functions that copy and fill memory.
#include "arrays.h"
#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "objects.h"

#include <utility>

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

enum class Way { TO_ARRAY, FROM_ARRAY };

Error check_way(Way way, MemcpyKind kind) {
  const MemcpyKind wrong = way == Way::TO_ARRAY ? DEVICE_TO_HOST : HOST_TO_DEVICE;
  return kind == HOST_TO_HOST || kind == wrong ? INVALID_MEMCPY_DIRECTION : SUCCESS;
}

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
  if (source_array != nullptr && check_way(Way::FROM_ARRAY, kind) != SUCCESS) return INVALID_MEMCPY_DIRECTION;
  if (target_array != nullptr && check_way(Way::TO_ARRAY, kind) != SUCCESS) return INVALID_MEMCPY_DIRECTION;
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

namespace cudart {
namespace {

/** A part of the first slice of an array, with offset and width in bytes. */
struct Part {
  const Array* array;
  size_t x, y;
};

/** Rows of an array, or bytes that continue in the next row. False if they are not all inside. */
bool rows_in(const Part& part, size_t width, size_t height, Place* place) {
  const Array& array = *part.array;
  const size_t pitch = array.pitch();
  if (!is_inside(part.x, width, pitch) || !is_inside(part.y, height, array.rows())) return false;
  *place = {array.address + part.y * pitch + part.x, pitch, pitch * array.rows()};
  return true;
}
bool bytes_in(const Part& part, size_t bytes, Place* place) {
  const Array& array = *part.array;
  const size_t at = part.y * array.pitch() + part.x;
  if (part.x >= array.pitch() || !is_inside(at, bytes, array.pitch() * array.rows())) return false;
  *place = {array.address + at, bytes, bytes};
  return true;
}

/** A copy between an array and memory, whose rows are `pitch` bytes apart. */
Error array_copy(Way way, const Part& part, const void* memory, size_t pitch, size_t width, size_t height,
                 MemcpyKind kind, CopyMessage* copy) {
  if (!is_array(part.array)) return INVALID_HANDLE;
  if (const Error error = check_way(way, kind)) return error;
  Place own{}, other{address_of(memory), pitch, pitch * height};
  if (!rows_in(part, width, height, &own)) return INVALID_VALUE;
  const auto& [to, from] = way == Way::TO_ARRAY ? std::pair{own, other} : std::pair{other, own};
  *copy = {to.address, from.address, 0, 0, width, height, 1, to.pitch, from.pitch, to.slice, from.slice};
  return SUCCESS;
}

Error array_bytes(Way way, const Part& part, const void* memory, size_t bytes, MemcpyKind kind, CopyMessage* copy) {
  if (!is_array(part.array)) return INVALID_HANDLE;
  if (const Error error = check_way(way, kind)) return error;
  Place own{};
  if (!bytes_in(part, bytes, &own)) return INVALID_VALUE;
  auto* const inside = reinterpret_cast<void*>(own.address);
  *copy = way == Way::TO_ARRAY ? plain(inside, memory, bytes) : plain(memory, inside, bytes);
  return SUCCESS;
}

}  // namespace
}  // namespace cudart

CUDART_EXPORT Error cudaMemcpy2DToArray(Array* target, size_t x, size_t y, const void* source, size_t pitch,
                                        size_t width, size_t height, MemcpyKind kind) {
  CopyMessage copy;
  const Error error = array_copy(Way::TO_ARRAY, {target, x, y}, source, pitch, width, height, kind, &copy);
  return error != SUCCESS ? result(error) : copy_now(copy, kind);
}
CUDART_PTDS(cudaMemcpy2DToArray)
CUDART_EXPORT Error cudaMemcpy2DToArrayAsync(Array* target, size_t x, size_t y, const void* source, size_t pitch,
                                             size_t width, size_t height, MemcpyKind kind, Stream* stream) {
  CopyMessage copy;
  const Error error = array_copy(Way::TO_ARRAY, {target, x, y}, source, pitch, width, height, kind, &copy);
  return error != SUCCESS ? result(error) : copy_later(copy, kind, stream);
}
CUDART_PTSZ(cudaMemcpy2DToArrayAsync)
CUDART_EXPORT Error cudaMemcpy2DFromArray(void* target, size_t pitch, const Array* source, size_t x, size_t y,
                                          size_t width, size_t height, MemcpyKind kind) {
  CopyMessage copy;
  const Error error = array_copy(Way::FROM_ARRAY, {source, x, y}, target, pitch, width, height, kind, &copy);
  return error != SUCCESS ? result(error) : copy_now(copy, kind);
}
CUDART_PTDS(cudaMemcpy2DFromArray)
CUDART_EXPORT Error cudaMemcpy2DFromArrayAsync(void* target, size_t pitch, const Array* source, size_t x, size_t y,
                                               size_t width, size_t height, MemcpyKind kind, Stream* stream) {
  CopyMessage copy;
  const Error error = array_copy(Way::FROM_ARRAY, {source, x, y}, target, pitch, width, height, kind, &copy);
  return error != SUCCESS ? result(error) : copy_later(copy, kind, stream);
}
CUDART_PTSZ(cudaMemcpy2DFromArrayAsync)
CUDART_EXPORT Error cudaMemcpy2DArrayToArray(Array* target, size_t target_x, size_t target_y, const Array* source,
                                             size_t source_x, size_t source_y, size_t width, size_t height,
                                             MemcpyKind kind) {
  if (!is_array(source) || !is_array(target)) return result(INVALID_HANDLE);
  Place to, from;
  if (!rows_in({target, target_x, target_y}, width, height, &to)) return result(INVALID_VALUE);
  if (!rows_in({source, source_x, source_y}, width, height, &from)) return result(INVALID_VALUE);
  return copy_now({to.address, from.address, 0, 0, width, height, 1, to.pitch, from.pitch, to.slice, from.slice}, kind);
}
CUDART_PTDS(cudaMemcpy2DArrayToArray)
CUDART_EXPORT Error cudaMemcpyToArray(Array* target, size_t x, size_t y, const void* source, size_t bytes,
                                      MemcpyKind kind) {
  CopyMessage copy;
  const Error error = array_bytes(Way::TO_ARRAY, {target, x, y}, source, bytes, kind, &copy);
  return error != SUCCESS ? result(error) : copy_now(copy, kind);
}
CUDART_PTDS(cudaMemcpyToArray)
CUDART_EXPORT Error cudaMemcpyToArrayAsync(Array* target, size_t x, size_t y, const void* source, size_t bytes,
                                           MemcpyKind kind, Stream* stream) {
  CopyMessage copy;
  const Error error = array_bytes(Way::TO_ARRAY, {target, x, y}, source, bytes, kind, &copy);
  return error != SUCCESS ? result(error) : copy_later(copy, kind, stream);
}
CUDART_PTSZ(cudaMemcpyToArrayAsync)
CUDART_EXPORT Error cudaMemcpyFromArray(void* target, const Array* source, size_t x, size_t y, size_t bytes,
                                        MemcpyKind kind) {
  CopyMessage copy;
  const Error error = array_bytes(Way::FROM_ARRAY, {source, x, y}, target, bytes, kind, &copy);
  return error != SUCCESS ? result(error) : copy_now(copy, kind);
}
CUDART_PTDS(cudaMemcpyFromArray)
CUDART_EXPORT Error cudaMemcpyFromArrayAsync(void* target, const Array* source, size_t x, size_t y, size_t bytes,
                                             MemcpyKind kind, Stream* stream) {
  CopyMessage copy;
  const Error error = array_bytes(Way::FROM_ARRAY, {source, x, y}, target, bytes, kind, &copy);
  return error != SUCCESS ? result(error) : copy_later(copy, kind, stream);
}
CUDART_PTSZ(cudaMemcpyFromArrayAsync)
CUDART_EXPORT Error cudaMemcpyArrayToArray(Array* target, size_t target_x, size_t target_y, const Array* source,
                                           size_t source_x, size_t source_y, size_t bytes, MemcpyKind kind) {
  if (!is_array(source) || !is_array(target)) return result(INVALID_HANDLE);
  Place to, from;
  if (!bytes_in({target, target_x, target_y}, bytes, &to)) return result(INVALID_VALUE);
  if (!bytes_in({source, source_x, source_y}, bytes, &from)) return result(INVALID_VALUE);
  return copy_now(plain(reinterpret_cast<void*>(to.address), reinterpret_cast<void*>(from.address), bytes), kind);
}
CUDART_PTDS(cudaMemcpyArrayToArray)
