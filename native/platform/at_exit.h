// The end of the process. Nothing else tells our threads about it: `exit` runs destructors while they are running, and
// Node's `process.exit` gets there without having run any environment hook.
#pragma once

#include <chrono>
#include <memory>

namespace mmptx {

using Clock = std::chrono::steady_clock;

// How long an environment or process that ends waits for what it told to stop.
constexpr std::chrono::milliseconds kShutDownWait{1000};

struct EndsWithProcess {
  virtual ~EndsWithProcess() = default;

  // Tells the threads to stop and waits for them until `deadline`; a deadline in the past means not to wait. True if
  // none is left.
  virtual bool close(Clock::time_point deadline) = 0;
};

// Closes `each` when the process ends, unless it is gone by then. If its threads do not stop in time, the process is
// terminated there and nothing is destroyed.
void closeAtExit(const std::shared_ptr<EndsWithProcess> &each);

// Closes all of them before the handlers that were registered so far run, for libraries that have exit handlers of
// their own.
void closeFirstAtExit();

}  // namespace mmptx
