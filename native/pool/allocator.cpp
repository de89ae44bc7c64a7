// Every compile takes and frees megabytes, which glibc by its defaults gives back to the system each time: the page faults
// cost up to a tenth of the compile.
#include "allocator.h"

#include <cstdlib>
#include <initializer_list>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mmptx {
namespace {

// What glibc raises its thresholds to by itself as soon as a program frees one block of 32 MB.
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
