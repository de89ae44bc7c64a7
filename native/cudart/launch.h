// Checks and packs a launch.
#pragma once
#include "streams.h"

namespace cudart {

struct LaunchShape {
  Dim3 grid, block, cluster;
  size_t dynamic_bytes;
  bool cooperative;
};

/** @param arguments a pointer to each argument, or null if `extra` has them */
Error prepare_launch(const void* function, const LaunchShape& shape, void** arguments, void** extra, Work* work);

/** The most dynamic shared memory that a launch of a loaded kernel may have now, and that can be allowed. */
unsigned most_dynamic_bytes(const Kernel& kernel);
unsigned most_raised_bytes(const Kernel& kernel);

}  // namespace cudart
