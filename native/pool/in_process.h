// The compiler library on the pool's own threads: nothing between the job and the compiler, and nothing between a compiler
// that crashes and the process.
#pragma once

#include "executor.h"

namespace mmptx {

std::unique_ptr<Executor> inProcessExecutor(const Library &library);

}  // namespace mmptx
