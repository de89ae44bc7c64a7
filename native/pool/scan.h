// Input that must never reach the compiler, because it crashes on it instead of rejecting it.
#pragma once

#include <cstddef>

namespace mmptx {

enum class Refusal { none = 0, empty = 1, nul = 2, nonAscii = 3, longToken = 4 };

struct Scan {
  Refusal refusal = Refusal::none;
  // The offset of the first offending byte; for a long token, that of its beginning.
  std::size_t offset = 0;
};

// The compiler's log buffer overflows at messages of about 100,000 bytes, and messages quote tokens.
constexpr std::size_t kMaxTokenBytes = 64 * 1024;

Scan scanPtx(const char *text, std::size_t size);

}  // namespace mmptx
