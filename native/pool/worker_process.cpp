// One request is under way at a time, so that whoever killed the worker is known. The thread that owns the worker sleeps in
// `poll` meanwhile; it looks at the worker's memory now and then, and ends the worker when it is told to stop and the
// compiler does not.
#include "worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "../worker/protocol.h"
#include "file.h"

extern char **environ;

namespace mmptx {
namespace {

using std::chrono::milliseconds;

// A new worker costs about two small compiles.
constexpr unsigned kMostJobs = 2000;
// What a worker keeps after a huge compile is given back with it.
constexpr uint64_t kMostIdleBytes = 512ull << 20;
constexpr milliseconds kMemoryCheck{10};
// A pack of kernels is left within a kernel or two; who compiles one long kernel is ended.
constexpr milliseconds kStopWait{100};
constexpr milliseconds kGreetingWait{30000};
// Tries of a job whose worker was killed from outside: the compiler itself never raises SIGKILL.
constexpr int kMostTries = 10;
// A worker of this size that is killed was most likely killed for its size, by a system out of memory.
constexpr uint64_t kSuspiciousBytes = 1ull << 30;

class Worker {
 public:
  Worker() = default;
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  ~Worker() { end(); }

  bool running() const { return pid_ > 0; }
  int data() const { return data_.number(); }
  unsigned jobs() const { return jobs_; }

  // Empty, or why no worker could be started.
  std::string start(const WorkerSettings &settings);
  void stop(uint64_t sequence) {
    const WorkerStop message{sequence};
    (void)!write(control_.number(), &message, sizeof message);
  }
  void countJob() { jobs_++; }
  uint64_t residentBytes() const;

  // Kills what still runs; the status is that of `waitpid`.
  int end();
  // Whether somebody killed the one that ended before it had started.
  bool killed() const { return killed_; }

 private:
  std::string greet();

