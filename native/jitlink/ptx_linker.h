// nvJitLink, NVIDIA's linker of device code, as a compiler of PTX: it compiles each text and links it alone. It cannot be
// stopped between the phases of a compile.
#pragma once

#include "library.h"
#include "shared_library.h"

namespace mmptx {

bool isPtxLinker(const SharedLibrary &shared);

// Null if it cannot be used, with the reason in `error`.
std::unique_ptr<Library> openPtxLinker(const std::string &path, std::string &error);

}  // namespace mmptx
