// The compiler library as the pool sees it: a table of functions found in a shared object at run time. Once opened, a
// library stays open for the life of the process, because threads may still run in it when everything else is gone.
#pragma once

#include <string>

#include "mmptxc.h"

namespace mmptx {

struct Library {
  std::string path;
  decltype(&mmptxc_abi) abi = nullptr;
  decltype(&mmptxc_version) version = nullptr;
  decltype(&mmptxc_ptx_versions) ptxVersions = nullptr;
  decltype(&mmptxc_compile) compile = nullptr;
  decltype(&mmptxc_release) release = nullptr;
};

// The library at `path`, opened at most once per process. Returns nullptr and fills `error` if it cannot be used.
const Library *openLibrary(const std::string &path, std::string &error);

}  // namespace mmptx
