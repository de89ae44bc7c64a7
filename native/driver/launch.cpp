// Launches. The structs are those of CUlaunchConfig and CUlaunchAttribute.
#include <cstdint>

#include "call.h"

namespace mmptx {
namespace {

struct LaunchAttribute {
  uint32_t id;
  uint32_t unused;
  // A union of which only the first words are used.
  uint32_t value[16];
};
static_assert(sizeof(LaunchAttribute) == 72, "the driver reads it");

struct LaunchConfiguration {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};
static_assert(sizeof(LaunchConfiguration) == 56 || sizeof(void *) != 8, "the driver reads it");

constexpr uint32_t kCooperative = 2;
constexpr uint32_t kClusterDimension = 4;

// The values of CU_LAUNCH_PARAM_*, which introduce a parameter block and its size.
void *const kParameterBlock = reinterpret_cast<void *>(uintptr_t{1});
void *const kParameterBytes = reinterpret_cast<void *>(uintptr_t{2});

}  // namespace

int runLaunch(Call &call) {
  const uint64_t *slots = call.record.slots;
  const auto number = [slots](int slot) { return static_cast<uint32_t>(slots[slot]); };
  void *const function = pointerOf(slots[0]);
  void *const stream = pointerOf(slots[8]);
  std::size_t size = call.record.header.payloadBytes;
  void *announced[] = {kParameterBlock, const_cast<uint8_t *>(call.record.payload), kParameterBytes, &size, nullptr};
  void **const extra = size == 0 ? nullptr : announced;
  void **const none = nullptr;
  const bool cooperative = (number(9) & 1) != 0;
  const bool clustered = number(10) != 0;
  if (!cooperative && !clustered) {
    return call.call(Function::cuLaunchKernel, function, number(1), number(2), number(3), number(4), number(5), number(6),
                     number(7), stream, none, extra);
  }
  LaunchAttribute attributes[2] = {};
  uint32_t count = 0;
  if (cooperative) attributes[count++] = {kCooperative, 0, {1}};
  if (clustered) attributes[count++] = {kClusterDimension, 0, {number(10), number(11), number(12)}};
  const LaunchConfiguration configuration{{number(1), number(2), number(3)}, {number(4), number(5), number(6)},
                                          number(7), stream, attributes, count};
  return call.call(Function::cuLaunchKernelEx, &configuration, function, none, extra);
}

}  // namespace mmptx
