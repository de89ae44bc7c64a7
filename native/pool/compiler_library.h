// Our compiler library. Its symbols are looked up one by one, starting with the version number of the interface: under
// another version the other symbols may have changed.
#pragma once

#include "library.h"
#include "shared_library.h"

namespace mmptx {

// Null if it cannot be used; `error` names a missing symbol.
std::unique_ptr<Library> openCompilerLibrary(const std::string &path, const SharedLibrary &shared, std::string &error);

}  // namespace mmptx
