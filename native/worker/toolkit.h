// One call of a library of NVIDIA's that may crash or hang, in a process of its own.
#pragma once

#include <cstdint>

namespace mmptx {

// The exit code of a process that had more bytes in memory than its limit.
constexpr int kToolkitOutgrown = 77;

// Reads a request from standard input, answers on descriptor 3, and returns the process's exit code. The end of standard
// input before the answer ends the process, because whoever asked is gone then. No limit: 0.
int serveToolkit(uint64_t memoryLimit);

}  // namespace mmptx
