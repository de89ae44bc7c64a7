// Records on their way to a session's thread, in order of arrival.
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
  // Copies them, and takes the payload of the last one if it is separate. Returns true if the reader sleeps elsewhere
  // and the caller has to wake it.
  bool append(const void *records, std::size_t size, Bytes &&apart);

  // Stops accepting records and drops those that have arrived. Returns true if the reader has to be woken, as above.
  bool close();
  bool closed() const { return closed_.load(std::memory_order_relaxed); }

  // Takes what has arrived, and waits for it until `until`; false if the inbox is closed.
  bool take(std::vector<Batch> &into, Clock::time_point until);

  // For readers that sleep elsewhere: takes what has arrived, without waiting; false if the inbox is closed. From then
  // on the reader counts as asleep.
  bool takeAndSleep(std::vector<Batch> &into);

 private:
  bool rouse(std::unique_lock<std::mutex> &lock);
  void swap(std::vector<Batch> &into);

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Batch> waiting_{1};
  // Written with the mutex held; a reader that is about to sleep reads it without.
  std::atomic<bool> any_{false};
  std::atomic<bool> closed_{false};
  bool asleep_ = false;
};

}  // namespace mmptx
