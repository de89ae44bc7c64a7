// What the two sides of a child process agree on.
#pragma once

#include <cstdint>

namespace mmptx {

// The child's descriptors.
constexpr int kChildData = 3;
constexpr int kChildControl = 4;

// The resident size from /proc/PID/statm, which is open as `statm`.
uint64_t residentBytesIn(int statm);

}  // namespace mmptx
