// NVIDIA's driver, located at run time. A missing driver is a result and not a failure. Functions are looked up one by
// one when they are first called, so a driver that lacks some still serves for all others.
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
  // Opens the library at `path`; an empty path, or the bare name, selects the system's driver. If no library can be
  // opened, returns null and lists every attempt in `error`. A library that was opened stays open and is never destroyed.
  static Driver *open(const std::string &path, std::string &error);

  // Null if this driver has no such function.
  template <typename Pointer>
  Pointer find(Function function) {
    return reinterpret_cast<Pointer>(symbol(function));
  }

  // Calls it with the arguments of its signature; returns `kMissing` if this driver has no such function.
  template <typename... Arguments>
  int call(Function function, Arguments... arguments) {
    const auto pointer = find<int(MMPTX_DRIVER_CALL *)(Arguments...)>(function);
    return pointer == nullptr ? kMissing : pointer(arguments...);
  }

  // The name of a failure, its text, and the function that reported it, separated by NULs. For a missing function: its
  // name and the CUDA release that introduced it.
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
