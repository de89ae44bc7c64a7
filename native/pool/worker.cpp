// The first worker of a pool finds out whether workers can be confined here; protocol.h has what is said at the start.
#include "worker.h"

#include <algorithm>
#include <thread>

#include "../worker/protocol.h"

namespace mmptx {
namespace {

using std::chrono::milliseconds;

// How long a worker may take to start; a job that has a time limit grants that instead, if it is not shorter than a start
// on a busy machine takes.
constexpr milliseconds kLongestStart{30000};
constexpr milliseconds kShortestStart{1000};
// How often starting a process is tried again after a shortage that may pass; the delay doubles each time.
constexpr int kMostStarts = 8;
constexpr milliseconds kFirstPause{10};
// The signal that ends a process at a system call that its filter forbids; SIGSYS of Linux.
constexpr int kForbidden = 31;

}  // namespace

Patience::Patience() : until_(Clock::now() + kLongestStart) {}

Patience::Patience(const Job &job) : Patience() {
  job_ = &job;
  if (job.timeout.count() > 0) until_ = Clock::now() + std::max(job.timeout, kShortestStart);
}

bool Patience::over() const { return Clock::now() >= until_ || (job_ != nullptr && isCancelled(*job_)); }

int Patience::milliseconds() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now()).count() + 1;
  return static_cast<int>(std::max<long long>(0, left));
}

Worker::Start Worker::start(const WorkerSettings &settings, Confinement &confinement, const Patience &patience,
                            std::string &problem) {
  jobs_ = 0;
  milliseconds pause = kFirstPause;
  for (int starts = 1;; starts++, pause *= 2) {
    bool transient = false;
    Start result = Start::failed;
    problem = Child::start({settings.executable, settings.libraryPath, settings.environment}, transient);
    if (problem.empty()) result = greet(settings, confinement, patience, problem, transient);
    if (result == Start::ready) return result;
    end();
    if (result == Start::unconfined && settings.confine == Confine::automatic) continue;
    if (!transient || starts == kMostStarts || Clock::now() + pause >= patience.until()) return result;
    std::this_thread::sleep_for(pause);
  }
}

void Worker::stop(uint64_t sequence) {
  const WorkerStop message{sequence};
  tell(&message, sizeof message);
}

Worker::Start Worker::greet(const WorkerSettings &settings, Confinement &confinement, const Patience &patience,
                            std::string &problem, bool &transient) {
  const bool confine = settings.confine == Confine::required ||
                       (settings.confine == Confine::automatic && confinement.state() != Confinement::State::off);
  const auto unconfined = [&](const std::string &reason) {
    problem = "it can't be confined here: " + reason;
    // Where workers could be, it is a shortage.
    transient = !confinement.found(Confinement::State::off, reason);
    return transient ? Start::failed : Start::unconfined;
  };
  WorkerOpening opening{};
  opening.protocol = kWorkerProtocol;
  opening.confine = confine ? 1 : 0;
  opening.memoryLimit = settings.memoryLimit;
  opening.probe = confinement.state() == Confinement::State::unknown ? 1 : 0;
  const Piece piece{&opening, sizeof opening};
  // It always fits. If the worker is gone, reading finds out.
  send(&piece, 1);

  WorkerGreeting greeting{};
  auto *into = reinterpret_cast<char *>(&greeting);
  std::size_t got = 0;
  while (got < sizeof greeting) {
    if (patience.over()) {
      problem = "the worker did not start in time";
      return Start::late;
    }
    const Ready ready = wait(false, patience.milliseconds());
    if (ready.failed) {
      problem = "the worker can't be waited for";
      return Start::failed;
    }
    if (!ready.toRead) continue;
    const long count = receive(into + got, sizeof greeting - got);
    if (count < 0) {
      const Ended ended = end();
      problem = "the worker " + ended.words("at its start ");
      if (confine && ended.signal == kForbidden) return unconfined(problem);
      return ended.signal != 0 ? Start::killed : Start::failed;
    }
    got += static_cast<std::size_t>(count);
  }
  greeting.problem[sizeof greeting.problem - 1] = '\0';
  problem = greeting.problem;
  if (greeting.protocol != kWorkerProtocol) {
    problem = "the worker is of another build";
    return Start::failed;
  }
  transient = greeting.state == WorkerState::shortage;
  if (greeting.state != WorkerState::ready) return Start::failed;
  confined_ = greeting.confined != 0;
  if (confine && !confined_) {
    const Start result = unconfined(problem);
    if (settings.confine == Confine::required || result == Start::failed) return result;
  } else if (confine) {
    confinement.found(Confinement::State::on, "");
  }
  return Start::ready;
}

std::string tryConfinement(const WorkerSettings &settings) {
  WorkerSettings confined = settings;
  confined.confine = Confine::required;
  Confinement confinement;
  Worker worker;
  std::string problem;
  worker.start(confined, confinement, Patience(), problem);
  return problem;
}

}  // namespace mmptx
