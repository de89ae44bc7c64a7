#include "numbers.h"

#include <map>
#include <string>

namespace fake {
namespace {

// The text names this library, so that nobody mistakes it for NVIDIA's driver.
const std::map<int, std::string> &names() {
  static const auto &all = *new std::map<int, std::string>{
      {0, "SUCCESS"},
      {1, "INVALID_VALUE"},
      {2, "OUT_OF_MEMORY"},
      {3, "NOT_INITIALIZED"},
      {4, "DEINITIALIZED"},
      {34, "STUB_LIBRARY"},
      {36, "CALL_REQUIRES_NEWER_DRIVER"},
      {46, "DEVICE_UNAVAILABLE"},
      {100, "NO_DEVICE"},
      {101, "INVALID_DEVICE"},
      {102, "DEVICE_NOT_LICENSED"},
      {200, "INVALID_IMAGE"},
      {201, "INVALID_CONTEXT"},
      {205, "MAP_FAILED"},
      {209, "NO_BINARY_FOR_GPU"},
      {214, "ECC_UNCORRECTABLE"},
      {215, "UNSUPPORTED_LIMIT"},
      {216, "CONTEXT_ALREADY_IN_USE"},
      {217, "PEER_ACCESS_UNSUPPORTED"},
      {218, "INVALID_PTX"},
      {220, "NVLINK_UNCORRECTABLE"},
      {221, "JIT_COMPILER_NOT_FOUND"},
      {222, "UNSUPPORTED_PTX_VERSION"},
      {223, "JIT_COMPILATION_DISABLED"},
      {226, "CONTAINED"},
      {300, "INVALID_SOURCE"},
      {301, "FILE_NOT_FOUND"},
      {302, "SHARED_OBJECT_SYMBOL_NOT_FOUND"},
      {303, "SHARED_OBJECT_INIT_FAILED"},
      {304, "OPERATING_SYSTEM"},
      {400, "INVALID_HANDLE"},
      {401, "ILLEGAL_STATE"},
      {500, "NOT_FOUND"},
      {600, "NOT_READY"},
      {700, "ILLEGAL_ADDRESS"},
      {701, "LAUNCH_OUT_OF_RESOURCES"},
      {702, "LAUNCH_TIMEOUT"},
      {703, "LAUNCH_INCOMPATIBLE_TEXTURING"},
      {704, "PEER_ACCESS_ALREADY_ENABLED"},
      {705, "PEER_ACCESS_NOT_ENABLED"},
      {708, "PRIMARY_CONTEXT_ACTIVE"},
      {709, "CONTEXT_IS_DESTROYED"},
      {710, "ASSERT"},
      {711, "TOO_MANY_PEERS"},
      {714, "HARDWARE_STACK_ERROR"},
      {715, "ILLEGAL_INSTRUCTION"},
      {716, "MISALIGNED_ADDRESS"},
      {717, "INVALID_ADDRESS_SPACE"},
      {718, "INVALID_PC"},
      {719, "LAUNCH_FAILED"},
      {720, "COOPERATIVE_LAUNCH_TOO_LARGE"},
      {800, "NOT_PERMITTED"},
      {801, "NOT_SUPPORTED"},
      {802, "SYSTEM_NOT_READY"},
      {803, "SYSTEM_DRIVER_MISMATCH"},
      {900, "STREAM_CAPTURE_UNSUPPORTED"},
      {901, "STREAM_CAPTURE_INVALIDATED"},
      {903, "STREAM_CAPTURE_UNMATCHED"},
      {904, "STREAM_CAPTURE_UNJOINED"},
      {907, "CAPTURED_EVENT"},
      {912, "INVALID_CLUSTER_SIZE"},
      {913, "FUNCTION_NOT_LOADED"},
      {999, "UNKNOWN"},
  };
  return all;
}

struct Words {
  std::string name;
  std::string text;
};

const Words *wordsOf(int code) {
  static const auto &all = *[] {
    auto *made = new std::map<int, Words>;
    for (const auto &[number, name] : names()) {
      (*made)[number] = {(number == 0 ? "CUDA_" : "CUDA_ERROR_") + name, "fake driver: " + name};
    }
    return made;
  }();
  const auto found = all.find(code);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace

const char *nameOf(int code) {
  const Words *words = wordsOf(code);
  return words == nullptr ? nullptr : words->name.c_str();
}

const char *textOf(int code) {
  const Words *words = wordsOf(code);
  return words == nullptr ? nullptr : words->text.c_str();
}

}  // namespace fake
