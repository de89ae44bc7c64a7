// The minimal test framework of the native tests: named tests, expectations that any thread may state, and counts that
// follow MM_PTX_SOAK like those of the other tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <sstream>
#include <string>

namespace check {

struct Test {
  Test(const char *name, std::function<void()> body);
};

// Fails the current test and lets it continue.
void fail(const char *file, int line, const std::string &what);

// A tenth of a full count, or all of it in a soak.
std::size_t cases(std::size_t full);

// The same numbers in every run with the same seed, which is printed when a test fails.
std::mt19937_64 &random();
std::size_t below(std::size_t limit);

// The value of an environment variable, or the compiled-in default.
std::string setting(const char *name, const char *otherwise);

template <typename Found, typename Expected>
void expectEqual(const char *file, int line, const char *text, const Found &found, const Expected &expected) {
  if (found == expected) return;
  std::ostringstream words;
  words << text << ": expected " << expected << ", found " << found;
  fail(file, line, words.str());
}

}  // namespace check

#define CHECK_JOIN(a, b) a##b
#define CHECK_NAME(kind, line) CHECK_JOIN(kind, line)
#define TEST(name)                                                                                      \
  static void CHECK_NAME(body_, __LINE__)();                                                            \
  static const check::Test CHECK_NAME(entry_, __LINE__)(name, CHECK_NAME(body_, __LINE__)); \
  static void CHECK_NAME(body_, __LINE__)()

#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition);     \
  } while (false)
#define EXPECT_EQUAL(found, expected) check::expectEqual(__FILE__, __LINE__, #found, (found), (expected))
