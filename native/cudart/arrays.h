// CUDA arrays: elements of device memory, row by row and slice by slice without gaps.
#pragma once
#include "connection.h"

namespace cudart {

struct Array {
  ChannelDescription format;
  /** As requested: zero for dimensions that the array does not have. For layered arrays, the depth counts layers, and
   * for cube maps, faces. */
  Extent extent;
  unsigned flags;
  uint64_t address;
  size_t element_bytes;

  size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  size_t pitch() const { return extent.width * element_bytes; }
};

enum ArrayFlag : unsigned { LAYERED = 1, SURFACE_LOAD_STORE = 2, CUBEMAP = 4, TEXTURE_GATHER = 8 };

/** The bytes of an element; 0 if the description is not one of an array. */
size_t element_bytes(const ChannelDescription& format);

/** Whether a handle is one of an array that has not been freed. */
bool is_array(const Array* array);

/** After a reset of the device: frees all arrays, which are gone then. */
void forget_arrays();

}  // namespace cudart
