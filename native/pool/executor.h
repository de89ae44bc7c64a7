// Where jobs are compiled. Each thread of a pool has its own executor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "finished.h"
#include "job.h"

namespace mmptx {

class Executor {
 public:
  virtual ~Executor() = default;

  // Prepares for the job's compile. This time does not count towards the job's timeout, but has a limit of its own.
  virtual void prepare(const Job &) {}

  // Compiles `ptx` as the job asks. `job.cancel` ends it early, if the compiler checks it in time; nobody uses `result`
  // then.
  virtual void run(const Job &job, const std::string &ptx, Finished &result) = 0;

  // Called on any thread after `job.cancel` was set.
  virtual void wake() {}
};

using MakeExecutor = std::function<std::unique_ptr<Executor>()>;

}  // namespace mmptx
