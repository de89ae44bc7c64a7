// A compiler that repeats itself, or a worker that was taken over, must not fill the memory of those who read its logs.
#pragma once

#include <cstddef>

#include "mmptxc.h"

namespace mmptx {

// The maximum length of a log for PTX of this size in bytes. It leaves ample room for one line about each kernel or each
// mistake, and is never more than a caller can read at once.
std::size_t longestLog(std::size_t ptxSize);

// Cuts longer logs after a whole line, and says how much is missing.
void cutLogs(mmptxc_result &result, std::size_t ptxSize);

}  // namespace mmptx
