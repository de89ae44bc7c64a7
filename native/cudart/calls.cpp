#include "calls.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <string>

namespace cudart {
namespace {

/** Libraries such as Thrust have many calls between the program and an allocation. */
constexpr int MOST_CALLS = 40;

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

}  // namespace

void add_calls(Message& message) {
  if (device().wants_calls == 0) return;
  void* found[MOST_CALLS];
  const int count = backtrace(found, MOST_CALLS);
  for (int i = 0; i < count; i++) {
    // A call is before the address to which it returns.
    const auto address = reinterpret_cast<uint64_t>(found[i]) - 1;
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) continue;
    if (map == nullptr || info.dli_fbase == own_base()) continue;
    const bool is_executable = map->l_name == nullptr || *map->l_name == '\0';
    const std::string path = is_executable ? own_path() : std::string(map->l_name);
    message.add(address - static_cast<uint64_t>(map->l_addr)).add(static_cast<uint32_t>(path.size()));
    message.add(path.data(), path.size());
  }
}

}  // namespace cudart
