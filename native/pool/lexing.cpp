#include "lexing.h"

#include <cstring>

namespace mmptx {
namespace {

std::size_t offsetOr(std::size_t otherwise, const char *text, const void *found) {
  return found == nullptr ? otherwise : static_cast<std::size_t>(static_cast<const char *>(found) - text);
}

}  // namespace

std::size_t stringEnd(const char *text, std::size_t size, std::size_t at) {
  const std::size_t quote = offsetOr(size, text, std::memchr(text + at + 1, '"', size - at - 1));
  return quote == size ? size : quote + 1;
}

std::size_t commentEnd(const char *text, std::size_t size, std::size_t at) {
  if (text[at] != '/' || at + 1 >= size) return at;
  if (text[at + 1] == '/') return offsetOr(size, text, std::memchr(text + at, '\n', size - at));
  if (text[at + 1] != '*') return at;
  for (std::size_t i = at + 2; i + 1 < size; i++) {
    if (text[i] == '*' && text[i + 1] == '/') return i + 2;
  }
  return size;
}

bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.' || c == ':';
}

}  // namespace mmptx
