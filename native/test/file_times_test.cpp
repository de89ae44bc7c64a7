// The cases are those of the implementation in TypeScript. Each has two lines: a text, and what becomes of it.
#include "file_times.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "check.h"

using check::below;

namespace {

std::string unescaped(const std::string &line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); i++) {
    if (line[i] != '\\') {
      text += line[i];
      continue;
    }
    switch (line[++i]) {
      case 'n': text += '\n'; break;
      case 't': text += '\t'; break;
      case 'r': text += '\r'; break;
      case 'f': text += '\f'; break;
      default: text += line[i];
    }
  }
  return text;
}

std::string stated(std::string text) {
  // Of exactly this size, so that a sanitizer detects a read beyond it.
  text.shrink_to_fit();
  mmptx::stateFileTimes(text);
  return text;
}

}  // namespace

TEST("file times: directives without a time get one") {
  std::ifstream file(MMPTX_TEST_FILE_TIMES);
  std::string before;
  std::string after;
  int count = 0;
  while (std::getline(file, before) && std::getline(file, after)) {
    EXPECT_EQUAL(stated(unescaped(before)), unescaped(after));
    // A second time, nothing is left to do.
    EXPECT_EQUAL(stated(unescaped(after)), unescaped(after));
    count++;
  }
  EXPECT(count > 50);
}

TEST("file times: a directive is found wherever it is") {
  for (std::size_t i = 0; i < check::cases(20000); i++) {
    std::string text(below(1500), ' ');
    const std::size_t at = below(text.size() + 1);
    const std::string directive = below(2) == 0 ? ".file 1 \"a\"" : ".fil 1 \"a\"";
    std::string expected = text;
    text.insert(at, directive);
    expected.insert(at, directive == ".fil 1 \"a\"" ? directive : directive + ", 1, 1");
    EXPECT_EQUAL(stated(text), expected);
  }
}

TEST("file times: line breaks stay, for any bytes") {
  static const char *const kPieces[] = {".file", " ", "1", "0", "\"", "/", "*", "\n", ",", "\\", "a", "//", "/*", "*/"};
  for (std::size_t i = 0; i < check::cases(100000); i++) {
    std::string text;
    for (std::size_t length = below(40); length > 0; length--) text += kPieces[below(sizeof kPieces / sizeof *kPieces)];
    const std::string once = stated(text);
    EXPECT_EQUAL(std::count(once.begin(), once.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    EXPECT(once.size() <= text.size() * 2);
  }
}
