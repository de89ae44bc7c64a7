// One request is in flight at a time, so if the worker dies, the responsible job is known. Meanwhile the thread that
// owns the worker sleeps in `poll`. It checks the worker's memory now and then, and kills the worker if it was told to
// stop and the compiler does not.
#include "worker_process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "../worker/protocol.h"
#include "child.h"

namespace mmptx {
namespace {

using std::chrono::milliseconds;

// Starting a worker costs about as much as two small compiles.
constexpr unsigned kMostJobs = 2000;
// Memory that a worker keeps after a huge compile is released with it.
constexpr uint64_t kMostIdleBytes = 512ull << 20;
constexpr milliseconds kMemoryCheck{10};
// The compiler stops within a kernel or two of a pack. A worker that compiles one long kernel is killed.
constexpr milliseconds kStopWait{100};
constexpr milliseconds kGreetingWait{30000};
// How often a job is tried whose worker was killed from outside, by a signal that the compiler itself never raises.
constexpr int kMostTries = 10;
// How often starting a process is tried again after a shortage that may pass; the delay doubles each time.
constexpr int kMostStarts = 8;
constexpr milliseconds kFirstPause{10};
// No part of a reply is longer. The compiler may have corrupted the memory of the worker process.
constexpr uint64_t kLongestPart = 2ull << 30;
// Capacity for replies that is kept from one to the next.
constexpr std::size_t kKeptRoom = 1 << 20;
// A worker of this size that was killed was most likely killed by a system that ran out of memory.
constexpr uint64_t kSuspiciousBytes = 1ull << 30;

// A child that has sent its greeting.
class Worker : public Child {
 public:
  // Empty, or the reason why no worker could be started.
  std::string start(const WorkerSettings &settings) {
    jobs_ = 0;
    killed_ = false;
    milliseconds pause = kFirstPause;
    for (int starts = 1;; starts++, pause *= 2) {
      bool transient = false;
      const std::string problem =
          Child::start({settings.executable, settings.libraryPath, settings.environment}, transient);
      if (problem.empty()) return greet();
      end();
      if (!transient || starts == kMostStarts) return problem;
      std::this_thread::sleep_for(pause);
    }
  }
  void stop(uint64_t sequence) {
    const WorkerStop message{sequence};
    tell(&message, sizeof message);
  }

  unsigned jobs() const { return jobs_; }
  void countJob() { jobs_++; }
  // Whether the last one was killed from outside before it had started.
  bool killed() const { return killed_; }

 private:
  std::string greet();

  unsigned jobs_ = 0;
  bool killed_ = false;
};

std::string Worker::greet() {
  WorkerGreeting greeting{};
  auto *into = reinterpret_cast<char *>(&greeting);
  std::size_t got = 0;
  const auto until = Clock::now() + kGreetingWait;
  while (got < sizeof greeting) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0) {
      end();
      return "the worker did not start in time";
    }
    const Ready ready = wait(false, static_cast<int>(left.count()));
    if (ready.failed) return "the worker can't be waited for";
    if (!ready.toRead) continue;
    const long count = receive(into + got, sizeof greeting - got);
    if (count < 0) {
      const Ended ended = end();
      killed_ = ended.killed;
      return "the worker " + ended.words("at its start ");
    }
    got += static_cast<std::size_t>(count);
  }
  if (greeting.protocol != kWorkerProtocol) {
    end();
    return "the worker is of another build";
  }
  greeting.problem[sizeof greeting.problem - 1] = '\0';
  const std::string problem = greeting.problem;
  if (!problem.empty()) end();
  return problem;
}

