// A worker process from its start to its greeting: who waits for it and how long, and whether it is confined.
#pragma once

#include <cstdint>
#include <string>

#include "child.h"
#include "job.h"
#include "worker_process.h"

namespace mmptx {

// How long somebody waits for a worker to start.
class Patience {
 public:
  Patience();
  // As long as the job's time limit allows.
  explicit Patience(const Job &job);

  // Whether the time is over, or the job was cancelled.
  bool over() const;
  Clock::time_point until() const { return until_; }
  // For `poll`.
  int milliseconds() const;

 private:
  Clock::time_point until_;
  const Job *job_ = nullptr;
};

inline bool isCancelled(const Job &job) { return __atomic_load_n(&job.cancel, __ATOMIC_RELAXED) != 0; }

// A child that has sent its greeting.
class Worker : public Child {
 public:
  enum class Start {
    ready,
    failed,
    // The patience was over.
    late,
    // A signal ended it before it had started, so no job is to blame.
    killed,
    // It can't be confined here.
    unconfined,
  };

  // Unless it is ready, `problem` has the reason.
  Start start(const WorkerSettings &settings, Confinement &confinement, const Patience &patience, std::string &problem);
  void stop(uint64_t sequence);

  unsigned jobs() const { return jobs_; }
  void countJob() { jobs_++; }
  bool confined() const { return confined_; }

 private:
  Start greet(const WorkerSettings &settings, Confinement &confinement, const Patience &patience, std::string &problem,
              bool &transient);

  unsigned jobs_ = 0;
  bool confined_ = false;
};

}  // namespace mmptx
