// The end of the process, of which threads of ours are told by nobody else: `exit` runs destructors under them, and Node's
// `process.exit` comes there without any hook of an environment having run.
#pragma once

#include <chrono>
#include <memory>

namespace mmptx {

using Clock = std::chrono::steady_clock;

// How long an ending environment or process waits for what was told to stop.
constexpr std::chrono::milliseconds kShutDownWait{1000};

struct EndsWithProcess {
  virtual ~EndsWithProcess() = default;

  // Tells the threads to stop and waits for them until `deadline`, in the past: not at all. True when none is left.
  virtual bool close(Clock::time_point deadline) = 0;
};

// Closes `each` at the end of the process, unless it is gone by then. When its threads do not stop in time, the process
// ends there, with nothing destroyed.
void closeAtExit(const std::shared_ptr<EndsWithProcess> &each);

// Closes all of them before the handlers that were registered so far run: for libraries that have such handlers of their own.
void closeFirstAtExit();

}  // namespace mmptx
