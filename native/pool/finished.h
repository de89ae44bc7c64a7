// The outcome of a job.
#pragma once

#include <cstdint>
#include <string>

#include "library.h"
#include "scan.h"

namespace mmptx {

enum class Outcome {
  compiled = 0,
  failed = 1,
  refused = 2,
  // The time limit was exceeded; `problem` says by what if not by the compile.
  timedOut = 3,
  // The job killed the worker process; `signal` or `problem` says how.
  crashed = 4,
  // The worker process exceeded its memory limit; `memoryBytes` is what it used.
  outgrown = 5,
  // No worker process could be started; `problem` has the reason.
  noWorker = 6,
};

// Move-only, because it owns the compiler's buffers.
struct Finished {
  uint64_t id = 0;
  Outcome outcome = Outcome::failed;
  Scan scan;
  mmptxc_result result{};
  double milliseconds = 0;
  int32_t signal = 0;
  // Whether the worker process was confined.
  bool confined = false;
  uint64_t memoryBytes = 0;
  std::string problem;

  Finished() = default;
  Finished(Finished &&other) noexcept;
  Finished &operator=(Finished &&other) noexcept;
  ~Finished();
};

}  // namespace mmptx
