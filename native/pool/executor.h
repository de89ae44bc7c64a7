// Where jobs are compiled. Each thread of a pool has an executor of its own.
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

  // Makes ready for a compile whose time is not counted yet.
  virtual void prepare() {}

  // Compiles `ptx` as the job asks. `job.cancel` ends it early, if the compiler asks in time; what is in `result` then
  // is nobody's.
  virtual void run(const Job &job, const std::string &ptx, Finished &result) = 0;

  // Called on any thread after `job.cancel` was set.
  virtual void wake() {}
};


using MakeExecutor = std::function<std::unique_ptr<Executor>()>;

}  // namespace mmptx
