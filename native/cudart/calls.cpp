#include "calls.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <string>

#include "errors.h"

namespace cudart {
namespace {

/** Libraries such as Thrust have many calls between the program and an allocation. */
constexpr int MOST_CALLS = 40;

/** The calls that lead to a place in this library. */
struct Calls {
  /** The exported function that the program has called. */
  std::string function;
  struct Call {
    uint64_t address;
    std::string path;
  };
  /** Those of the program, the innermost first. */
  std::vector<Call> of_program;
};

/** The executable, which the dynamic linker has no path for. */
const std::string& own_path() {
  static const auto* made = [] {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return new std::string(path, length > 0 ? static_cast<size_t>(length) : 0);
  }();
  return *made;
}

const void* own_base() {
  static const void* base = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&add_calls), &info);
    return info.dli_fbase;
  }();
  return base;
}

Calls find_calls() {
  void* found[MOST_CALLS];
  const int count = backtrace(found, MOST_CALLS);
  Calls calls;
  for (int i = 0; i < count; i++) {
    // A call is before the address to which it returns.
    const auto address = reinterpret_cast<uint64_t>(found[i]) - 1;
    Dl_info info{};
    link_map* map = nullptr;
    auto** extra = reinterpret_cast<void**>(&map);
    if (dladdr1(reinterpret_cast<void*>(address), &info, extra, RTLD_DL_LINKMAP) == 0 || map == nullptr) continue;
    if (info.dli_fbase == own_base()) {
      if (calls.of_program.empty() && info.dli_sname != nullptr) calls.function = info.dli_sname;
      continue;
    }
    const bool is_executable = map->l_name == nullptr || *map->l_name == '\0';
    calls.of_program.push_back(
        {address - static_cast<uint64_t>(map->l_addr), is_executable ? own_path() : std::string(map->l_name)});
  }
  return calls;
}

void append_text(Message& message, const std::string& text) {
  message.add(static_cast<uint32_t>(text.size())).add(text.data(), text.size());
}

void append(Message& message, const Calls& calls) {
  for (const auto& [address, path] : calls.of_program) append_text(message.add(address), path);
}

/** The documented name of a function, which may have underscores before it or a suffix for the per-thread default stream. */
std::string documented(const std::string& name) {
  const size_t begin = name.rfind("__", 0) == 0 ? 2 : 0;
  const size_t suffix = name.rfind("_pt");
  return name.substr(begin, suffix == std::string::npos ? suffix : suffix - begin);
}

}  // namespace

void add_calls(Message& message) {
  if ((device().wishes & WANTS_CALLS) != 0) append(message, find_calls());
}

void report_error(Error error) {
  // After a kernel has failed, every function returns its error.
  if ((device().wishes & WANTS_ERRORS) == 0 || device_error() != SUCCESS) return;
  const Calls calls = find_calls();
  Message message(Operation::REPORT_ERROR);
  append_text(message, documented(calls.function));
  append_text(message, cudaGetErrorName(error));
  append_text(message, cudaGetErrorString(error));
  append(message, calls);
  post(message);
}

}  // namespace cudart
