// One request is in flight at a time, so if the worker dies, the responsible job is known. Meanwhile the thread that
// owns the worker sleeps in `poll`. It checks the worker's memory now and then, and kills the worker if it was told to
// stop and the compiler does not.
#include "worker_process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "../worker/confine.h"
#include "../worker/protocol.h"
#include "logs.h"
#include "worker.h"

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
// No cubin is longer. The PTX may have taken over the worker, so what it claims is checked before memory is taken.
constexpr uint64_t kLongestCubin = 2ull << 30;
// More memory than any machine has.
constexpr uint64_t kMostMemory = 1ull << 50;
// Capacity for replies that is kept from one to the next.
constexpr std::size_t kKeptRoom = 1 << 20;
// A worker of this size that was killed was most likely killed by a system that ran out of memory.
constexpr uint64_t kSuspiciousBytes = 1ull << 30;

// The tries of a job whose workers were killed from outside, by a signal that the compiler itself never raises. What
// counts is how much they have worked: on a busy machine, many workers in a row are killed before they have done
// anything, and that says nothing about the job.
class Tries {
 public:
  // Records a worker that was killed after it had used this processor time; false if that was the last try.
  bool again(std::chrono::nanoseconds worked) {
    count_++;
    worked_ += worked + kLeastWork;
    return count_ < kLeast || worked_ < kMostWork;
  }

 private:
  static constexpr int kLeast = 10;
  static constexpr std::chrono::seconds kMostWork{5};
  // What a try counts at least, for the start of its worker. So tries also end if none of them does any work.
  static constexpr milliseconds kLeastWork{50};
  int count_ = 0;
  std::chrono::nanoseconds worked_{0};
};

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

  void prepare(const Job &job) override {
    // If the worker died, or sent something, while it was idle, no job is to blame.
    if (worker_.running() && !worker_.quiet()) worker_.end();
    Tries tries;
    late_ = !worker_.running() && startWorker(Patience(job), tries) == Worker::Start::late;
  }

  void run(const Job &job, const std::string &ptx, Finished &result) override {
    bool late = std::exchange(late_, false);
    for (Tries tries;;) {
      if (!worker_.running() && !late) late = startWorker(Patience(job), tries) == Worker::Start::late;
      if (!worker_.running()) {
        result.outcome = late && job.timeout.count() > 0 ? Outcome::timedOut : Outcome::noWorker;
        result.problem = problem_;
        return;
      }
      sequence_++;
      const std::chrono::nanoseconds before = worker_.cpuTime();
      const Exchange exchange = talk(job, ptx, result);
      if (exchange == Exchange::replied) {
        replace(result);
        return;
      }
      const bool ours = exchange == Exchange::stopped || exchange == Exchange::outgrown;
      const std::chrono::nanoseconds worked = worker_.cpuTime() - before;
      const Child::Ended ended = worker_.end();
      if (ours) return;
      totals_.crashed++;
      result.outcome = Outcome::crashed;
      if (exchange == Exchange::garbled) {
        result.problem = "the worker answered what nobody could have asked";
        return;
      }
      result.signal = ended.signal;
      result.confined = worker_.confined();
      if (ended.killed && lastBytes_ >= kSuspiciousBytes) {
        result.outcome = Outcome::outgrown;
        result.memoryBytes = lastBytes_;
        return;
      }
      // Killed from outside; this job is not to blame.
      if (ended.killed && !isCancelled(job) && tries.again(worked)) continue;
      if (ended.signal == 0) result.problem = "the worker " + ended.words();
      return;
    }
  }

  void wake() override { worker_.wake(); }

 private:
  enum class Exchange { replied, died, garbled, stopped, outgrown };

  // The reason for anything but a start is in `problem_`.
  Worker::Start startWorker(const Patience &patience, Tries &tries) {
    for (;;) {
      const Worker::Start result = worker_.start(settings_, totals_.confinement, patience, problem_);
      if (result == Worker::Start::ready) totals_.started++;
      if (result != Worker::Start::killed || patience.over() || !tries.again({})) return result;
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
    Clock::time_point checkAt = Clock::now() + kMemoryCheck;
    // Usually the whole request can be sent at once, without polling first.
    if (!send(request, ptx, sent)) return Exchange::died;
    for (;;) {
      if (endAt == Clock::time_point::max() && isCancelled(job)) {
        worker_.stop(sequence_);
        endAt = Clock::now() + kStopWait;
      }
      if (Clock::now() >= endAt) return Exchange::stopped;
      const bool sending = sent < toSend;
      const Child::Ready ready = worker_.wait(sending, timeout(endAt));
      if (ready.failed) return Exchange::died;
      // Also a worker that sends something all the time is checked.
      if (settings_.memoryLimit != 0 && Clock::now() >= checkAt) {
        if (outgrew(result)) return Exchange::outgrown;
        checkAt = Clock::now() + kMemoryCheck;
      }
      if (ready.toWrite && !send(request, ptx, sent)) return Exchange::died;
      if (ready.toRead) {
        const Reading reading = receive(reply, ptx.size());
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

  Reading receive(WorkerReply &reply, std::size_t ptxSize) {
    for (;;) {
      std::size_t wanted = sizeof reply;
      if (received_ >= sizeof reply) {
        std::memcpy(&reply, reply_.data(), sizeof reply);
        if (!plausible(reply, ptxSize)) return Reading::garbled;
        wanted += reply.cubinSize + reply.infoSize + reply.errorSize;
        if (received_ == wanted) return Reading::whole;
        if (received_ > wanted) return Reading::garbled;
      }
      // Reading the header alone first would cost another call; the rest of a reply is seldom longer than this. Room for
      // a long one is taken as it arrives.
      const std::size_t room =
          received_ == 0 ? kFirstRead : std::min(wanted - received_, std::max(kFirstRead, received_));
      // Kept from reply to reply, because newly allocated room is filled with zeros.
      if (reply_.size() < received_ + room) reply_.resize(received_ + room);
      const long count = worker_.receive(reply_.data() + received_, room);
      if (count < 0) return Reading::ended;
      if (count == 0) return Reading::partial;
      received_ += static_cast<std::size_t>(count);
    }
  }

  // Whether a compile of so much PTX, in the memory that the worker may have, can end like this.
  bool plausible(const WorkerReply &reply, std::size_t ptxSize) const {
    const uint64_t memory = settings_.memoryLimit == 0 ? kLongestCubin : std::min(kLongestCubin, settings_.memoryLimit);
    const uint64_t most = settings_.memoryLimit == 0 ? kMostMemory : addressSpace(settings_.memoryLimit);
    return reply.sequence == sequence_ && reply.cubinSize <= memory && reply.infoSize <= longestLog(ptxSize) &&
           reply.errorSize <= longestLog(ptxSize) && std::max(reply.residentBytes, reply.peakBytes) <= most;
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
  // Why the last start failed.
  std::string problem_;
  // Whether the job's patience was over when its worker was to be prepared.
  bool late_ = false;
};

}  // namespace

std::unique_ptr<Executor> workerExecutor(std::shared_ptr<const WorkerSettings> settings,
                                         std::shared_ptr<WorkerTotals> totals) {
  return std::make_unique<WorkerExecutor>(std::move(settings), std::move(totals));
}

}  // namespace mmptx
