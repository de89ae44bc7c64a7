// The threads of the addon of models, which environments share that come and go.
#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

extern "C" {
#include "../learn/addon/pool.h"
}

namespace {

using Counts = std::vector<std::atomic<unsigned>>;

void count(void* data, std::size_t index) { (*static_cast<Counts*>(data))[index]++; }

/** Does some calls; each of their tasks has to be done once. */
void call(std::size_t calls, std::size_t most) {
  for (std::size_t round = 0; round < calls; round++) {
    const std::size_t tasks = 1 + (round * 7 + most) % most;
    Counts counts(tasks);
    pool_run(nullptr, tasks, count, &counts);
    for (const auto& done : counts) EXPECT_EQUAL(done.load(), 1u);
  }
}

TEST("pool of models: environments come and go at the same time") {
  std::vector<std::thread> environments;
  for (std::size_t index = 0; index < 4; index++) {
    environments.emplace_back([index] {
      for (std::size_t life = 0; life < check::cases(500); life++) {
        pool_enter();
        call(life % 3, 3 + 20 * index);
        pool_leave(nullptr);
      }
    });
  }
  for (auto& environment : environments) environment.join();
  // The pool still has threads for new environments.
  pool_enter();
  call(20, 4);
  pool_leave(nullptr);
}

}  // namespace
