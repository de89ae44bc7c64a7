// One mutex per pool guards everything that the owner's thread, the workers and the watchdog share. Workers compile
// without holding it. The owner is woken with it held, so closing never returns while a wake-up is in progress.
#include "pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include "allocator.h"
#include "at_exit.h"
#include "file_times.h"
#include "process.h"
#include "queue.h"

namespace mmptx {
namespace {

constexpr std::size_t kBatch = 64;

}  // namespace

// Shared with the threads, so that a thread that `close` abandons still has what it uses.
struct Pool::State : EndsWithProcess {
  // A job in progress, and the worker that compiles it.
  struct Running {
    std::shared_ptr<Job> job;
    Executor *executor;
  };

  const MakeExecutor makeExecutor;
  const unsigned maxThreads;
  const std::chrono::milliseconds announceWithin;
  std::function<void()> wake;

  std::mutex mutex;
  std::condition_variable jobsChanged;
  std::condition_variable deadlinesChanged;
  std::condition_variable threadEnded;
  JobQueue queue;
  std::vector<Running> running;
  std::unordered_map<uint64_t, std::shared_ptr<Job>> live;
  std::deque<Finished> finished;
  unsigned threads = 0;
  unsigned idle = 0;
  bool watching = false;
  // `wake` was called, and not all results have been taken since.
  bool announced = false;
  // The latest time to announce results that are waiting unannounced.
  Clock::time_point announceBy = Clock::time_point::max();
  // When the watchdog looks again, unless it is told to before.
  Clock::time_point watchUntil = Clock::time_point::max();
  bool closed = false;
  // Somebody waited for the threads until a deadline and continued without them.
  bool abandoned = false;
  uint64_t compiled = 0;
  uint64_t failed = 0;

  State(MakeExecutor make, unsigned count, std::function<void()> onResults, std::chrono::milliseconds within)
      : makeExecutor(std::move(make)),
        maxThreads(std::max(1u, count)),
        announceWithin(within),
        wake(std::move(onResults)) {}

  static void stop(const Running &each) {
    each.job->settled = true;
    __atomic_store_n(&each.job->cancel, 1, __ATOMIC_RELAXED);
    each.executor->wake();
  }

  // Called with the mutex held, like everything below, so that `close` never returns while a call to `wake` is in
  // progress.
  void announce() {
    announced = true;
    announceBy = Clock::time_point::max();
    if (!closed) wake();
  }

  // A job's deadline seldom comes before that of an earlier one, so the watchdog need not be woken for each job.
  void watchFor(Clock::time_point deadline) {
    if (deadline < watchUntil) deadlinesChanged.notify_one();
  }

  // Waking the owner's thread costs about 50 us on a busy machine, so results are announced in batches. They are
  // announced at once only if the queue runs low, because then the owner has to supply more jobs. Waiting jobs of a
  // lower priority do not count, so that a job that overtook a long list does not wait for results of that list.
  void deliver(const Job &job, Finished &&result) {
    live.erase(result.id);
    (result.outcome == Outcome::compiled ? compiled : failed)++;
    finished.push_back(std::move(result));
    if (announced || closed) return;
    if (!watching || !queue.holds(maxThreads, job.priority) || finished.size() >= kBatch) {
      announce();
    } else if (announceBy == Clock::time_point::max()) {
      announceBy = Clock::now() + announceWithin;
      watchFor(announceBy);
    }
  }

