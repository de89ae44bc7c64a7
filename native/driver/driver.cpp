// CUDA Driver API: cuInit, cuDeviceGet, cuDeviceGetAttribute. The attributes' numbers are those of CUdevice_attribute.
#include "driver.h"

#include "process.h"

namespace mmptx {
namespace {

constexpr int kSuccess = 0;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

template <typename Function>
bool resolve(void *library, const char *name, Function &function, std::string &error) {
  function = reinterpret_cast<Function>(symbolOf(library, name));
  if (function == nullptr) error = std::string("the driver has no function ") + name;
  return function != nullptr;
}

}  // namespace

std::string deviceArch(const std::string &path, int ordinal, std::string &error) {
  // Stays open: the driver does not like to be unloaded.
  void *library = openShared(path, error);
  if (library == nullptr) return {};
  int (*init)(unsigned) = nullptr;
  int (*getDevice)(int *, int) = nullptr;
  int (*getAttribute)(int *, int, int) = nullptr;
  if (!resolve(library, "cuInit", init, error) || !resolve(library, "cuDeviceGet", getDevice, error) ||
      !resolve(library, "cuDeviceGetAttribute", getAttribute, error)) {
    return {};
  }
  int device = 0;
  int major = 0;
  int minor = 0;
  const char *operation = "cuInit";
  int status = init(0);
  if (status == kSuccess) {
    operation = "cuDeviceGet";
    status = getDevice(&device, ordinal);
  }
  if (status == kSuccess) {
    operation = "cuDeviceGetAttribute";
    status = getAttribute(&major, kComputeCapabilityMajor, device);
  }
  if (status == kSuccess) status = getAttribute(&minor, kComputeCapabilityMinor, device);
  if (status != kSuccess) {
    error = std::string(operation) + " returned " + std::to_string(status);
    return {};
  }
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

}  // namespace mmptx
