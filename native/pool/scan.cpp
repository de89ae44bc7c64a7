// Scans the text in one pass, whatever it contains. The scan runs on the compiling thread before each compile, and must
// be much faster than the compiler.
#include "scan.h"

#include <cstdint>
#include <cstring>

#include "lexing.h"

namespace mmptx {
namespace {

// Eight bytes at a time; the compiler vectorizes the loop further.
std::size_t firstNonAscii(const char *text, std::size_t size) {
  constexpr std::size_t kBlock = 256;
  std::size_t at = 0;
  for (; at + kBlock <= size; at += kBlock) {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBlock; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, text + at + i, 8);
      seen |= word;
    }
    if ((seen & 0x8080808080808080u) != 0) break;
  }
  while (at < size && (static_cast<unsigned char>(text[at]) & 0x80u) == 0) at++;
  return at;
}

// The end of the word, string or other single byte at `at`, where no comment starts.
std::size_t tokenEnd(const char *text, std::size_t size, std::size_t at) {
  if (text[at] == '"') return stringEnd(text, size, at);
  std::size_t end = at;
  while (end < size && isWordByte(text[end])) end++;
  return end == at ? at + 1 : end;
}

}  // namespace

Scan scanPtx(const char *text, std::size_t size) {
  if (size == 0) return {Refusal::empty, 0};
  const void *nul = std::memchr(text, 0, size);
  const std::size_t nulAt = nul == nullptr ? size : static_cast<std::size_t>(static_cast<const char *>(nul) - text);
  const std::size_t nonAsciiAt = firstNonAscii(text, nulAt);
  if (nonAsciiAt < nulAt) return {Refusal::nonAscii, nonAsciiAt};
  if (nulAt < size) return {Refusal::nul, nulAt};
  // Only a text longer than the limit can contain a token longer than the limit.
  if (size <= kMaxTokenBytes) return {};
  for (std::size_t at = 0; at < size;) {
    const std::size_t comment = commentEnd(text, size, at);
    if (comment > at) {
      at = comment;
      continue;
    }
    const std::size_t end = tokenEnd(text, size, at);
    if (end - at > kMaxTokenBytes) return {Refusal::longToken, at};
    at = end;
  }
  return {};
}

}  // namespace mmptx
