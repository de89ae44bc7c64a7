#include "driver.h"

#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "process.h"

namespace mmptx {
namespace {

constexpr FunctionInfo kFunctions[] = {
#define MMPTX_ROW(name, symbol, version) {#name, symbol, version},
    MMPTX_DRIVER_FUNCTIONS(MMPTX_ROW)
#undef MMPTX_ROW
};

// Windows finds its own driver by name. The second place is used by Linux under Windows (WSL).
#ifdef _WIN32
constexpr const char *kPlaces[] = {"nvcuda.dll"};
#else
constexpr const char *kPlaces[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
#endif

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Marks a function that was looked up and is missing.
void *const kNone = const_cast<FunctionInfo *>(kFunctions);

}  // namespace

const FunctionInfo &infoOf(Function function) { return kFunctions[static_cast<std::size_t>(function)]; }

Driver *Driver::open(const std::string &path, std::string &error) {
  static auto *mutex = new std::mutex;
  static auto *opened = new std::map<std::string, Driver *>;
  std::lock_guard<std::mutex> lock(*mutex);
  if (const auto found = opened->find(path); found != opened->end()) return found->second;
  // The bare name also means the system's driver.
  const bool systems = path.empty() || path == kPlaces[0];
  const std::vector<std::string> places =
      systems ? std::vector<std::string>(std::begin(kPlaces), std::end(kPlaces)) : std::vector<std::string>{path};
  std::string tries;
  for (const std::string &place : places) {
    std::string why;
    if (void *library = openShared(place, why)) {
      return opened->emplace(path, new Driver(library)).first->second;
    }
    tries += (tries.empty() ? "" : "\n") + why;
  }
  error = tries;
  return nullptr;
}

void *Driver::symbol(Function function) {
  std::atomic<void *> &slot = found_[static_cast<std::size_t>(function)];
  void *found = slot.load(std::memory_order_acquire);
  if (found == nullptr) {
    // Two threads that look it up at the same time find the same function.
    found = lookUp(infoOf(function));
    slot.store(found == nullptr ? kNone : found, std::memory_order_release);
  }
  return found == kNone ? nullptr : found;
}

// The driver's own lookup takes a name and the release whose signature is meant. Drivers before 11.3 do not have it,
// and a driver whose lookup does not find a function may still export its symbol.
void *Driver::lookUp(const FunctionInfo &info) {
  using Search2 = int(MMPTX_DRIVER_CALL *)(const char *, void **, int, unsigned long long, int *);
  using Search1 = int(MMPTX_DRIVER_CALL *)(const char *, void **, int, unsigned long long);
  void *found = nullptr;
  int outcome = 0;
  if (const auto search2 = reinterpret_cast<Search2>(symbolOf(library_, "cuGetProcAddress_v2"))) {
    if (search2(info.name, &found, info.version, 0, &outcome) != 0) found = nullptr;
  } else if (const auto search1 = reinterpret_cast<Search1>(symbolOf(library_, "cuGetProcAddress"))) {
    if (search1(info.name, &found, info.version, 0) != 0) found = nullptr;
  }
  return found != nullptr ? found : symbolOf(library_, info.symbol);
}

std::string Driver::words(int status, Function function) {
  const std::string zero(1, '\0');
  const FunctionInfo &info = infoOf(function);
  if (status == kMissing) return info.name + zero + versionText(info.version);
  const char *name = nullptr;
  const char *text = nullptr;
  call(Function::cuGetErrorName, status, &name);
  call(Function::cuGetErrorString, status, &text);
  return (name == nullptr ? "" : name) + zero + (text == nullptr ? "" : text) + zero + info.name;
}

}  // namespace mmptx
