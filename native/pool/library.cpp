#include "library.h"

#include <map>
#include <mutex>

#include "compiler_library.h"
#include "ptx_linker.h"
#include "shared_library.h"

namespace mmptx {
namespace {

// Each kind of library is recognized by a function that it has.
std::unique_ptr<Library> openKind(const std::string &path, std::string &error) {
  const SharedLibrary shared(path, {}, error);
  if (!error.empty()) return nullptr;
  return isPtxLinker(shared) ? openPtxLinker(path, error) : openCompilerLibrary(path, shared, error);
}

}  // namespace

const Library *openLibrary(const std::string &path, std::string &error) {
  // Never destroyed: detached threads may outlive the process's static objects.
  static auto *mutex = new std::mutex;
  static auto *opened = new std::map<std::string, std::unique_ptr<Library>>;
  std::lock_guard<std::mutex> lock(*mutex);
  auto found = opened->find(path);
  if (found != opened->end()) return found->second.get();
  std::unique_ptr<Library> library = openKind(path, error);
  if (library == nullptr) return nullptr;
  return opened->emplace(path, std::move(library)).first->second.get();
}

}  // namespace mmptx