void *copyOf(const std::string &bytes, std::size_t from, std::size_t size, bool terminated) {
  auto *copy = static_cast<char *>(std::malloc(size + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, bytes.data() + from, size);
  if (terminated) copy[size] = '\0';
  return copy;
}

class WorkerExecutor final : public Executor {
 public:
  WorkerExecutor(std::shared_ptr<const WorkerSettings> settings, std::shared_ptr<WorkerTotals> totals)
      : sharedSettings_(std::move(settings)), sharedTotals_(std::move(totals)) {}

  void prepare() override {
    // If the worker died, or sent something, while it was idle, no job is to blame.
    if (worker_.running() && !worker_.quiet()) worker_.end();
    if (!worker_.running()) problem_ = startWorker();
  }

  void run(const Job &job, const std::string &ptx, Finished &result) override {
    for (int tries = 1;; tries++) {
      if (!worker_.running()) problem_ = startWorker();
      if (!worker_.running()) {
        result.outcome = Outcome::noWorker;
        result.problem = problem_;
        return;
      }
      sequence_++;
      const Exchange exchange = talk(job, ptx, result);
      if (exchange == Exchange::replied) {
        replace(result);
        return;
      }
      const bool ours = exchange == Exchange::stopped || exchange == Exchange::outgrown;
      const Child::Ended ended = worker_.end();
      if (ours) return;
      totals_.crashed++;
      result.outcome = Outcome::crashed;
      if (exchange == Exchange::garbled) {
        result.problem = "the worker answered what nobody could have asked";
        return;
      }
      result.signal = ended.signal;
      if (ended.killed && lastBytes_ >= kSuspiciousBytes) {
        result.outcome = Outcome::outgrown;
        result.memoryBytes = lastBytes_;
        return;
      }
      // Killed from outside; this job is not to blame.
      if (ended.killed && tries < kMostTries && !cancelled(job)) continue;
      if (ended.signal == 0) result.problem = "the worker " + ended.words();
      return;
    }
  }

  void wake() override { worker_.wake(); }

 private:
  enum class Exchange { replied, died, garbled, stopped, outgrown };

  static bool cancelled(const Job &job) { return __atomic_load_n(&job.cancel, __ATOMIC_RELAXED) != 0; }

  std::string startWorker() {
    for (int tries = 1;; tries++) {
      const std::string problem = worker_.start(settings_);
      if (problem.empty()) {
        totals_.started++;
        return problem;
      }
      worker_.end();
      if (!worker_.killed() || tries == kMostTries) return problem;
    }
  }

  // The same as `converse`, but if anything fails on this side, no partial reply is left for the next job.
  Exchange talk(const Job &job, const std::string &ptx, Finished &result) {
    try {
      return converse(job, ptx, result);
    } catch (...) {
      worker_.end();
      throw;
    }
  }

  // Sends the request and reads the reply, whichever the worker is ready for.
  Exchange converse(const Job &job, const std::string &ptx, Finished &result) {
    WorkerRequest request{};
    request.sequence = sequence_;
    request.size = ptx.size();
    std::snprintf(request.arguments, sizeof request.arguments, "%s", job.arguments->c_str());
    std::size_t sent = 0;
    const std::size_t toSend = sizeof request + ptx.size();
    WorkerReply reply{};
    received_ = 0;
    lastBytes_ = 0;
    Clock::time_point endAt = Clock::time_point::max();
    // Usually the whole request can be sent at once, without polling first.
    if (!send(request, ptx, sent)) return Exchange::died;
    for (;;) {
      if (endAt == Clock::time_point::max() && cancelled(job)) {
        worker_.stop(sequence_);
        endAt = Clock::now() + kStopWait;
      }
      if (Clock::now() >= endAt) return Exchange::stopped;
      const bool sending = sent < toSend;
      const Child::Ready ready = worker_.wait(sending, timeout(endAt));
      if (ready.failed) return Exchange::died;
      if (ready.timedOut && outgrew(result)) return Exchange::outgrown;
      if (ready.toWrite && !send(request, ptx, sent)) return Exchange::died;
      if (ready.toRead) {
        const Reading reading = receive(reply);
        if (reading == Reading::ended) return Exchange::died;
        if (reading == Reading::garbled) return Exchange::garbled;
        if (reading == Reading::whole) {
          accept(reply, result);
          return Exchange::replied;
        }
      }
    }
  }

  // Milliseconds for `poll`.
  int timeout(Clock::time_point endAt) const {
    if (endAt != Clock::time_point::max()) {
      const auto left = std::chrono::duration_cast<milliseconds>(endAt - Clock::now()).count() + 1;
      return static_cast<int>(std::max<long long>(0, std::min<long long>(left, kMemoryCheck.count())));
    }
    return settings_.memoryLimit == 0 ? -1 : static_cast<int>(kMemoryCheck.count());
  }

  bool outgrew(Finished &result) {
    if (settings_.memoryLimit == 0) return false;
    const uint64_t bytes = worker_.residentBytes();
    lastBytes_ = bytes;
    raisePeak(bytes);
    if (bytes <= settings_.memoryLimit) return false;
    totals_.outgrown++;
    result.outcome = Outcome::outgrown;
    result.memoryBytes = bytes;
    return true;
  }

  bool send(const WorkerRequest &request, const std::string &ptx, std::size_t &sent) {
    Piece pieces[2];
    int count = 0;
    std::size_t skip = sent;
    if (skip < sizeof request) {
      pieces[count++] = {reinterpret_cast<const char *>(&request) + skip, sizeof request - skip};
      skip = 0;
    } else {
      skip -= sizeof request;
    }
    pieces[count++] = {ptx.data() + skip, ptx.size() - skip};
    const long taken = worker_.send(pieces, count);
    if (taken < 0) return false;
    sent += static_cast<std::size_t>(taken);
    return true;
  }

  enum class Reading { partial, whole, garbled, ended };

  Reading receive(WorkerReply &reply) {
    for (;;) {
      std::size_t wanted = sizeof reply;
      if (received_ >= sizeof reply) {
        std::memcpy(&reply, reply_.data(), sizeof reply);
        if (reply.sequence != sequence_ || reply.cubinSize > kLongestPart || reply.infoSize > kLongestPart ||
            reply.errorSize > kLongestPart) {
          return Reading::garbled;
        }
        wanted += reply.cubinSize + reply.infoSize + reply.errorSize;
        if (received_ == wanted) return Reading::whole;
        if (received_ > wanted) return Reading::garbled;
      }
      // Reading the header alone first would cost another call; the rest of a reply is seldom longer than this.
      const std::size_t room = std::max<std::size_t>(wanted - received_, received_ == 0 ? kFirstRead : 0);
      // Kept from reply to reply, because newly allocated room is filled with zeros.
      if (reply_.size() < received_ + room) reply_.resize(received_ + room);
      const long count = worker_.receive(reply_.data() + received_, room);
      if (count < 0) return Reading::ended;
      if (count == 0) return Reading::partial;
      received_ += static_cast<std::size_t>(count);
    }
  }

  void accept(const WorkerReply &reply, Finished &result) {
    std::size_t at = sizeof reply;
    mmptxc_result &compiled = result.result;
    compiled.status = reply.status;
    compiled.native_status = reply.nativeStatus;
    if (reply.status == MMPTXC_OK) {
      compiled.cubin = copyOf(reply_, at, reply.cubinSize, false);
      compiled.cubin_size = reply.cubinSize;
    }
    at += reply.cubinSize;
    compiled.info_log = static_cast<char *>(copyOf(reply_, at, reply.infoSize, true));
    compiled.info_log_size = reply.infoSize;
    at += reply.infoSize;
    compiled.error_log = static_cast<char *>(copyOf(reply_, at, reply.errorSize, true));
    compiled.error_log_size = reply.errorSize;
    result.outcome = reply.status == MMPTXC_OK ? Outcome::compiled : Outcome::failed;
    result.memoryBytes = reply.residentBytes;
    raisePeak(std::max(reply.peakBytes, reply.residentBytes));
    worker_.countJob();
    // Assigning an empty one would keep the room.
    if (reply_.size() > kKeptRoom) std::string().swap(reply_);
  }

  // A worker that has served long enough, or keeps too much memory, is replaced while it is idle.
  void replace(const Finished &result) {
    const uint64_t keep = settings_.memoryLimit == 0 ? kMostIdleBytes : std::min(kMostIdleBytes, settings_.memoryLimit / 2);
    if (worker_.jobs() < kMostJobs && result.memoryBytes <= keep) return;
    worker_.end();
    totals_.recycled++;
  }

  void raisePeak(uint64_t bytes) {
    uint64_t seen = totals_.peakBytes.load(std::memory_order_relaxed);
    while (bytes > seen && !totals_.peakBytes.compare_exchange_weak(seen, bytes, std::memory_order_relaxed)) {
    }
  }

  static constexpr std::size_t kFirstRead = 64 * 1024;

  const std::shared_ptr<const WorkerSettings> sharedSettings_;
  const std::shared_ptr<WorkerTotals> sharedTotals_;
  const WorkerSettings &settings_ = *sharedSettings_;
  WorkerTotals &totals_ = *sharedTotals_;
  Worker worker_;
  uint64_t sequence_ = 0;
  // The resident size when the worker was last checked during this compile.
  uint64_t lastBytes_ = 0;
  // The worker's reply so far: the first `received_` bytes.
  std::string reply_;
  std::size_t received_ = 0;
  std::string problem_;
};

}  // namespace

std::unique_ptr<Executor> workerExecutor(std::shared_ptr<const WorkerSettings> settings,
                                         std::shared_ptr<WorkerTotals> totals) {
  return std::make_unique<WorkerExecutor>(std::move(settings), std::move(totals));
}

}  // namespace mmptx
