// A compiler in a separate process: it can be stopped at any time, and a crash affects nothing else.
#pragma once

#include <atomic>

#include <string>
#include <vector>

#include "executor.h"

namespace mmptx {

// How worker processes are started and when they are replaced.
struct WorkerSettings {
  std::string executable;
  std::string libraryPath;
  // The maximum resident size of a worker in bytes; zero means no limit.
  uint64_t memoryLimit = 0;
  // The workers' environment, as `NAME=value`.
  std::vector<std::string> environment;
};

// Shared by a pool's workers.
struct WorkerTotals {
  std::atomic<uint64_t> started{0};
  std::atomic<uint64_t> crashed{0};
  std::atomic<uint64_t> outgrown{0};
  std::atomic<uint64_t> recycled{0};
  std::atomic<uint64_t> peakBytes{0};
};

std::unique_ptr<Executor> workerExecutor(std::shared_ptr<const WorkerSettings> settings,
                                         std::shared_ptr<WorkerTotals> totals);

}  // namespace mmptx
