// Symbols are looked up one by one, starting with the version number of the interface: under another version the other
// symbols may have changed. The error names a missing symbol.
#include "library.h"

#include <map>
#include <memory>
#include <mutex>

#include "process.h"

namespace mmptx {
namespace {

template <typename Function>
bool resolve(void *handle, const char *name, Function &function, std::string &error) {
  function = reinterpret_cast<Function>(symbolOf(handle, name));
  if (function != nullptr) return true;
  error = std::string("the library has no function ") + name;
  return false;
}

bool resolveAll(void *handle, Library &library, std::string &error) {
  if (!resolve(handle, "mmptxc_abi", library.abi, error)) return false;
  const int32_t abi = library.abi();
  if (abi != MMPTXC_ABI) {
    error = "expected compiler interface " + std::to_string(MMPTXC_ABI) + ", found " + std::to_string(abi);
    return false;
  }
  return resolve(handle, "mmptxc_version", library.version, error) &&
         resolve(handle, "mmptxc_ptx_versions", library.ptxVersions, error) &&
         resolve(handle, "mmptxc_compile", library.compile, error) &&
         resolve(handle, "mmptxc_release", library.release, error);
}

}  // namespace

const Library *openLibrary(const std::string &path, std::string &error) {
  // Never destroyed: detached threads may outlive the process's static objects.
  static auto *mutex = new std::mutex;
  static auto *opened = new std::map<std::string, std::unique_ptr<Library>>;
  std::lock_guard<std::mutex> lock(*mutex);
  auto found = opened->find(path);
  if (found != opened->end()) return found->second.get();
  void *handle = openShared(path, error);
  if (handle == nullptr) return nullptr;
  auto library = std::make_unique<Library>();
  library->path = path;
  if (!resolveAll(handle, *library, error)) {
    closeShared(handle);
    return nullptr;
  }
  return opened->emplace(path, std::move(library)).first->second.get();
}

}  // namespace mmptx
