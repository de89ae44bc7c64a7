// Every compile allocates and frees megabytes, which glibc by default returns to the system each time. The page faults
// cost up to a tenth of the compile.
#include "allocator.h"

#include <cstdlib>
#include <initializer_list>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mmptx {
namespace {

// The values to which glibc itself raises its thresholds once a program frees a block of 32 MB.
[[maybe_unused]] constexpr int kMmapThreshold = 32 << 20;
[[maybe_unused]] constexpr int kTrimThreshold = 2 * kMmapThreshold;

bool setThresholds() {
#ifdef __GLIBC__
  for (const char *setting : {"GLIBC_TUNABLES", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"}) {
    if (std::getenv(setting) != nullptr) return false;
  }
  mallopt(M_MMAP_THRESHOLD, kMmapThreshold);
  mallopt(M_TRIM_THRESHOLD, kTrimThreshold);
#endif
  return true;
}

}  // namespace

void keepFreedMemory() {
  static const bool set = setThresholds();
  (void)set;
}

}  // namespace mmptx
