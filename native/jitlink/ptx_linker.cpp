#include "ptx_linker.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "arguments.h"
#include "jitlink.h"

namespace mmptx {
namespace {

// Of `nvJitLinkResult`.
constexpr int kPtxCompile = 4;
// The name of the text in messages of the linker.
constexpr char kInputName[] = "PTX";

int32_t statusOf(const LinkReply &reply) {
  if (reply.status == 0) return MMPTXC_OK;
  if (reply.errorLog.find("Unsupported .version") != std::string::npos) return MMPTXC_UNSUPPORTED_VERSION;
  return reply.status == kPtxCompile || !reply.errorLog.empty() ? MMPTXC_FAILED : MMPTXC_INTERNAL;
}

// A copy from `malloc`, with a terminating NUL; null if there is no memory.
template <typename Byte>
Byte *copyOf(const std::string &text, std::size_t &size) {
  auto *copy = static_cast<Byte *>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.c_str(), text.size() + 1);
  size = text.size();
  return copy;
}

class PtxLinker final : public Library {
 public:
  PtxLinker(const std::string &path, std::unique_ptr<JitLink> linker) : Library(path), linker_(std::move(linker)) {
    const auto [major, minor] = linker_->version();
    version_ = std::to_string(major) + "." + std::to_string(minor);
    // The full version is only in cubins: `Cuda compilation tools, release 13.0, V13.0.88`.
    const std::string cubin = link(kProbe, {"-arch=sm_75"}).cubin;
    const std::size_t at = cubin.find("V" + version_ + ".");
    if (at != std::string::npos) version_ = cubin.c_str() + at + 1;
  }

  std::string version() const override { return version_; }

  // The linker has no list, but the error about a version names the newest one.
  std::vector<std::pair<int, int>> ptxVersions() const override {
    constexpr char kNewest[] = "current version is '";
    const std::string log = link(".version 99.9\n.target sm_75\n", {"-arch=sm_75"}).errorLog;
    const std::size_t at = log.find(kNewest);
    std::pair<int, int> newest;
    if (at == std::string::npos ||
        std::sscanf(log.c_str() + at + std::strlen(kNewest), "%d.%d", &newest.first, &newest.second) != 2)
      return {};
    return {newest};
  }

  // For the driver.
  bool looksForFiles() const override { return true; }

  int32_t compile(const char *ptx, std::size_t size, const char *arguments, const volatile int32_t *,
                  mmptxc_result *result) const override {
    *result = mmptxc_result{};
    LinkReply reply;
    mmptxc_argument_list list;
    if (mmptxc_list_arguments(arguments, &list)) {
      std::vector<std::string> options{"-verbose", "-Xptxas=--verbose"};
      for (int i = 0; i < list.count; i++) options.push_back(optionOf(list.items[i]));
      reply = link(std::string(ptx, size), std::move(options));
      result->status = statusOf(reply);
      result->native_status = reply.status;
    } else {
      result->status = MMPTXC_INVALID_ARGUMENT;
    }
    result->info_log = copyOf<char>(reply.infoLog, result->info_log_size);
    result->error_log = copyOf<char>(reply.errorLog, result->error_log_size);
    if (result->status == MMPTXC_OK) result->cubin = copyOf<void>(reply.cubin, result->cubin_size);
    if (result->info_log == nullptr || result->error_log == nullptr ||
        (result->status == MMPTXC_OK && result->cubin == nullptr)) {
      release(result);
      result->status = MMPTXC_OUT_OF_MEMORY;
    }
    return result->status;
  }

  void release(mmptxc_result *result) const override {
    std::free(result->cubin);
    std::free(result->info_log);
    std::free(result->error_log);
    *result = mmptxc_result{};
  }

 private:
  static constexpr char kProbe[] = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";

  static std::string optionOf(const std::string &argument) {
    constexpr char kArch[] = "--gpu-name=";
    return argument.rfind(kArch, 0) == 0 ? "-arch=" + argument.substr(std::strlen(kArch)) : "-Xptxas=" + argument;
  }

  LinkReply link(std::string ptx, std::vector<std::string> options) const {
    LinkRequest request;
    request.options = std::move(options);
    request.inputs.push_back({kLinkedPtx, std::move(ptx), kInputName});
    return linker_->link(request);
  }

  const std::unique_ptr<JitLink> linker_;
  std::string version_;
};

}  // namespace

bool isPtxLinker(const SharedLibrary &shared) {
  void (*function)() = nullptr;
  std::string unheard;
  return shared.resolve("nvJitLinkVersion", function, unheard);
}

std::unique_ptr<Library> openPtxLinker(const std::string &path, std::string &error) {
  std::unique_ptr<JitLink> linker = JitLink::open(path, error);
  if (linker == nullptr) return nullptr;
  return std::make_unique<PtxLinker>(path, std::move(linker));
}

}  // namespace mmptx
