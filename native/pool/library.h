// A compiler of PTX as the pool sees it, in a shared object that is found at run time: our compiler library, or NVIDIA's
// nvJitLink. Once opened, a library stays open for the life of the process, because threads may still run in it when
// everything else is gone.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mmptxc.h"

namespace mmptx {

class Library {
 public:
  explicit Library(std::string path) : path(std::move(path)) {}
  virtual ~Library() = default;
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const std::string path;

  // The full version of the compiler, for example "13.0.88".
  virtual std::string version() const = 0;

  // The PTX ISA versions (major, minor) that it is known to accept, oldest first.
  virtual std::vector<std::pair<int, int>> ptxVersions() const = 0;

  // Whether it looks for files that it does not need, so that a process in which opening a file is the end could not use it.
  virtual bool looksForFiles() const = 0;

  // Compiles as `mmptxc_compile` does, with the same arguments and statuses.
  virtual int32_t compile(const char *ptx, std::size_t size, const char *arguments, const volatile int32_t *cancel,
                          mmptxc_result *result) const = 0;

  // Frees the contents of a result and clears it.
  virtual void release(mmptxc_result *result) const = 0;
};

// The library at `path`, opened at most once per process. Returns nullptr and fills `error` if it cannot be used.
const Library *openLibrary(const std::string &path, std::string &error);

}  // namespace mmptx
