// nvJitLink, NVIDIA's linker of device code, as one function. It may hang on a corrupt input, and it writes some errors
// to standard error only. Source: nvJitLink 13.0, nvJitLink.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mmptx {

// The nvJitLinkInputType of PTX.
constexpr int32_t kLinkedPtx = 2;

struct LinkInput {
  // An nvJitLinkInputType.
  int32_t type = 0;
  std::string data;
  // The name that messages use.
  std::string name;
};

struct LinkRequest {
  std::vector<std::string> options;
  std::vector<LinkInput> inputs;
};

struct LinkReply {
  // An nvJitLinkResult; 0 is success.
  int32_t status = 0;
  // The function that returned it.
  std::string operation;
  // The input that it is about, or -1.
  int32_t input = -1;
  std::string infoLog;
  std::string errorLog;
  std::string cubin;
};

struct JitLinkFunctions;

class JitLink {
 public:
  // The library at `path`; null, with the reason in `error`, if it cannot be used.
  static std::unique_ptr<JitLink> open(const std::string &path, std::string &error);
  ~JitLink();

  // Major and minor.
  std::pair<int, int> version() const;

  LinkReply link(const LinkRequest &request) const;

 private:
  explicit JitLink(std::unique_ptr<JitLinkFunctions> functions);

  std::unique_ptr<JitLinkFunctions> functions_;
};

}  // namespace mmptx
