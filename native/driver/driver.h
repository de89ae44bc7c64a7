// NVIDIA's driver, found at run time. Nothing here fails because there is none: it is asked for, and says so. Functions are
// looked up one by one when they are first called, so that a driver that lacks some serves for all others.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "functions.h"

namespace mmptx {

#ifdef _WIN32
#define MMPTX_DRIVER_CALL __stdcall
#else
#define MMPTX_DRIVER_CALL
#endif

class Driver {
 public:
  // The library at `path`; empty, or its name alone: where the system has it. Null, with every try in `error`. What was
  // opened once stays open, and is never destroyed.
  static Driver *open(const std::string &path, std::string &error);

  // Null where this driver has no such function.
  template <typename Pointer>
  Pointer find(Function function) {
    return reinterpret_cast<Pointer>(symbol(function));
  }

  // Calls it with what its signature says; `kMissing` where this driver has no such function.
  template <typename... Arguments>
  int call(Function function, Arguments... arguments) {
    const auto pointer = find<int(MMPTX_DRIVER_CALL *)(Arguments...)>(function);
    return pointer == nullptr ? kMissing : pointer(arguments...);
  }

  // A failure's name, its text, and the function that it is of, with zeros between them. Of a function that is missing its
  // name, and the release of CUDA that brought it.
  std::string words(int status, Function function);

  static constexpr int kMissing = -1;

 private:
  explicit Driver(void *library) : library_(library) {}
  void *symbol(Function function);
  void *lookUp(const FunctionInfo &info);

  void *library_;
  std::array<std::atomic<void *>, static_cast<std::size_t>(Function::count)> found_{};
};

}  // namespace mmptx
