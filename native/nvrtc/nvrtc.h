// NVRTC, NVIDIA's compiler from CUDA to PTX, as one function. It may crash on an invalid source. Source: NVRTC 13.0,
// nvrtc.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mmptx {

enum class NvrtcOutput : int32_t { ptx = 0, cubin = 1, ltoir = 2 };

struct NvrtcRequest {
  std::string source;
  // The name of the source in messages.
  std::string name;
  std::vector<std::string> options;
  // Names, as in `#include`, and texts.
  std::vector<std::pair<std::string, std::string>> headers;
  // C++ names whose lowered names in the PTX are requested.
  std::vector<std::string> nameExpressions;
  NvrtcOutput output = NvrtcOutput::ptx;
};

struct NvrtcReply {
  // An nvrtcResult; 0 is success.
  int32_t status = 0;
  std::string statusName;
  // The function that returned it.
  std::string operation;
  std::string log;
  std::string output;
  // In the order of the request's expressions.
  std::vector<std::string> loweredNames;
};

struct NvrtcFunctions;

class Nvrtc {
 public:
  // The library at `path`; null, with the reason in `error`, if it cannot be used. `companions` is explained at
  // SharedLibrary.
  static std::unique_ptr<Nvrtc> open(const std::string &path, const std::vector<std::string> &companions,
                                     std::string &error);
  ~Nvrtc();

  // Major and minor.
  std::pair<int, int> version() const;
  // Compute capabilities without the dot, ascending; empty if the library cannot list them.
  std::vector<int> architectures() const;

  NvrtcReply compile(const NvrtcRequest &request) const;

 private:
  explicit Nvrtc(std::unique_ptr<NvrtcFunctions> functions);

  std::unique_ptr<NvrtcFunctions> functions_;
};

}  // namespace mmptx
