// The pool with executors that compile nothing: what is submitted, cancelled, timed out or closed while other threads
// work.
#include "pool.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "check.h"

using namespace mmptx;
using check::below;
using std::chrono::milliseconds;

namespace {

constexpr auto kLong = std::chrono::seconds(60);

// What the owner of a pool does: it sleeps until results are announced, and takes them.
class Owner {
 public:
  std::function<void()> wake() {
    return [this] {
      std::lock_guard<std::mutex> lock(mutex_);
      // Announced again although not all results were taken since, or although the pool is closed.
      if (announced_ || closed_) broken_ = true;
      announced_ = true;
      changed_.notify_one();
    };
  }

  // The results of an announcement.
  std::vector<Finished> take(Pool &pool, std::size_t limit = 3) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!changed_.wait_for(lock, kLong, [this] { return announced_; })) throw std::runtime_error("no results were announced");
    announced_ = false;
    // `wake` is called with the pool's own mutex held.
    lock.unlock();
    std::vector<Finished> results;
    while (pool.take(results, limit)) {
    }
    return results;
  }

  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  bool broken() {
    std::lock_guard<std::mutex> lock(mutex_);
    return broken_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool announced_ = false;
  bool closed_ = false;
  bool broken_ = false;
};

// Sleeps for the number of milliseconds in the job's arguments, or until it is told to stop.
class Sleeper final : public Executor {
 public:
  explicit Sleeper(std::atomic<int> &alive) : alive_(alive) { alive_++; }
  ~Sleeper() override { alive_--; }

  void run(const Job &job, const std::string &ptx, Finished &result) override {
    if (ptx == "throw") throw std::bad_alloc();
    const auto until = Clock::now() + milliseconds(std::stoi(*job.arguments));
    std::unique_lock<std::mutex> lock(mutex_);
    while (Clock::now() < until && __atomic_load_n(&job.cancel, __ATOMIC_RELAXED) == 0) {
      woken_.wait_for(lock, milliseconds(5));
    }
    result.outcome = Outcome::compiled;
    // An empty cubin would be an error.
    result.result.cubin = std::calloc(1, 1);
    result.result.cubin_size = 1;
  }
  void wake() override { woken_.notify_all(); }

 private:
  std::atomic<int> &alive_;
  std::mutex mutex_;
  std::condition_variable woken_;
};

std::shared_ptr<Job> job(uint64_t id, int32_t sleep = 0, int timeout = 0, const char *text = "x") {
  auto made = std::make_shared<Job>();
  made->id = id;
  made->arguments = std::make_shared<const std::string>(std::to_string(sleep));
  made->source.text = text;
  made->timeout = milliseconds(timeout);
  return made;
}

struct Fixture {
  std::atomic<int> alive{0};
  Owner owner;
  Pool pool;

  explicit Fixture(unsigned threads, milliseconds announceWithin = kAnnounceWithin)
      : pool([this] { return std::make_unique<Sleeper>(alive); }, threads, owner.wake(), announceWithin) {}
  ~Fixture() {
    pool.close(Clock::now() + kLong);
    owner.close();
    EXPECT_EQUAL(alive.load(), 0);
    EXPECT(!owner.broken());
  }
};

}  // namespace

TEST("pool: every job comes back once") {
  Fixture all(3);
  std::set<uint64_t> left;
  const std::size_t count = check::cases(20000);
  for (uint64_t id = 0; id < count; id++) {
    left.insert(id);
    all.pool.submit(job(id));
  }
  while (!left.empty()) {
    for (const Finished &result : all.owner.take(all.pool)) {
      EXPECT_EQUAL(left.erase(result.id), 1u);
      EXPECT(result.outcome == Outcome::compiled);
    }
  }
  const PoolFigures figures = all.pool.figures();
  EXPECT_EQUAL(figures.queued, 0u);
  EXPECT_EQUAL(figures.compiled, count);
  EXPECT(figures.threads <= 3);
}

