// Launches: their arguments are checked here, and nothing is computed.
#include <cstring>

#include "api.h"
#include "work.h"

namespace fake {
namespace {

constexpr uintptr_t kExtraEnd = 0;
constexpr uintptr_t kExtraBuffer = 1;
constexpr uintptr_t kExtraBytes = 2;

struct Launch {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  Handle stream;
  unsigned cluster[3] = {1, 1, 1};
  bool cooperative = false;
};

struct Parameters {
  const char *bytes = nullptr;
  size_t count = 0;
};

// The list of pairs in `extra`, which ends with a null.
bool readExtra(void **extra, Parameters &into) {
  for (; extra != nullptr && reinterpret_cast<uintptr_t>(extra[0]) != kExtraEnd; extra += 2) {
    const auto key = reinterpret_cast<uintptr_t>(extra[0]);
    if (key == kExtraBuffer) {
      into.bytes = static_cast<const char *>(extra[1]);
    } else if (key == kExtraBytes) {
      into.count = *static_cast<const size_t *>(extra[1]);
    } else {
      return false;
    }
  }
  return true;
}

std::string dimensions(const unsigned (&of)[3]) {
  return std::to_string(of[0]) + "," + std::to_string(of[1]) + "," + std::to_string(of[2]);
}

int checkShape(Call &call, const Launch &launch, const Function &function) {
  uint64_t threads = 1;
  uint64_t blocks = 1;
  for (int i = 0; i < 3; i++) {
    const auto mostBlocks = static_cast<unsigned>(deviceAttribute(kMaxGridX + i));
    const auto mostThreads = static_cast<unsigned>(deviceAttribute(kMaxBlockX + i));
    if (launch.grid[i] < 1 || launch.grid[i] > mostBlocks) return call.wrong(kInvalidValue, "grid beyond the device's");
    if (launch.block[i] < 1 || launch.block[i] > mostThreads) return call.wrong(kInvalidValue, "block beyond the device's");
    if (launch.cluster[i] < 1 || launch.grid[i] % launch.cluster[i] != 0) {
      return call.wrong(kInvalidClusterSize, "clusters do not divide the grid");
    }
    threads *= launch.block[i];
    blocks *= launch.grid[i];
  }
  if (threads > static_cast<unsigned>(deviceAttribute(kMaxThreadsPerBlock))) {
    return call.wrong(kInvalidValue, "more threads than a block may have");
  }
  if (threads > static_cast<unsigned>(function.kernel.maxThreads)) {
    return call.wrong(kLaunchOutOfResources, "more threads than a block of this kernel may have");
  }
  const int room = function.dynamicShared > 0 ? function.dynamicShared
                                              : deviceAttribute(kSharedPerBlock) - function.kernel.sharedBytes;
  if (launch.sharedBytes > static_cast<unsigned>(room)) return call.wrong(kInvalidValue, "too much shared memory");
  const auto most = static_cast<uint64_t>(deviceAttribute(kMultiprocessors)) *
                    static_cast<uint64_t>(deviceAttribute(kThreadsPerMultiprocessor)) / threads;
  return launch.cooperative && blocks > most ? kCooperativeLaunchTooLarge : kSuccess;
}

// Every word of the parameters that is one of our addresses is taken for a pointer.
bool findUses(Call &call, const Parameters &parameters, std::vector<Allocation *> &uses) {
  bool fine = true;
  for (size_t at = 0; at + sizeof(Address) <= parameters.count; at += sizeof(Address)) {
    Address address = 0;
    std::memcpy(&address, parameters.bytes + at, sizeof address);
    Allocation *found = state().allocationAt(address);
    if (found == nullptr) continue;
    fine = call.findMemory("argument", address, 0, found->kind == Allocation::host) != nullptr && fine;
    uses.push_back(found);
  }
  return fine;
}

int launchKernel(Call &call, const Launch &launch, Handle function, void **kernelParameters, void **extra) {
  call.at("function", function).with("grid", dimensions(launch.grid)).with("block", dimensions(launch.block));
  call.with("shared", launch.sharedBytes).at("stream", launch.stream);
  if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] != 1) call.with("cluster", dimensions(launch.cluster));
  if (launch.cooperative) call.with("cooperative", 1);
  Parameters parameters;
  const bool readable = kernelParameters == nullptr && readExtra(extra, parameters);
  if (readable) call.with("parameters", hexBytes(parameters.bytes, parameters.count));
  return call.run([&]() -> int {
    if (!readable) return call.wrong(kInvalidValue, "expected parameters as one block");
    auto *found = call.find<Function>(function);
    Stream *stream = call.findStream(launch.stream);
    if (found == nullptr || stream == nullptr) return kInvalidHandle;
    if (const int code = checkShape(call, launch, *found); code != kSuccess) return code;
    if (parameters.count != found->kernel.parameterBytes) {
      return call.wrong(kInvalidValue, std::to_string(parameters.count) + " bytes of parameters for a kernel with " +
                                           std::to_string(found->kernel.parameterBytes));
    }
    Work work;
    work.what = "launch of " + found->kernel.name;
    if (!findUses(call, parameters, work.uses)) return kInvalidValue;
    work.function = found;
    work.launch = ++state().launches;
    return submit(*stream, std::move(work));
  });
}

Launch plain(unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
             unsigned shared, Handle stream) {
  return {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, stream};
}

}  // namespace

FAKE_API int cuLaunchKernel(Handle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                            unsigned blockY, unsigned blockZ, unsigned shared, Handle stream, void **kernelParameters,
                            void **extra) {
  Call call("cuLaunchKernel", Needs::context);
  return launchKernel(call, plain(gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream), function,
                      kernelParameters, extra);
}

FAKE_API int cuLaunchKernelEx(const LaunchConfig *config, Handle function, void **kernelParameters, void **extra) {
  Call call("cuLaunchKernelEx", Needs::context);
  Launch launch = plain(config->grid[0], config->grid[1], config->grid[2], config->block[0], config->block[1],
                        config->block[2], config->sharedBytes, config->stream);
  for (unsigned i = 0; i < config->attributeCount; i++) {
    const LaunchAttribute &each = config->attributes[i];
    if (each.id == kAttributeCooperative) {
      launch.cooperative = each.value.cooperative != 0;
    } else if (each.id == kAttributeCluster) {
      std::memcpy(launch.cluster, each.value.cluster, sizeof launch.cluster);
    } else {
      call.with("unknownAttribute", each.id);
    }
  }
  return launchKernel(call, launch, function, kernelParameters, extra);
}

FAKE_API int cuLaunchHostFunc(Handle stream, void (*function)(void *), void *data) {
  Call call("cuLaunchHostFunc", Needs::context);
  return call.at("stream", stream).run([&]() -> int {
    Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    if (function == nullptr) return call.wrong(kInvalidValue, "expected a function");
    Work work;
    work.what = "a host function";
    work.call = [=] { function(data); };
    return submit(*found, std::move(work));
  });
}

}  // namespace fake
