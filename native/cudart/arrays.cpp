// The functions that allocate, describe and free CUDA arrays.
#include "arrays.h"

#include <unordered_set>

#include "errors.h"
#include "memory.h"
#include "mutex.h"

namespace cudart {
namespace {

struct Registry {
  Mutex mutex;
  std::unordered_set<const Array*> arrays;
};

/** Never destroyed: exit handlers of the program still call the library. */
Registry& registry() {
  static Registry* made = new Registry;
  return *made;
}

constexpr unsigned KNOWN_FLAGS = LAYERED | SURFACE_LOAD_STORE | CUBEMAP | TEXTURE_GATHER;
constexpr unsigned UNSUPPORTED_FLAGS = 0x40 | 0x80;
constexpr size_t FACES = 6;

/** Limits as the device's attributes state them. */
bool fits(const Extent& extent, unsigned flags) {
  const auto& [width, height, depth] = extent;
  const bool layered = (flags & LAYERED) != 0;
  if (width == 0) return false;
  if ((flags & CUBEMAP) != 0) {
    if (height != width || width > 32768) return false;
    return layered ? depth > 0 && depth % FACES == 0 && depth <= 2046 : depth == FACES;
  }
  if (layered) return depth >= 1 && depth <= 2048 && width <= 32768 && height <= 32768;
  if (depth > 0) return height > 0 && width <= 16384 && height <= 16384 && depth <= 16384;
  return width <= 131072 && height <= 65536;
}

Error allocate(Array** array, const ChannelDescription* format, const Extent& extent, unsigned flags) {
  if (array == nullptr || format == nullptr) return INVALID_VALUE;
  const size_t bytes = element_bytes(*format);
  if (bytes == 0) return INVALID_CHANNEL_DESCRIPTOR;
  if ((flags & UNSUPPORTED_FLAGS) != 0) {
    complain("expected an array that the emulator has, found a sparse or deferred array");
    return NOT_SUPPORTED;
  }
  if ((flags & ~KNOWN_FLAGS) != 0 || !fits(extent, flags)) return INVALID_VALUE;
  if ((flags & TEXTURE_GATHER) != 0 && (extent.height == 0 || extent.depth != 0)) return INVALID_VALUE;
  Array made{*format, extent, flags, 0, bytes};
  if (const Error error = allocate_device(made.pitch() * made.rows() * made.slices(), 512, &made.address)) return error;
  Registry& all = registry();
  Hold hold(all.mutex);
  *array = new Array(made);
  all.arrays.insert(*array);
  return SUCCESS;
}

}  // namespace

size_t element_bytes(const ChannelDescription& format) {
  const auto& [x, y, z, w, kind] = format;
  const int channels = w != 0 ? 4 : z != 0 ? 3 : y != 0 ? 2 : 1;
  if ((x != 8 && x != 16 && x != 32) || channels == 3) return 0;
  if ((channels >= 2 && y != x) || (channels == 4 && (z != x || w != x))) return 0;
  if (kind < 0 || kind > 2 || (kind == 2 && x == 8)) return 0;
  return static_cast<size_t>(channels * x / 8);
}

bool is_array(const Array* array) {
  Registry& all = registry();
  Hold hold(all.mutex);
  return all.arrays.count(array) != 0;
}

void forget_arrays() {
  Registry& all = registry();
  Hold hold(all.mutex);
  for (const auto* array : all.arrays) delete array;
  all.arrays.clear();
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaMallocArray(Array** array, const ChannelDescription* format, size_t width, size_t height,
                                    unsigned flags) {
  if ((flags & (LAYERED | CUBEMAP)) != 0) return result(INVALID_VALUE);
  return result(allocate(array, format, {width, height, 0}, flags));
}
CUDART_EXPORT Error cudaMalloc3DArray(Array** array, const ChannelDescription* format, Extent extent, unsigned flags) {
  return result(allocate(array, format, extent, flags));
}
CUDART_EXPORT Error cudaFreeArray(Array* array) {
  if (array == nullptr) return result(device_error());
  Registry& all = registry();
  Hold hold(all.mutex);
  if (all.arrays.erase(array) == 0) return result(INVALID_VALUE);
  const Error error = free_device(array->address);
  delete array;
  return result(error);
}
CUDART_EXPORT Error cudaArrayGetInfo(ChannelDescription* format, Extent* extent, unsigned* flags, Array* array) {
  if (!is_array(array)) return result(INVALID_HANDLE);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGetChannelDesc(ChannelDescription* format, const Array* array) {
  if (format == nullptr || !is_array(array)) return result(INVALID_VALUE);
  *format = array->format;
  return SUCCESS;
}
