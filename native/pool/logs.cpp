#include "logs.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace mmptx {
namespace {

constexpr std::size_t kAllowance = 1 << 20;
// Whatever the PTX: the event loop reads a log of this size in a fraction of a second, and both together fit into a text.
constexpr std::size_t kLongest = 16 << 20;
constexpr std::size_t kPerByte = 32;
constexpr std::size_t kNoteSize = 80;

void cut(char *log, std::size_t &size, std::size_t most) {
  if (size <= most) return;
  const std::size_t room = most - kNoteSize;
  const std::size_t newline = std::string_view(log, room).rfind('\n');
  const bool whole = newline != std::string_view::npos;
  const std::size_t kept = whole ? newline + 1 : room;
  const int note = std::snprintf(log + kept, kNoteSize, "%s(%zu more bytes of this log were dropped)\n",
                                 whole ? "" : "\n", size - kept);
  size = kept + static_cast<std::size_t>(note);
}

}  // namespace

std::size_t longestLog(std::size_t ptxSize) { return std::min(kLongest, kAllowance + kPerByte * ptxSize); }

void cutLogs(mmptxc_result &result, std::size_t ptxSize) {
  const std::size_t most = longestLog(ptxSize);
  cut(result.info_log, result.info_log_size, most);
  cut(result.error_log, result.error_log_size, most);
}

}  // namespace mmptx
