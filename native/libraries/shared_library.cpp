#include "shared_library.h"

#include "process.h"

namespace mmptx {

SharedLibrary::SharedLibrary(const std::string &path, const std::vector<std::string> &companions, std::string &error) {
  // A companion that does not open is no reason to stop: the library itself reports what it lacks.
  std::string unheard;
  for (const std::string &companion : companions) openShared(companion, unheard);
  handle_ = openShared(path, error);
}

void *SharedLibrary::symbol(const char *name) const { return handle_ == nullptr ? nullptr : symbolOf(handle_, name); }

}  // namespace mmptx
