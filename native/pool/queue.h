// The jobs that wait, in the order in which they are compiled: a higher priority first; within one, small texts and big ones
// take turns by the bytes that each kind was given, so that neither waits for all of the other; within a kind, as they came.
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
  // Jobs that wait and are not settled.
  std::size_t size() const { return waiting_; }
  bool empty() const { return waiting_ == 0; }
  // Whether at least `count` such jobs have this priority or a higher one.
  bool holds(std::size_t count, int32_t priority) const;

  void push(std::shared_ptr<Job> job);
  // The next job; there must be one.
  std::shared_ptr<Job> pop();
  // Counts a job of the queue out, which is settled already; its place is cleared when its turn comes.
  void forget(Job &job);
  void clear();

 private:
  struct Waiting {
    std::shared_ptr<Job> job;
    std::size_t bytes;
  };
  struct Lane {
    std::deque<Waiting> jobs;
    // Bytes taken from here; the lane with fewer is next.
    uint64_t taken = 0;
  };
  struct Lanes {
    Lane small;
    Lane big;
    // As `waiting_`, of these alone.
    std::size_t waiting = 0;
  };

  std::map<int32_t, Lanes, std::greater<>> lanes_;
  std::size_t waiting_ = 0;
};

}  // namespace mmptx
