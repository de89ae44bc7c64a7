// One call of an NVIDIA library that may crash or hang, in a separate process.
#pragma once

#include <cstdint>

namespace mmptx {

// The exit code of a process whose resident size exceeded its limit.
constexpr int kToolkitOutgrown = 77;

// The number of files that it is given: the standard ones, and descriptor 3.
constexpr int kToolkitFiles = 4;

// Reads a request from standard input, replies on descriptor 3, and returns the process's exit code. If standard input
// is closed before the reply, the process ends, because the process that asked is gone. A limit of 0 means no limit.
// `howToConfine` is "no", "auto" or "required".
int serveToolkit(uint64_t memoryLimit, const char *howToConfine);

}  // namespace mmptx
