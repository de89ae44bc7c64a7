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
  /** An address in the exported function that the program has called. */
  uint64_t entered = 0;
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

/** An address of the program's code, and the executable or library that it is in. */
struct Frame {
  uint64_t address;
  /** Undefined as long as `path` is null. */
  uint64_t base;
  const char* path;
};

struct Frames {
  Frame all[MOST_CALLS];
  int count;
};

/** Finds the frames that are in an executable or library. Unlike `dladdr`, this does not search its symbols. */
int locate(dl_phdr_info* module, size_t, void* given) {
  auto& frames = *static_cast<Frames*>(given);
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const auto& part = module->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uint64_t begin = module->dlpi_addr + part.p_vaddr;
    for (int k = 0; k < frames.count; k++) {
      auto& [address, base, path] = frames.all[k];
      if (address - begin >= part.p_memsz) continue;
      base = module->dlpi_addr;
      path = module->dlpi_name;
    }
  }
  return 0;
}

/** The frame of a function of this library. */
const Frame& own_frame() {
  static const Frame found = [] {
    Frames frames{{{reinterpret_cast<uint64_t>(&add_calls), 0, nullptr}}, 1};
    dl_iterate_phdr(locate, &frames);
    return frames.all[0];
  }();
  return found;
}

Calls find_calls() {
  void* found[MOST_CALLS];
  Frames frames{};
  frames.count = backtrace(found, MOST_CALLS);
  // A call is before the address to which it returns.
  for (int i = 0; i < frames.count; i++) frames.all[i].address = reinterpret_cast<uint64_t>(found[i]) - 1;
  dl_iterate_phdr(locate, &frames);
  Calls calls;
  for (int i = 0; i < frames.count; i++) {
    const auto& [address, base, path] = frames.all[i];
    if (path == nullptr) continue;
    if (base == own_frame().base) {
      if (calls.of_program.empty()) calls.entered = address;
      continue;
    }
    calls.of_program.push_back({address - base, *path == '\0' ? own_path() : std::string(path)});
  }
  return calls;
}

/** The name of the exported function that has an address. */
std::string exported_function(uint64_t address) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0 || info.dli_sname == nullptr) return "";
  return info.dli_sname;
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
  append_text(message, documented(exported_function(calls.entered)));
  append_text(message, cudaGetErrorName(error));
  append_text(message, cudaGetErrorString(error));
  append(message, calls);
  post(message);
}

}  // namespace cudart
