// The numbers of the attributes are those of CUdevice_attribute.
#include "arch.h"

#include "driver.h"

namespace mmptx {
namespace {

constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

}  // namespace

std::string deviceArch(const std::string &library, int ordinal, std::string &error) {
  Driver *driver = Driver::open(library, error);
  if (driver == nullptr) return {};
  int device = 0;
  int version[2] = {};
  const auto call = [&](Function function, auto... arguments) {
    const int status = driver->call(function, arguments...);
    const char *name = infoOf(function).name;
    if (status == Driver::kMissing) error = std::string("the driver has no function ") + name;
    else if (status != 0) error = std::string(name) + " returned " + std::to_string(status);
    return status == 0;
  };
  const bool known = call(Function::cuInit, 0u) && call(Function::cuDeviceGet, &device, ordinal) &&
                     call(Function::cuDeviceGetAttribute, &version[0], kComputeCapabilityMajor, device) &&
                     call(Function::cuDeviceGetAttribute, &version[1], kComputeCapabilityMinor, device);
  return known ? "sm_" + std::to_string(version[0]) + std::to_string(version[1]) : std::string();
}

}  // namespace mmptx
