// Records on their way to the thread of a session, in the order in which they came.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "at_exit.h"
#include "record.h"

namespace mmptx {

class Inbox {
 public:
  // Copies them, and takes the payload of the last one where it lies apart. True when the reader sleeps and has to be woken
  // by whoever lets it sleep elsewhere.
  bool append(const void *records, std::size_t size, Bytes &&apart);

  // Nothing comes in any more, and what has come is dropped. True when the reader has to be woken, as above.
  bool close();
  bool closed() const { return closed_.load(std::memory_order_relaxed); }

  // Takes what has come, and waits for it until `until`; false when it is closed.
  bool take(std::vector<Batch> &into, Clock::time_point until);

  // For readers that sleep elsewhere: what has come, without waiting; false when it is closed. From then on the reader counts
  // as asleep.
  bool takeAndSleep(std::vector<Batch> &into);

 private:
  bool rouse(std::unique_lock<std::mutex> &lock);
  void swap(std::vector<Batch> &into);

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Batch> waiting_{1};
  // Written with the mutex held; read without it by a reader that is about to sleep.
  std::atomic<bool> any_{false};
  std::atomic<bool> closed_{false};
  bool asleep_ = false;
};

}  // namespace mmptx
