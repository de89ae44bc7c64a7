// Threads that compile PTX, one queue, and the results that nobody has taken yet. Knows nothing of Node: the owner of a
// pool passes a function that is called when there are results, and takes them on its own thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "executor.h"

namespace mmptx {

// What a pool is doing, and what it has done.
struct PoolFigures {
  std::size_t queued = 0;
  std::size_t running = 0;
  unsigned threads = 0;
  uint64_t compiled = 0;
  uint64_t failed = 0;
};

// The longest time that results wait to be announced together.
constexpr std::chrono::milliseconds kAnnounceWithin{50};

class Pool {
 public:
  // `wake` is called on a pool thread when there are results: soon after the first one, or at once if the queue runs
  // low. It is not called again before `take` has left none, and never after `close` has returned. Each thread creates
  // its own executor.
  Pool(MakeExecutor makeExecutor, unsigned threads, std::function<void()> wake,
       std::chrono::milliseconds announceWithin = kAnnounceWithin);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  // Threads start as jobs arrive. The job's timeout counts from the start of the compile; zero means none. Throws
  // std::system_error if not a single thread can be started, or none to enforce the timeout.
  void submit(std::shared_ptr<Job> job);

  // Forgets a job: it is not compiled any more, or its result is dropped. False if it was not there.
  bool cancel(uint64_t id);

  // Appends at most `limit` results. True if there are more, which must then be taken without another call of `wake`.
  bool take(std::vector<Finished> &into, std::size_t limit);

  PoolFigures figures();

  // Ends the pool: drops the queue, tells running compiles to stop, and waits for them until `deadline`; a deadline in
  // the past means not to wait. Threads that do not return in time are abandoned. Safe to call twice.
  void close(Clock::time_point deadline);

 private:
  struct State;
  static void compile(Job &job, Executor &executor, Finished &result);
  static void work(const std::shared_ptr<State> &state);
  static void watch(const std::shared_ptr<State> &state);

  std::shared_ptr<State> state_;
};

}  // namespace mmptx
