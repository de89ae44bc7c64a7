// NVRTC, NVIDIA's compiler from CUDA to PTX, as one function. Source: NVRTC 13.0, nvrtc.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mmptx {

enum class NvrtcOutput : int32_t { ptx = 0, cubin = 1, ltoir = 2 };

struct NvrtcRequest {
  std::string source;
  // Of the source, in messages.
  std::string name;
  std::vector<std::string> options;
  // Names as `#include` writes them, and texts.
  std::vector<std::pair<std::string, std::string>> headers;
  // C++ names whose names in the PTX are asked for.
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
  // The library at `path`, opened at most once a process; null with the reason in `error` when it cannot be used.
  static const Nvrtc *open(const std::string &path, const std::vector<std::string> &companions, std::string &error);

  // Major and minor.
  std::pair<int, int> version() const;
  // Compute capabilities without their dot, ascending; empty when the library cannot tell.
  std::vector<int> architectures() const;

  // Blocks, on any thread, several at once. Gives up soon after `stop` is set where the library can be told to (12.9 on).
  NvrtcReply compile(const NvrtcRequest &request, const std::atomic<bool> &stop) const;

 private:
  explicit Nvrtc(const NvrtcFunctions &functions) : functions_(functions) {}

  const NvrtcFunctions &functions_;
};

}  // namespace mmptx
