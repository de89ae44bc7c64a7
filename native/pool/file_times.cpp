// Most texts have no such directive, which one vectorized pass finds out. The others are read by token, because the word
// may also appear in a comment or a string.
#include "file_times.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lexing.h"

namespace mmptx {
namespace {

constexpr std::string_view kDirective = ".file";

struct Edit {
  std::size_t at;
  std::size_t removed;
  std::string_view inserted;
};

bool mayHaveDirective(std::string_view text) {
  constexpr std::size_t kBlock = 256;
  std::size_t at = 0;
  for (; at + kBlock + kDirective.size() <= text.size(); at += kBlock) {
    unsigned char seen = 0;
    for (std::size_t i = at; i < at + kBlock; i++) {
      seen |= static_cast<unsigned char>((text[i] == '.') & (text[i + 1] == 'f') & (text[i + 4] == 'e'));
    }
    if (seen != 0 && text.substr(at, kBlock + kDirective.size() - 1).find(kDirective) != text.npos) return true;
  }
  return text.find(kDirective, at) != text.npos;
}

int digitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Whether a word is a number that the compiler does not take for a time: 0, or at least 2^63.
bool isNoTime(std::string_view word) {
  if (!word.empty() && word.back() == 'U') word.remove_suffix(1);
  uint64_t base = 10;
  if (word.size() > 1 && word[0] == '0') {
    const bool hexadecimal = word[1] == 'x' || word[1] == 'X';
    const bool binary = word[1] == 'b' || word[1] == 'B';
    base = hexadecimal ? 16 : binary ? 2 : 8;
    word.remove_prefix(hexadecimal || binary ? 2 : 1);
  }
  if (word.empty()) return false;
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  uint64_t value = 0;
  for (const char c : word) {
    const int digit = digitValue(c);
    if (static_cast<uint64_t>(digit) >= base) return false;
    // Stays at the limit once it is reached.
    if (value < kLimit) value = value > (kLimit - 1) / base ? kLimit : value * base + static_cast<uint64_t>(digit);
  }
  return value == 0 || value >= kLimit;
}

class Directives {
 public:
  explicit Directives(std::string_view text) : text_(text) {}

  std::vector<Edit> edits() {
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      if (c == '"') {
        at = stringEnd(text_.data(), text_.size(), at);
      } else if (c == '/') {
        const std::size_t end = commentEnd(text_.data(), text_.size(), at);
        at = end > at ? end : at + 1;
      } else if (c == '.' && text_.compare(at, kDirective.size(), kDirective) == 0) {
        at = readDirective(at + kDirective.size());
      } else {
        at++;
      }
    }
    return std::move(edits_);
  }

 private:
  // Returns where to continue.
  std::size_t readDirective(std::size_t at) {
    const std::size_t number = afterSpace(at);
    const std::size_t numberEnd = wordEnd(number);
    // Without space, the directive is another one, such as `.files`.
    if (number == at || numberEnd == number) return number;
    const std::size_t path = afterSpace(numberEnd);
    if (path == text_.size() || text_[path] != '"') return number;
    const std::size_t pathEnd = stringEnd(text_.data(), text_.size(), path);
    if (pathEnd == path + 1 || text_[pathEnd - 1] != '"') return pathEnd;
    const std::size_t comma = afterSpace(pathEnd);
    if (comma == text_.size() || text_[comma] != ',') {
      edits_.push_back({pathEnd, 0, ", 1, 1"});
      return comma;
    }
    const std::size_t time = afterSpace(comma + 1);
    const std::size_t timeEnd = wordEnd(time);
    if (isNoTime(text_.substr(time, timeEnd - time))) edits_.push_back({time, timeEnd - time, "1"});
    return timeEnd;
  }

  // The next place without space or a comment.
  std::size_t afterSpace(std::size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        at++;
        continue;
      }
      const std::size_t end = commentEnd(text_.data(), text_.size(), at);
      if (end == at) break;
      at = end;
    }
    return at;
  }

  std::size_t wordEnd(std::size_t at) const {
    while (at < text_.size() && isWordByte(text_[at])) at++;
    return at;
  }

  const std::string_view text_;
  std::vector<Edit> edits_;
};

}  // namespace

void stateFileTimes(std::string &ptx) {
  const std::string_view text = ptx;
  if (!mayHaveDirective(text)) return;
  const std::vector<Edit> edits = Directives(text).edits();
  if (edits.empty()) return;
  std::string changed;
  changed.reserve(text.size() + 8 * edits.size());
  std::size_t from = 0;
  for (const Edit &edit : edits) {
    changed.append(text, from, edit.at - from).append(edit.inserted);
    from = edit.at + edit.removed;
  }
  changed.append(text, from);
  ptx = std::move(changed);
}

}  // namespace mmptx
