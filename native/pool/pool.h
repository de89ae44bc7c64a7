// Threads that compile PTX, one queue, and the results that nobody has taken yet. Knows nothing of Node: whoever owns a
// pool gives it a function that is called when results wait, and takes them from its own thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "at_exit.h"
#include "library.h"
#include "scan.h"

namespace mmptx {

struct CompileOptions {
  std::string arch;
  int32_t effort = MMPTXC_EFFORT_FINAL;
  int32_t maxRegisters = 0;
  bool lineInfo = false;
};

enum class Outcome { compiled = 0, failed = 1, refused = 2, timedOut = 3 };

// What became of one job. Move-only: it owns the compiler's buffers.
struct Finished {
  uint64_t id = 0;
  Outcome outcome = Outcome::failed;
  Scan scan;
  mmptxc_result result{};
  double milliseconds = 0;
  const Library *library = nullptr;

  Finished() = default;
  Finished(Finished &&other) noexcept;
  Finished &operator=(Finished &&other) noexcept;
  ~Finished();
};

class Pool {
 public:
  // `wake` is called on a pool thread when results wait: within 15 ms of the first one, at once when the queue runs low.
  // It is not called again before `take` left none, and never after `close` returned.
  Pool(const Library &library, CompileOptions options, unsigned threads, std::function<void()> wake);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  // Threads start as jobs come in. `timeout` counts from the start of the compile; zero means none.
  // Throws std::system_error when not one thread can be started, or none to keep the timeout.
  void submit(uint64_t id, std::string ptx, std::chrono::milliseconds timeout);

  // Forgets a job: it is not compiled any more, or its result is dropped. False when it was not there.
  bool cancel(uint64_t id);

  // Appends at most `limit` results; true when more are waiting, which must then be taken without another call of `wake`.
  bool take(std::vector<Finished> &into, std::size_t limit);

  // Ends the pool: the queue is dropped, running compiles are told to stop and waited for until `deadline` (in the past:
  // not at all); threads that do not come back in time are left behind. Safe to call twice.
  void close(Clock::time_point deadline);

 private:
  struct Job;
  struct State;
  static void work(const std::shared_ptr<State> &state);
  static void watch(const std::shared_ptr<State> &state);

  std::shared_ptr<State> state_;
};

}  // namespace mmptx