  // The only member function that locks the mutex itself.
  bool close(Clock::time_point deadline) override;
};

Pool::Pool(MakeExecutor makeExecutor, unsigned threads, std::function<void()> wake,
           std::chrono::milliseconds announceWithin)
    : state_(std::make_shared<State>(std::move(makeExecutor), threads, std::move(wake), announceWithin)) {
  keepFreedMemory();
  closeAtExit(state_);
}

Pool::~Pool() { close(Clock::time_point::min()); }

void Pool::submit(std::shared_ptr<Job> job) {
  State &state = *state_;
  std::lock_guard<std::mutex> lock(state.mutex);
  // A single job needs no watchdog, because its result is announced at once.
  if (!state.watching && (job->timeout.count() > 0 || state.queue.size() >= state.maxThreads)) {
    try {
      std::thread([shared = state_] { watch(shared); }).detach();
      state.watching = true;
      state.threads++;
    } catch (const std::system_error &) {
      // Without a watchdog, results are announced one by one. But a timeout that nobody enforces must not look as if it
      // were enforced.
      if (job->timeout.count() > 0) throw;
    }
  }
  const unsigned workers = state.threads - (state.watching ? 1 : 0);
  if (state.idle <= state.queue.size() && workers < state.maxThreads) {
    try {
      std::thread([shared = state_] { work(shared); }).detach();
      state.threads++;
    } catch (const std::system_error &) {
      // The existing threads will serve the queue. With no thread at all, it would wait forever.
      if (workers == 0) throw;
    }
  }
  state.live.emplace(job->id, job);
  state.queue.push(std::move(job));
  state.jobsChanged.notify_one();
}

bool Pool::cancel(uint64_t id) {
  State &state = *state_;
  std::lock_guard<std::mutex> lock(state.mutex);
  auto found = state.live.find(id);
  if (found != state.live.end()) {
    const std::shared_ptr<Job> job = std::move(found->second);
    state.live.erase(found);
    const auto running = std::find_if(state.running.begin(), state.running.end(),
                                      [&job](const State::Running &each) { return each.job == job; });
    if (running != state.running.end()) {
      State::stop(*running);
    } else {
      job->settled = true;
      state.queue.forget(*job);
    }
    return true;
  }
  auto done = std::find_if(state.finished.begin(), state.finished.end(),
                           [id](const Finished &result) { return result.id == id; });
  if (done == state.finished.end()) return false;
  state.finished.erase(done);
  // Nothing is left to announce. If it was already announced, the owner calls `take` and finds nothing.
  if (state.finished.empty()) state.announceBy = Clock::time_point::max();
  return true;
}

bool Pool::take(std::vector<Finished> &into, std::size_t limit) {
  State &state = *state_;
  std::lock_guard<std::mutex> lock(state.mutex);
  const std::size_t count = std::min(limit, state.finished.size());
  for (std::size_t i = 0; i < count; i++) {
    into.push_back(std::move(state.finished.front()));
    state.finished.pop_front();
  }
  if (state.finished.empty()) {
    state.announced = false;
    state.announceBy = Clock::time_point::max();
  }
  return !state.finished.empty();
}

PoolFigures Pool::figures() {
  State &state = *state_;
  std::lock_guard<std::mutex> lock(state.mutex);
  const unsigned workers = state.threads - (state.watching ? 1 : 0);
  return {state.queue.size(), state.running.size(), workers, state.compiled, state.failed};
}

void Pool::close(Clock::time_point deadline) { state_->close(deadline); }

bool Pool::State::close(Clock::time_point deadline) {
  std::deque<Finished> dropped;
  std::unique_lock<std::mutex> lock(mutex);
  closed = true;
  queue.clear();
  live.clear();
  dropped.swap(finished);
  for (const Running &each : running) stop(each);
  jobsChanged.notify_all();
  deadlinesChanged.notify_all();
  if (threads > 0 && deadline > Clock::now() && !abandoned) {
    abandoned = !threadEnded.wait_until(lock, deadline, [this] { return threads == 0; });
  }
  return threads == 0;
}

void Pool::compile(Job &job, Executor &executor, Finished &result) {
  try {
    std::string ptx = job.source.take();
    result.scan = scanPtx(ptx.data(), ptx.size());
    if (result.scan.refusal == Refusal::none) {
      stateFileTimes(ptx);
      executor.run(job, ptx, result);
    } else {
      result.outcome = Outcome::refused;
    }
    if (result.outcome == Outcome::compiled && result.result.cubin_size == 0) {
      result.outcome = Outcome::failed;
      result.result.status = MMPTXC_INTERNAL;
    }
  } catch (const std::bad_alloc &) {
    result.outcome = Outcome::failed;
    result.result.status = MMPTXC_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    result.outcome = Outcome::noWorker;
    result.problem = error.what();
  }
}

void Pool::work(const std::shared_ptr<State> &shared) {
  State &state = *shared;
  nameThread("mmptx-compile");
  std::unique_ptr<Executor> executor = state.makeExecutor();
  std::unique_lock<std::mutex> lock(state.mutex);
  for (;;) {
    state.idle++;
    state.jobsChanged.wait(lock, [&state] { return state.closed || !state.queue.empty(); });
    state.idle--;
    if (state.closed) break;
    const std::shared_ptr<Job> job = state.queue.pop();
    state.running.push_back({job, executor.get()});
    lock.unlock();
    executor->prepare(*job);
    const Clock::time_point start = Clock::now();
    if (job->timeout.count() > 0) {
      lock.lock();
      job->deadline = start + job->timeout;
      state.watchFor(job->deadline);
      lock.unlock();
    }
    Finished result;
    result.id = job->id;
    compile(*job, *executor, result);
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();

    lock.lock();
    state.running.erase(std::find_if(state.running.begin(), state.running.end(),
                                     [&job](const State::Running &each) { return each.job == job; }));
    if (!job->settled) {
      job->settled = true;
      state.deliver(*job, std::move(result));
    }
  }
  lock.unlock();
  executor.reset();
  lock.lock();
  state.threads--;
  state.threadEnded.notify_all();
}

// Announces results that have waited long enough, and reports jobs whose time is over. The compile itself ends when the
// compiler next checks.
void Pool::watch(const std::shared_ptr<State> &shared) {
  State &state = *shared;
  nameThread("mmptx-watch");
  std::unique_lock<std::mutex> lock(state.mutex);
  while (!state.closed) {
    const Clock::time_point now = Clock::now();
    if (state.announceBy <= now) state.announce();
    Clock::time_point next = state.announceBy;
    for (const State::Running &each : state.running) {
      const Job &job = *each.job;
      // There is no deadline while the job's executor is being prepared.
      if (job.settled || job.deadline == Clock::time_point{}) continue;
      if (job.deadline > now) {
        next = std::min(next, job.deadline);
        continue;
      }
      State::stop(each);
      Finished result;
      result.id = job.id;
      result.outcome = Outcome::timedOut;
      result.milliseconds = std::chrono::duration<double, std::milli>(now - (job.deadline - job.timeout)).count();
      state.deliver(job, std::move(result));
      next = std::min(next, state.announceBy);
    }
    state.watchUntil = next;
    if (next == Clock::time_point::max()) {
      state.deadlinesChanged.wait(lock);
    } else {
      state.deadlinesChanged.wait_until(lock, next);
    }
  }
  state.threads--;
  state.threadEnded.notify_all();
}

}  // namespace mmptx
