// Threads that compile PTX, one queue, and the results that nobody has taken yet. Knows nothing of Node: whoever owns a
// pool gives it a function that is called when results wait, and takes them from its own thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "executor.h"

namespace mmptx {

// What a pool does at the moment, and what it has done.
struct PoolFigures {
  std::size_t queued = 0;
  std::size_t running = 0;
  unsigned threads = 0;
  uint64_t compiled = 0;
  uint64_t failed = 0;
};

// Longest that results wait to be announced together.
constexpr std::chrono::milliseconds kAnnounceWithin{50};

class Pool {
 public:
  // `wake` is called on a pool thread when results wait: soon after the first one, at once when the queue runs low.
  // It is not called again before `take` left none, and never after `close` returned.
  // Each thread makes an executor for itself.
  Pool(MakeExecutor makeExecutor, unsigned threads, std::function<void()> wake,
       std::chrono::milliseconds announceWithin = kAnnounceWithin);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  // Threads start as jobs come in. The job's timeout counts from the start of the compile; zero means none.
  // Throws std::system_error when not one thread can be started, or none to keep the timeout.
  void submit(std::shared_ptr<Job> job);

  // Forgets a job: it is not compiled any more, or its result is dropped. False when it was not there.
  bool cancel(uint64_t id);

  // Appends at most `limit` results; true when more are waiting, which must then be taken without another call of `wake`.
  bool take(std::vector<Finished> &into, std::size_t limit);

  PoolFigures figures();

  // Ends the pool: the queue is dropped, running compiles are told to stop and waited for until `deadline` (in the past:
  // not at all); threads that do not come back in time are left behind. Safe to call twice.
  void close(Clock::time_point deadline);

 private:
  struct State;
  static void compile(Job &job, Executor &executor, Finished &result);
  static void work(const std::shared_ptr<State> &state);
  static void watch(const std::shared_ptr<State> &state);

  std::shared_ptr<State> state_;
};

}  // namespace mmptx
