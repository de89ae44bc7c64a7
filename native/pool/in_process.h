// The compiler library on the pool's own threads. There is no overhead between the job and the compiler, and no
// protection of the process from a compiler that crashes.
#pragma once

#include "executor.h"

namespace mmptx {

std::unique_ptr<Executor> inProcessExecutor(const Library &library);

}  // namespace mmptx
