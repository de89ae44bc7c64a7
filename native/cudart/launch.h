// Checks and packs a launch.
#pragma once
#include "streams.h"

namespace cudart {

struct LaunchShape {
  Dim3 grid, block, cluster;
  size_t dynamic_bytes;
  bool cooperative;
};

/** What a configuration with attributes asks for. */
LaunchShape shape_of(const LaunchConfiguration& configuration);
/** The size of the clusters of a launch: as it asks for, or as the kernel states; 0 for no clusters. */
Dim3 cluster_of(const Kernel& kernel, const LaunchShape& shape);

/** What a GPU reports at the launch itself. The emulator has checks of its own, when the work runs. */
Error check_shape(const Kernel& kernel, const LaunchShape& shape);

/** @param arguments a pointer to each argument, or null if `extra` has them */
Error prepare_launch(const void* function, const LaunchShape& shape, void** arguments, void** extra, Work* work);

/** The most dynamic shared memory that a launch of a loaded kernel may have now, and that can be allowed. */
unsigned most_dynamic_bytes(const Kernel& kernel);
unsigned most_raised_bytes(const Kernel& kernel);

/** How many blocks of a loaded kernel run on a multiprocessor at a time, and the most that a cluster may have. */
int blocks_per_multiprocessor(const Kernel& kernel, uint64_t block_threads, size_t dynamic_bytes);
unsigned most_cluster_blocks(const Kernel& kernel);

}  // namespace cudart
