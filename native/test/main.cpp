// Runs the tests whose name contains the first argument, or all of them, and prints a line for each. Exits with 1 if
// one failed.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "check.h"

namespace check {
namespace {

struct Entry {
  std::string name;
  std::function<void()> body;
};

std::vector<Entry> &entries() {
  static std::vector<Entry> all;
  return all;
}

std::atomic<unsigned> failures{0};
std::uint64_t seed = 0;

bool run(const Entry &entry) {
  failures = 0;
  random().seed(seed);
  try {
    entry.body();
  } catch (const std::exception &error) {
    fail(__FILE__, __LINE__, std::string("thrown: ") + error.what());
  }
  if (failures == 0) {
    std::printf("ok %s\n", entry.name.c_str());
  } else {
    std::printf("not ok %s (seed %llu)\n", entry.name.c_str(), static_cast<unsigned long long>(seed));
  }
  std::fflush(stdout);
  return failures == 0;
}

}  // namespace

Test::Test(const char *name, std::function<void()> body) { entries().push_back({name, std::move(body)}); }

void fail(const char *file, int line, const std::string &what) {
  // A failure in a loop is only printed a few times.
  if (failures.fetch_add(1) >= 5) return;
  const char *name = std::strrchr(file, '/');
  std::printf("  %s:%d: %s\n", name == nullptr ? file : name + 1, line, what.c_str());
}

std::size_t cases(std::size_t full) {
  static const bool soak = std::getenv("MM_PTX_SOAK") != nullptr;
  return soak ? full : (full + 9) / 10;
}

std::mt19937_64 &random() {
  static std::mt19937_64 generator;
  return generator;
}

std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random()() % limit); }

std::string setting(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace check

int main(int count, char **words) {
  const std::string part = count > 1 ? words[1] : "";
  const std::string given = check::setting("MM_PTX_TEST_SEED", "");
  check::seed = given.empty() ? std::random_device{}() : std::strtoull(given.c_str(), nullptr, 10);
  unsigned passed = 0;
  unsigned failed = 0;
  for (const check::Entry &entry : check::entries()) {
    if (entry.name.find(part) == std::string::npos) continue;
    (check::run(entry) ? passed : failed)++;
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
