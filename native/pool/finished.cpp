#include "finished.h"

#include <cstdlib>
#include <utility>

namespace mmptx {
namespace {

// The library, and the code that reads a worker's reply, use the same allocator.
void release(mmptxc_result &result) {
  std::free(result.cubin);
  std::free(result.info_log);
  std::free(result.error_log);
}

}  // namespace

Finished::Finished(Finished &&other) noexcept { *this = std::move(other); }

Finished &Finished::operator=(Finished &&other) noexcept {
  if (this == &other) return *this;
  release(result);
  id = other.id;
  outcome = other.outcome;
  scan = other.scan;
  result = std::exchange(other.result, mmptxc_result{});
  milliseconds = other.milliseconds;
  signal = other.signal;
  confined = other.confined;
  memoryBytes = other.memoryBytes;
  problem = std::move(other.problem);
  return *this;
}

Finished::~Finished() { release(result); }

}  // namespace mmptx
