// Texts are in heap blocks of exactly their size, so that a sanitizer detects a read beyond them.
#include "scan.h"

#include <memory>
#include <string>

#include "check.h"

using check::below;
using mmptx::kMaxTokenBytes;
using mmptx::Refusal;
using mmptx::Scan;

namespace {

Scan scan(const std::string &text) {
  const auto exact = std::make_unique<char[]>(text.size());
  text.copy(exact.get(), text.size());
  return mmptx::scanPtx(exact.get(), text.size());
}

void expect(const std::string &text, Refusal refusal, std::size_t offset) {
  const Scan found = scan(text);
  EXPECT_EQUAL(static_cast<int>(found.refusal), static_cast<int>(refusal));
  EXPECT_EQUAL(found.offset, offset);
}

}  // namespace

TEST("scan: rejects input that crashes the compiler, with its place") {
  expect("", Refusal::empty, 0);
  expect(std::string("ab\0c", 4), Refusal::nul, 2);
  expect("// \xc3\xa9", Refusal::nonAscii, 3);
  expect(std::string("a\xff\0", 3), Refusal::nonAscii, 1);
  expect(std::string("a\0\xff", 3), Refusal::nul, 1);
  expect(".version 8.0", Refusal::none, 0);
}

TEST("scan: finds the first bad byte, wherever it is") {
  for (std::size_t i = 0; i < check::cases(20000); i++) {
    std::string text(1 + below(1200), ' ');
    const std::size_t at = below(text.size());
    const bool nul = below(2) == 0;
    text[at] = nul ? '\0' : static_cast<char>(0x80 + below(0x80));
    if (below(2) == 0) text[at + below(text.size() - at)] = '\xff';
    const bool still = nul && text[at] == '\0';
    const bool later = still && text.find('\xff') < at;
    EXPECT(!later);
    expect(text, still ? Refusal::nul : Refusal::nonAscii, at);
  }
}

TEST("scan: a token may be as long as the limit and no longer") {
  const std::string most(kMaxTokenBytes, 'a');
  const std::string within(kMaxTokenBytes - 2, 'a');
  expect("  " + most + " ", Refusal::none, 0);
  expect("  " + most + "b ", Refusal::longToken, 2);
  expect("x " + most + "b", Refusal::longToken, 2);
  expect("x\"" + within + "\" ", Refusal::none, 0);
  expect("x\"" + within + "b\" ", Refusal::longToken, 1);
  expect("x\"" + most, Refusal::longToken, 1);
  expect("\"" + std::string(kMaxTokenBytes, '\\'), Refusal::longToken, 0);
  // The compiler never quotes comments, and a quotation mark in one starts no string.
  expect("//" + most + "b\nx", Refusal::none, 0);
  expect("//" + most + "b", Refusal::none, 0);
  expect("/*" + most + "b*/x", Refusal::none, 0);
  expect("/*" + most + "b", Refusal::none, 0);
  expect("/* \" */" + most + " // \"\n" + most, Refusal::none, 0);
  expect("\"//\"" + most + "b", Refusal::longToken, 4);
  expect(most + "+" + most, Refusal::none, 0);
}

TEST("scan: terminates for any bytes") {
  static const char kPieces[] = "\"\\/*\n a.%_$:0+{}";
  for (std::size_t i = 0; i < check::cases(3000); i++) {
    std::string text;
    while (text.size() <= kMaxTokenBytes) {
      if (below(8) == 0) text.append(below(20000), 'a');
      text += kPieces[below(sizeof kPieces - 1)];
    }
    const Scan found = scan(text);
    EXPECT(found.offset < text.size());
    if (found.refusal == Refusal::none) EXPECT_EQUAL(found.offset, 0u);
    else EXPECT_EQUAL(static_cast<int>(found.refusal), static_cast<int>(Refusal::longToken));
  }
}
