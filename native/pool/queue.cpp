#include "queue.h"

#include <algorithm>
#include <utility>

namespace mmptx {
namespace {

// Texts from here on take a compiler tens of milliseconds.
constexpr std::size_t kBig = 64 * 1024;

}  // namespace

void JobQueue::push(std::shared_ptr<Job> job) {
  const std::size_t bytes = job->source.size();
  Lanes &lanes = lanes_[job->priority];
  Lane &lane = bytes < kBig ? lanes.small : lanes.big;
  const Lane &other = bytes < kBig ? lanes.big : lanes.small;
  // Who comes after an absence has saved nothing up.
  if (lane.jobs.empty()) lane.taken = std::max(lane.taken, other.taken);
  lane.jobs.push_back({std::move(job), bytes});
  waiting_++;
}

std::shared_ptr<Job> JobQueue::pop() {
  for (;;) {
    auto first = lanes_.begin();
    Lane &small = first->second.small;
    Lane &big = first->second.big;
    if (small.jobs.empty() && big.jobs.empty()) {
      lanes_.erase(first);
      continue;
    }
    Lane &lane = big.jobs.empty() || (!small.jobs.empty() && small.taken <= big.taken) ? small : big;
    Waiting next = std::move(lane.jobs.front());
    lane.jobs.pop_front();
    if (next.job->settled) continue;
    lane.taken += next.bytes;
    waiting_--;
    return std::move(next.job);
  }
}

void JobQueue::forget(Job &job) {
  // Assigning an empty string would keep the old one's memory.
  const Source dropped = std::move(job.source);
  waiting_--;
}

void JobQueue::clear() {
  lanes_.clear();
  waiting_ = 0;
}

}  // namespace mmptx
