// cuGetProcAddress: names without a suffix, with the CUDA version that introduced each function. The original forms of
// functions, which NVIDIA's driver still exports under the bare names, are also there, and complain when they are
// called.
#include <dlfcn.h>

#include <cstring>

#include "api.h"
#include "call.h"

namespace fake {
namespace {

struct Entry {
  const char *name;
  int since;
  const char *suffix = "";
};

const Entry kEntries[] = {
    {"cuGetProcAddress", 11030},
    {"cuGetProcAddress", 12000, "_v2"},
    {"cuGetErrorName", 6000},
    {"cuGetErrorString", 6000},
    {"cuInit", 2000},
    {"cuDriverGetVersion", 2020},
    {"cuDeviceGetCount", 2000},
    {"cuDeviceGet", 2000},
    {"cuDeviceGetName", 2000},
    {"cuDeviceGetUuid", 9020},
    {"cuDeviceGetUuid", 11040, "_v2"},
    {"cuDeviceTotalMem", 2000},
    {"cuDeviceTotalMem", 3020, "_v2"},
    {"cuDeviceGetAttribute", 2000},
    {"cuDeviceCanAccessPeer", 4000},
    {"cuDevicePrimaryCtxRetain", 7000},
    {"cuDevicePrimaryCtxRelease", 7000},
    {"cuDevicePrimaryCtxRelease", 11000, "_v2"},
    {"cuCtxSetCurrent", 4000},
    {"cuCtxGetCurrent", 4000},
    {"cuCtxSynchronize", 2000},
    {"cuCtxEnablePeerAccess", 4000},
    {"cuCtxDisablePeerAccess", 4000},
    {"cuCtxGetStreamPriorityRange", 5050},
    {"cuMemGetInfo", 2000},
    {"cuMemGetInfo", 3020, "_v2"},
    {"cuMemAlloc", 2000},
    {"cuMemAlloc", 3020, "_v2"},
    {"cuMemFree", 2000},
    {"cuMemFree", 3020, "_v2"},
    {"cuMemAllocAsync", 11020},
    {"cuMemAllocFromPoolAsync", 11020},
    {"cuMemFreeAsync", 11020},
    {"cuMemHostAlloc", 2020},
    {"cuMemFreeHost", 2000},
    {"cuMemPoolCreate", 11020},
    {"cuMemPoolDestroy", 11020},
    {"cuMemPoolTrimTo", 11020},
    {"cuMemPoolSetAttribute", 11020},
    {"cuMemPoolGetAttribute", 11020},
    {"cuDeviceGetDefaultMemPool", 11020},
    {"cuMemcpyHtoDAsync", 2000},
    {"cuMemcpyHtoDAsync", 3020, "_v2"},
    {"cuMemcpyDtoHAsync", 2000},
    {"cuMemcpyDtoHAsync", 3020, "_v2"},
    {"cuMemcpyDtoDAsync", 3000},
    {"cuMemcpyDtoDAsync", 3020, "_v2"},
    {"cuMemcpyPeerAsync", 4000},
    {"cuMemsetD8Async", 3020},
    {"cuMemsetD16Async", 3020},
    {"cuMemsetD32Async", 3020},
    {"cuModuleGetLoadingMode", 11070},
    {"cuModuleLoadDataEx", 2010},
    {"cuModuleUnload", 2000},
    {"cuModuleGetFunction", 2000},
    {"cuModuleGetGlobal", 2000},
    {"cuModuleGetGlobal", 3020, "_v2"},
    {"cuModuleGetFunctionCount", 12040},
    {"cuModuleEnumerateFunctions", 12040},
    {"cuFuncGetName", 12030},
    {"cuFuncGetAttribute", 2020},
    {"cuFuncSetAttribute", 9000},
    {"cuFuncGetParamInfo", 12040},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050},
    {"cuOccupancyMaxPotentialBlockSize", 6050},
    {"cuLaunchKernel", 4000},
    {"cuLaunchKernelEx", 11060},
    {"cuLaunchHostFunc", 10000},
    {"cuStreamCreateWithPriority", 5050},
    {"cuStreamDestroy", 2000},
    {"cuStreamDestroy", 4000, "_v2"},
    {"cuStreamQuery", 2000},
    {"cuStreamSynchronize", 2000},
    {"cuStreamWaitEvent", 3020},
    {"cuEventCreate", 2000},
    {"cuEventDestroy", 2000},
    {"cuEventDestroy", 4000, "_v2"},
    {"cuEventRecord", 2000},
    {"cuEventQuery", 2000},
    {"cuEventSynchronize", 2000},
    {"cuEventElapsedTime", 2000},
    {"cuEventElapsedTime", 12080, "_v2"},
    {"cuStreamBeginCapture", 10000},
    {"cuStreamBeginCapture", 10010, "_v2"},
    {"cuStreamEndCapture", 10000},
    {"cuStreamIsCapturing", 10000},
    {"cuGraphInstantiate", 10000},
    {"cuGraphInstantiateWithFlags", 11040},
    {"cuGraphLaunch", 10000},
    {"cuGraphDestroy", 10000},
    {"cuGraphExecDestroy", 10000},
};

enum Found { kFound = 0, kNoSuchSymbol = 1, kVersionTooLow = 2 };

// The newest form that this version has.
Found find(const char *name, int version, void *&function) {
  static void *const self = [] {
    Dl_info found{};
    dladdr(reinterpret_cast<void *>(&find), &found);
    return dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  Found result = kNoSuchSymbol;
  function = nullptr;
  for (const Entry &each : kEntries) {
    if (std::strcmp(each.name, name) != 0 || each.since > state().control.version) continue;
    void *symbol = dlsym(self, (each.name + std::string(each.suffix)).c_str());
    if (symbol == nullptr) continue;
    if (each.since > version) {
      if (function == nullptr) result = kVersionTooLow;
      continue;
    }
    function = symbol;
    result = kFound;
  }
  return result;
}

int outdated(const char *name) {
  Call call(name, Needs::nothing);
  return call.run([&] { return call.wrong(kInvalidValue, "called in its first form"); });
}

}  // namespace

FAKE_API int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  Call call("cuGetProcAddress", Needs::nothing);
  return call.with("name", name).with("version", version).with("flags", flags).run([&]() -> int {
    if (version > state().control.version) return kInvalidValue;
    const Found found = find(name, version, *function);
    if (status != nullptr) *status = found;
    return kSuccess;
  });
}

FAKE_API int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  Call call("cuGetProcAddress", Needs::nothing);
  return call.with("name", name).with("version", version).with("flags", flags).run([&]() -> int {
    if (version > state().control.version) return kInvalidValue;
    return find(name, version, *function) == kFound ? kSuccess : kNotFound;
  });
}

#define OUTDATED(name) \
  FAKE_API int name() { return outdated(#name); }

OUTDATED(cuDeviceGetUuid)
OUTDATED(cuDeviceTotalMem)
OUTDATED(cuDevicePrimaryCtxRelease)
OUTDATED(cuMemGetInfo)
OUTDATED(cuMemAlloc)
OUTDATED(cuMemFree)
OUTDATED(cuMemcpyHtoDAsync)
OUTDATED(cuMemcpyDtoHAsync)
OUTDATED(cuMemcpyDtoDAsync)
OUTDATED(cuModuleGetGlobal)
OUTDATED(cuStreamDestroy)
OUTDATED(cuEventDestroy)
OUTDATED(cuStreamBeginCapture)
OUTDATED(cuGraphInstantiate)

}  // namespace fake