TEST("pool: a job that overtook others is announced without their results") {
  Fixture all(1, 2 * kLong);
  for (uint64_t id = 0; id < 3; id++) all.pool.submit(job(id, 600'000));
  auto urgent = job(3);
  urgent->priority = 1;
  all.pool.submit(std::move(urgent));
  // The thread becomes free, with two jobs after the urgent one.
  EXPECT(all.pool.cancel(0));
  const std::vector<Finished> results = all.owner.take(all.pool);
  EXPECT_EQUAL(results.size(), 1u);
  EXPECT_EQUAL(results.at(0).id, 3u);
}

TEST("pool: threads start as jobs arrive, up to the number requested") {
  Fixture all(4);
  EXPECT_EQUAL(all.pool.figures().threads, 0u);
  all.pool.submit(job(1));
  EXPECT_EQUAL(all.owner.take(all.pool).size(), 1u);
  EXPECT_EQUAL(all.pool.figures().threads, 1u);
  for (uint64_t id = 2; id < 50; id++) all.pool.submit(job(id, 2));
  EXPECT_EQUAL(all.pool.figures().threads, 4u);
  for (std::size_t got = 0; got < 48;) got += all.owner.take(all.pool).size();
}

TEST("pool: a job over its time is reported, and its thread continues") {
  Fixture all(1);
  all.pool.submit(job(1, 60000, 20));
  all.pool.submit(job(2));
  bool timedOut = false;
  for (std::size_t got = 0; got < 2;) {
    for (const Finished &result : all.owner.take(all.pool)) {
      got++;
      if (result.id == 1) timedOut = result.outcome == Outcome::timedOut && result.milliseconds >= 20;
      else EXPECT(result.outcome == Outcome::compiled);
    }
  }
  EXPECT(timedOut);
}

TEST("pool: rejections by the scan and exhausted memory are results") {
  Fixture all(1);
  all.pool.submit(job(1, 0, 0, ""));
  all.pool.submit(job(2, 0, 0, "throw"));
  for (std::size_t got = 0; got < 2;) {
    for (const Finished &result : all.owner.take(all.pool)) {
      got++;
      if (result.id == 1) EXPECT(result.outcome == Outcome::refused && result.scan.refusal == Refusal::empty);
      else EXPECT(result.outcome == Outcome::failed && result.result.status == MMPTXC_OUT_OF_MEMORY);
    }
  }
}

TEST("pool: cancelled jobs never come back, and all others do") {
  for (std::size_t round = 0; round < check::cases(200); round++) {
    Fixture all(1 + static_cast<unsigned>(below(4)));
    std::set<uint64_t> expected;
    std::size_t handed = 0;
    const auto takeSome = [&] {
      for (const Finished &result : all.owner.take(all.pool, 1 + below(5))) {
        EXPECT_EQUAL(expected.erase(result.id), 1u);
        handed++;
      }
    };
    const std::size_t count = 100;
    for (uint64_t id = 0; id < count; id++) {
      all.pool.submit(job(id, static_cast<int32_t>(below(3)), static_cast<int>(below(3))));
      expected.insert(id);
      if (below(3) != 0) continue;
      const uint64_t victim = below(id + 1);
      const bool there = all.pool.cancel(victim);
      EXPECT_EQUAL(there, expected.count(victim) == 1);
      expected.erase(victim);
      all.pool.figures();
    }
    while (!expected.empty()) takeSome();
    EXPECT(!all.pool.cancel(0));
  }
}

TEST("pool: closed at any moment, it reports nothing more and leaks nothing") {
  for (std::size_t round = 0; round < check::cases(500); round++) {
    Fixture all(1 + static_cast<unsigned>(below(3)));
    const std::size_t count = below(30);
    for (uint64_t id = 0; id < count; id++) {
      all.pool.submit(job(id, static_cast<int32_t>(below(5)), static_cast<int>(below(4))));
    }
    if (below(2) == 0) std::this_thread::sleep_for(std::chrono::microseconds(below(2000)));
    all.pool.close(Clock::time_point::min());
    all.owner.close();
    std::vector<Finished> results;
    EXPECT(!all.pool.take(results, 100));
    EXPECT(results.empty());
  }
}

TEST("pool: an abandoned thread still has what it uses") {
  static std::atomic<int> alive{0};
  for (std::size_t round = 0; round < check::cases(200); round++) {
    Pool pool([] { return std::make_unique<Sleeper>(alive); }, 2, [] {});
    for (uint64_t id = 0; id < 6; id++) pool.submit(job(id, 20, id % 2 == 0 ? 1 : 0));
    std::this_thread::sleep_for(std::chrono::microseconds(below(500)));
  }
  for (int i = 0; i < 12000 && alive > 0; i++) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQUAL(alive.load(), 0);
}

TEST("pool: several owners, each with its own pool") {
  std::vector<std::thread> owners;
  for (int i = 0; i < 4; i++) {
    owners.emplace_back([] {
      Fixture all(2);
      for (uint64_t id = 0; id < 200; id++) all.pool.submit(job(id));
      for (std::size_t got = 0; got < 200;) got += all.owner.take(all.pool).size();
    });
  }
  for (std::thread &each : owners) each.join();
}
