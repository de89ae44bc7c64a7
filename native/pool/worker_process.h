// A compiler in a separate process: it can be stopped at any time, and a crash affects nothing else.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "executor.h"

namespace mmptx {

// Whether workers take from themselves what compiling does not need.
enum class Confine {
  never = 0,
  // Where the system can.
  automatic = 1,
  // Without it, no worker starts.
  required = 2,
};

// How worker processes are started and when they are replaced.
struct WorkerSettings {
  std::string executable;
  std::string libraryPath;
  // The maximum resident size of a worker in bytes; zero means no limit.
  uint64_t memoryLimit = 0;
  // The workers' environment, as `NAME=value`.
  std::vector<std::string> environment;
  Confine confine = Confine::automatic;
};

// What the first workers of a pool have found out about confinement here.
class Confinement {
 public:
  enum class State { unknown = 0, on = 1, off = 2 };

  // Once it is on, it stays on: then this does nothing and returns false.
  bool found(State state, const std::string &problem) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::on) return state == State::on;
    problem_ = problem;
    state_ = state;
    return true;
  }
  State state() const { return state_; }
  // Why it is off.
  std::string problem() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return problem_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<State> state_{State::unknown};
  std::string problem_;
};

// Shared by a pool's workers.
struct WorkerTotals {
  std::atomic<uint64_t> started{0};
  std::atomic<uint64_t> crashed{0};
  std::atomic<uint64_t> outgrown{0};
  std::atomic<uint64_t> recycled{0};
  std::atomic<uint64_t> peakBytes{0};
  Confinement confinement;
};

// Starts a worker and ends it. Empty if it confined itself, or the reason why it did not.
std::string tryConfinement(const WorkerSettings &settings);

std::unique_ptr<Executor> workerExecutor(std::shared_ptr<const WorkerSettings> settings,
                                         std::shared_ptr<WorkerTotals> totals);

}  // namespace mmptx
