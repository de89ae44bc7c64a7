#include "queue.h"

#include <algorithm>
#include <utility>

namespace mmptx {
namespace {

// Texts of this size and above take a compiler tens of milliseconds.
constexpr std::size_t kBig = 64 * 1024;

}  // namespace

void JobQueue::push(std::shared_ptr<Job> job) {
  const std::size_t bytes = job->source.size();
  Lanes &lanes = lanes_[job->priority];
  Lane &lane = bytes < kBig ? lanes.small : lanes.big;
  const Lane &other = bytes < kBig ? lanes.big : lanes.small;
  // A lane that was empty has accumulated no credit.
  if (lane.jobs.empty()) lane.taken = std::max(lane.taken, other.taken);
  lane.jobs.push_back({std::move(job), bytes});
  lanes.waiting++;
  waiting_++;
}

bool JobQueue::holds(std::size_t count, int32_t priority) const {
  std::size_t found = 0;
  for (const auto &[each, lanes] : lanes_) {
    if (each < priority || found >= count) break;
    found += lanes.waiting;
  }
  return found >= count;
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
    first->second.waiting--;
    waiting_--;
    return std::move(next.job);
  }
}

void JobQueue::forget(Job &job) {
  // Assigning an empty string would keep the old one's memory.
  const Source dropped = std::move(job.source);
  lanes_[job.priority].waiting--;
  waiting_--;
}

void JobQueue::clear() {
  lanes_.clear();
  waiting_ = 0;
}

}  // namespace mmptx
