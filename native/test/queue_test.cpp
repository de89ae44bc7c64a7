#include "queue.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "check.h"

using check::below;
using mmptx::Job;
using mmptx::JobQueue;

namespace {

constexpr std::size_t kBig = 64 * 1024;

std::shared_ptr<Job> job(uint64_t id, int32_t priority, std::size_t bytes) {
  auto made = std::make_shared<Job>();
  made->id = id;
  made->priority = priority;
  made->source.text.assign(bytes, 'x');
  return made;
}

}  // namespace

TEST("queue: higher priorities come first, and each lane is first in, first out") {
  for (std::size_t round = 0; round < check::cases(2000); round++) {
    JobQueue queue;
    const std::size_t count = 1 + below(60);
    for (std::size_t i = 0; i < count; i++) {
      queue.push(job(i, static_cast<int32_t>(below(4)) - 2, below(2) == 0 ? 100 : kBig));
    }
    std::shared_ptr<Job> last[2];
    int32_t priority = 2;
    for (std::size_t i = 0; i < count; i++) {
      EXPECT_EQUAL(queue.size(), count - i);
      const std::shared_ptr<Job> next = queue.pop();
      EXPECT(next->priority <= priority);
      priority = next->priority;
      std::shared_ptr<Job> &before = last[next->source.size() < kBig ? 0 : 1];
      if (before != nullptr && before->priority == priority) EXPECT(before->id < next->id);
      before = next;
    }
    EXPECT(queue.empty());
  }
}

TEST("queue: small and large texts take turns by their bytes") {
  JobQueue queue;
  for (uint64_t i = 0; i < 4000; i++) queue.push(job(i, 0, 1000));
  for (uint64_t i = 0; i < 20; i++) queue.push(job(10000 + i, 0, 100 * 1000));
  std::size_t small = 0;
  std::size_t big = 0;
  for (int i = 0; i < 1500; i++) {
    const std::size_t bytes = queue.pop()->source.size();
    (bytes < kBig ? small : big) += bytes;
    EXPECT(std::max(small, big) - std::min(small, big) <= 100 * 1000);
  }
  EXPECT(big > 0);
}

TEST("queue: a lane that was empty has accumulated no credit") {
  JobQueue queue;
  for (uint64_t i = 0; i < 500; i++) queue.push(job(i, 0, 1000));
  for (int i = 0; i < 400; i++) queue.pop();
  for (uint64_t i = 0; i < 10; i++) queue.push(job(1000 + i, 0, kBig));
  std::size_t big = 0;
  for (int i = 0; i < 80; i++) big += queue.pop()->source.size() < kBig ? 0 : 1;
  EXPECT(big <= 3);
}

TEST("queue: a forgotten job never comes and no longer counts") {
  for (std::size_t round = 0; round < check::cases(2000); round++) {
    JobQueue queue;
    std::vector<std::shared_ptr<Job>> all;
    for (std::size_t i = 0; i < 40; i++) {
      all.push_back(job(i, static_cast<int32_t>(below(3)), below(2) == 0 ? 10 : kBig));
      queue.push(all.back());
    }
    std::size_t left = all.size();
    for (const std::shared_ptr<Job> &each : all) {
      if (below(3) != 0) continue;
      each->settled = true;
      queue.forget(*each);
      left--;
      EXPECT(each->source.text.capacity() < 100);
    }
    EXPECT_EQUAL(queue.size(), left);
    for (; left > 0; left--) EXPECT(!queue.pop()->settled);
    EXPECT(queue.empty());
    queue.push(job(99, 0, 10));
    EXPECT_EQUAL(queue.pop()->id, 99u);
  }
}

TEST("queue: knows how many jobs wait with at least a given priority") {
  for (std::size_t round = 0; round < check::cases(2000); round++) {
    JobQueue queue;
    std::vector<std::shared_ptr<Job>> left;
    for (std::size_t step = 0; step < 60; step++) {
      const std::size_t what = below(4);
      if (what < 2 || left.empty()) {
        left.push_back(job(step, static_cast<int32_t>(below(4)) - 2, below(2) == 0 ? 100 : kBig));
        queue.push(left.back());
      } else if (what == 2) {
        left.erase(std::find(left.begin(), left.end(), queue.pop()));
      } else {
        const auto gone = left.begin() + static_cast<std::ptrdiff_t>(below(left.size()));
        (*gone)->settled = true;
        queue.forget(**gone);
        left.erase(gone);
      }
      const std::size_t count = below(6);
      const auto priority = static_cast<int32_t>(below(6)) - 3;
      const auto among = std::count_if(left.begin(), left.end(),
                                       [priority](const auto &each) { return each->priority >= priority; });
      EXPECT_EQUAL(queue.holds(count, priority), static_cast<std::size_t>(among) >= count);
    }
  }
}

TEST("queue: a cleared queue is like a new one") {
  JobQueue queue;
  for (uint64_t i = 0; i < 10; i++) queue.push(job(i, 0, 10));
  queue.clear();
  EXPECT(queue.empty());
  queue.push(job(1, 0, 10));
  EXPECT_EQUAL(queue.pop()->id, 1u);
}
