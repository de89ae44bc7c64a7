// A compiler that repeats itself, or a worker that was taken over, must not fill the memory of those who read its logs.
#pragma once

#include <cstddef>

#include "mmptxc.h"

namespace mmptx {

// No log of a compile of so many bytes of PTX is longer: one line on each kernel or each mistake, and a
// large allowance; and none is longer than a caller can read at once.
std::size_t longestLog(std::size_t ptxSize);

// Cuts longer logs after a whole line, and says how much is missing.
void cutLogs(mmptxc_result &result, std::size_t ptxSize);

}  // namespace mmptx