  pid_t pid_ = 0;
  unsigned jobs_ = 0;
  bool killed_ = false;
  File data_;
  File control_;
  File statm_;
};

std::string failure(const char *what, int error) { return std::string(what) + ": " + std::strerror(error); }

// Above the numbers that the worker's own ends get, so that none is overwritten before it is moved.
File above(int number) { return File(fcntl(number, F_DUPFD_CLOEXEC, 16)); }

std::string Worker::start(const WorkerSettings &settings) {
  int sockets[2];
  int pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return failure("socketpair", errno);
  data_ = File(sockets[0]);
  File theirs(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC) != 0) return failure("pipe", errno);
  control_ = File(pipes[1]);
  File theirPipe(pipes[0]);
  File childData = above(theirs.number());
  File childControl = above(theirPipe.number());
  if (!childData || !childControl) return failure("fcntl", errno);
  fcntl(data_.number(), F_SETFL, O_NONBLOCK);
  fcntl(control_.number(), F_SETFL, O_NONBLOCK);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_adddup2(&actions, childData.number(), kWorkerData);
  posix_spawn_file_actions_adddup2(&actions, childControl.number(), kWorkerControl);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  // A group of its own: what a terminal sends to ours is ours to handle.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string executable = settings.executable;
  std::string library = settings.libraryPath;
  char *words[] = {executable.data(), library.data(), nullptr};
  const int error = posix_spawn(&pid_, executable.c_str(), &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    pid_ = 0;
    return failure(executable.c_str(), error);
  }
  jobs_ = 0;
  killed_ = false;
  theirs = File();
  theirPipe = File();
  childData = File();
  childControl = File();
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%d/statm", static_cast<int>(pid_));
  statm_ = File(open(path, O_RDONLY | O_CLOEXEC));
  return greet();
}

std::string Worker::greet() {
  WorkerGreeting greeting{};
  auto *into = reinterpret_cast<char *>(&greeting);
  std::size_t got = 0;
  const auto until = Clock::now() + kGreetingWait;
  while (got < sizeof greeting) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    pollfd waiting{data(), POLLIN, 0};
    if (left.count() <= 0) {
      end();
      return "the worker did not start in time";
    }
    if (poll(&waiting, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) return failure("poll", errno);
    const ssize_t count = read(data(), into + got, sizeof greeting - got);
    if (count > 0) {
      got += static_cast<std::size_t>(count);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      const int status = end();
      killed_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
      if (WIFSIGNALED(status)) return std::string("the worker died at its start of ") + strsignal(WTERMSIG(status));
      return "the worker ended at its start with code " + std::to_string(WEXITSTATUS(status));
    }
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

uint64_t Worker::residentBytes() const {
  char text[128];
  const ssize_t size = pread(statm_.number(), text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  unsigned long long pages = 0;
  if (std::sscanf(text, "%*u %llu", &pages) != 1) return 0;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

int Worker::end() {
  int status = 0;
  if (pid_ > 0) {
    // One that is dead already keeps the status it died with.
    kill(pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
  }
  data_ = File();
  control_ = File();
  statm_ = File();
  return status;
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
      : sharedSettings_(std::move(settings)), sharedTotals_(std::move(totals)) {
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0) return;
    wakeRead_ = File(pipes[0]);
    wakeWrite_ = File(pipes[1]);
  }

  void prepare() override {
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
      const Exchange exchange = converse(job, ptx, result);
      if (exchange == Exchange::replied) {
        replace(result);
        return;
      }
      const bool ours = exchange != Exchange::died;
      const int status = worker_.end();
      if (ours) return;
      totals_.crashed++;
      result.outcome = Outcome::crashed;
      if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
        if (result.signal == SIGKILL && lastBytes_ >= kSuspiciousBytes) {
          result.outcome = Outcome::outgrown;
          result.memoryBytes = lastBytes_;
          return;
        }
        // Somebody else's doing, and not this job's.
        if (result.signal == SIGKILL && tries < kMostTries && !cancelled(job)) continue;
      } else {
        result.problem = "the worker ended with code " + std::to_string(WEXITSTATUS(status));
      }
      return;
    }
  }

  void wake() override {
    const char byte = 0;
    (void)!write(wakeWrite_.number(), &byte, 1);
  }

 private:
  enum class Exchange { replied, died, stopped, outgrown };

  static bool cancelled(const Job &job) { return __atomic_load_n(&job.cancel, __ATOMIC_RELAXED) != 0; }

  std::string startWorker() {
    if (!wakeRead_) return "no pipe could be had";
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

  // Sends the request and reads the reply, whichever the worker is ready for.
  Exchange converse(const Job &job, const std::string &ptx, Finished &result) {
    WorkerRequest request{};
    request.sequence = sequence_;
    request.size = ptx.size();
    std::snprintf(request.arch, sizeof request.arch, "%s", job.target->arch.c_str());
    request.effort = job.target->effort;
    request.maxRegisters = job.target->maxRegisters;
    request.flags = job.target->flags;
    std::size_t sent = 0;
    const std::size_t toSend = sizeof request + ptx.size();
    WorkerReply reply{};
    reply_.clear();
    lastBytes_ = 0;
    Clock::time_point endAt = Clock::time_point::max();
    for (;;) {
      if (endAt == Clock::time_point::max() && cancelled(job)) {
        worker_.stop(sequence_);
        endAt = Clock::now() + kStopWait;
      }
      if (Clock::now() >= endAt) return Exchange::stopped;
      const bool sending = sent < toSend;
      pollfd waiting[] = {{worker_.data(), static_cast<short>(sending ? POLLIN | POLLOUT : POLLIN), 0},
                          {wakeRead_.number(), POLLIN, 0}};
      const int ready = poll(waiting, 2, timeout(endAt));
      if (ready < 0 && errno != EINTR) return Exchange::died;
      if (ready == 0 && outgrew(result)) return Exchange::outgrown;
      if (waiting[1].revents != 0) drainWake();
      if (sending && (waiting[0].revents & (POLLOUT | POLLERR | POLLHUP)) != 0 && !send(request, ptx, sent)) {
        return Exchange::died;
      }
      if ((waiting[0].revents & (POLLIN | POLLERR | POLLHUP)) != 0) {
        const Reading reading = receive(reply);
        if (reading == Reading::ended) return Exchange::died;
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
    iovec pieces[2];
    int count = 0;
    std::size_t skip = sent;
    if (skip < sizeof request) {
      pieces[count++] = {const_cast<char *>(reinterpret_cast<const char *>(&request)) + skip, sizeof request - skip};
      skip = 0;
    } else {
      skip -= sizeof request;
    }
    pieces[count++] = {const_cast<char *>(ptx.data()) + skip, ptx.size() - skip};
    msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = static_cast<std::size_t>(count);
    const ssize_t written = sendmsg(worker_.data(), &message, MSG_NOSIGNAL);
    if (written >= 0) {
      sent += static_cast<std::size_t>(written);
      return true;
    }
    return errno == EAGAIN || errno == EINTR;
  }

  enum class Reading { partial, whole, ended };

  Reading receive(WorkerReply &reply) {
    for (;;) {
      const std::size_t before = reply_.size();
      std::size_t wanted = sizeof reply;
      if (before >= sizeof reply) {
        std::memcpy(&reply, reply_.data(), sizeof reply);
        wanted += reply.cubinSize + reply.infoSize + reply.errorSize;
        if (before == wanted) return Reading::whole;
      }
      // The head alone first would cost a call more; what follows it is seldom longer than this.
      const std::size_t room = std::max<std::size_t>(wanted - before, before == 0 ? kFirstRead : 0);
      reply_.resize(before + room);
      const ssize_t count = read(worker_.data(), reply_.data() + before, room);
      reply_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (count == 0) return Reading::ended;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno == EAGAIN ? Reading::partial : Reading::ended;
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
    raisePeak(reply.peakBytes);
    worker_.countJob();
  }

  // A worker that has served long enough, or keeps too much, is ended while nothing is lost with it.
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

  void drainWake() {
    char bytes[64];
    while (read(wakeRead_.number(), bytes, sizeof bytes) > 0) {
    }
  }

  static constexpr std::size_t kFirstRead = 64 * 1024;

  const std::shared_ptr<const WorkerSettings> sharedSettings_;
  const std::shared_ptr<WorkerTotals> sharedTotals_;
  const WorkerSettings &settings_ = *sharedSettings_;
  WorkerTotals &totals_ = *sharedTotals_;
  Worker worker_;
  File wakeRead_;
  File wakeWrite_;
  uint64_t sequence_ = 0;
  // In memory when the worker was last looked at during this compile.
  uint64_t lastBytes_ = 0;
  std::string reply_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<Executor> workerExecutor(std::shared_ptr<const WorkerSettings> settings,
                                         std::shared_ptr<WorkerTotals> totals) {
  return std::make_unique<WorkerExecutor>(std::move(settings), std::move(totals));
}

}  // namespace mmptx
