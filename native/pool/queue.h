// The waiting jobs in the order in which they are compiled. Higher priorities come first. Within one priority, small
// and large texts take turns according to the bytes that each lane was served, so that neither waits for all of the
// other. Each lane is first in, first out.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "job.h"

namespace mmptx {

class JobQueue {
 public:
  // The number of jobs that wait and are not settled.
  std::size_t size() const { return waiting_; }
  bool empty() const { return waiting_ == 0; }
  // Whether at least `count` such jobs have this priority or a higher one.
  bool holds(std::size_t count, int32_t priority) const;

  void push(std::shared_ptr<Job> job);
  // The next job; there must be one.
  std::shared_ptr<Job> pop();
  // Removes from the count a queued job that is already settled. Its entry is removed when its turn comes.
  void forget(Job &job);
  void clear();

 private:
  struct Waiting {
    std::shared_ptr<Job> job;
    std::size_t bytes;
  };
  struct Lane {
    std::deque<Waiting> jobs;
    // The bytes served from this lane; the lane with fewer bytes is next.
    uint64_t taken = 0;
  };
  struct Lanes {
    Lane small;
    Lane big;
    // The same as `waiting_`, for this lane alone.
    std::size_t waiting = 0;
  };

  std::map<int32_t, Lanes, std::greater<>> lanes_;
  std::size_t waiting_ = 0;
};

}  // namespace mmptx
