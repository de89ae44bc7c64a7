#include "compiler_library.h"

namespace mmptx {
namespace {

struct Functions {
  decltype(&mmptxc_abi) abi = nullptr;
  decltype(&mmptxc_version) version = nullptr;
  decltype(&mmptxc_ptx_versions) ptxVersions = nullptr;
  decltype(&mmptxc_compile) compile = nullptr;
  decltype(&mmptxc_release) release = nullptr;
};

bool resolveAll(const SharedLibrary &shared, Functions &functions, std::string &error) {
  if (!shared.resolve("mmptxc_abi", functions.abi, error)) return false;
  const int32_t abi = functions.abi();
  if (abi != MMPTXC_ABI) {
    error = "expected compiler interface " + std::to_string(MMPTXC_ABI) + ", found " + std::to_string(abi);
    return false;
  }
  return shared.resolve("mmptxc_version", functions.version, error) &&
         shared.resolve("mmptxc_ptx_versions", functions.ptxVersions, error) &&
         shared.resolve("mmptxc_compile", functions.compile, error) &&
         shared.resolve("mmptxc_release", functions.release, error);
}

class CompilerLibrary final : public Library {
 public:
  CompilerLibrary(const std::string &path, const Functions &functions) : Library(path), f_(functions) {}

  std::string version() const override { return f_.version(); }

  std::vector<std::pair<int, int>> ptxVersions() const override {
    std::vector<int32_t> numbers(2 * f_.ptxVersions(nullptr, 0));
    f_.ptxVersions(reinterpret_cast<int32_t(*)[2]>(numbers.data()), numbers.size() / 2);
    std::vector<std::pair<int, int>> versions;
    for (std::size_t i = 0; i < numbers.size(); i += 2) versions.emplace_back(numbers[i], numbers[i + 1]);
    return versions;
  }

  bool looksForFiles() const override { return false; }

  int32_t compile(const char *ptx, std::size_t size, const char *arguments, const volatile int32_t *cancel,
                  mmptxc_result *result) const override {
    return f_.compile(ptx, size, arguments, cancel, result);
  }

  void release(mmptxc_result *result) const override { f_.release(result); }

 private:
  const Functions f_;
};

}  // namespace

std::unique_ptr<Library> openCompilerLibrary(const std::string &path, const SharedLibrary &shared, std::string &error) {
  Functions functions;
  if (!resolveAll(shared, functions, error)) return nullptr;
  return std::make_unique<CompilerLibrary>(path, functions);
}

}  // namespace mmptx
