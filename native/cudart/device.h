// Attributes of the device, which several files answer from.
#pragma once

namespace cudart {

/** Numbers of `cudaDeviceAttr`. */
enum AttributeNumber : int {
  MULTIPROCESSORS = 16,
  CAPABILITY_MAJOR = 75,
  CAPABILITY_MINOR = 76,
  THREADS_PER_MULTIPROCESSOR = 39,
  TEXTURE_1D_LINEAR_WIDTH = 69,
  SHARED_PER_MULTIPROCESSOR = 81,
  BLOCKS_PER_MULTIPROCESSOR = 106,
  PERSISTING_L2_BYTES = 108,
  POLICY_WINDOW_BYTES = 109,
  RESERVED_SHARED = 111,
};

/** The value of an attribute; 0 if the device does not have it. */
int attribute(int number);

}  // namespace cudart
