#include "shared_library.h"

#include <dlfcn.h>

namespace mmptx {

SharedLibrary::SharedLibrary(const std::string &path, const std::vector<std::string> &companions, std::string &error) {
  // One that does not open is no reason to stop: the library says itself what it misses.
  for (const std::string &companion : companions) dlopen(companion.c_str(), RTLD_NOW | RTLD_LOCAL);
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return;
  const char *reason = dlerror();
  error = reason == nullptr ? "dlopen failed" : reason;
}

void *SharedLibrary::symbol(const char *name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace mmptx
