// One of NVIDIA's libraries, located at run time. It stays open for the life of the process.
#pragma once

#include <string>
#include <vector>

namespace mmptx {

class SharedLibrary {
 public:
  // `companions` are files that the library opens by name only: once they are open, they are found wherever they are.
  // On failure, `error` has the reason and nothing can be resolved.
  SharedLibrary(const std::string &path, const std::vector<std::string> &companions, std::string &error);

  // Fills `function`. If the library has no function of that name, `error` says so.
  template <typename Function>
  bool resolve(const char *name, Function &function, std::string &error) const {
    function = reinterpret_cast<Function>(symbol(name));
    if (function == nullptr) error = std::string("the library has no function ") + name;
    return function != nullptr;
  }

 private:
  void *symbol(const char *name) const;

  void *handle_ = nullptr;
};

}  // namespace mmptx
