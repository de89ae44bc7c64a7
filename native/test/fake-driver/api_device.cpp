// Devices and their contexts.
#include <cstdio>
#include <cstring>

#include "api.h"
#include "work.h"

namespace fake {
namespace {

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;
constexpr int kLazyLoading = 2;

// The attributes of a device like an H100, but with a smaller L2 cache: benchmarks overwrite it before each launch.
int knownAttribute(int attribute) {
  static const auto &known = *new std::map<int, int>{
      {1, 1024},   {2, 1024},   {3, 1024},     {4, 64},       {5, 2147483647}, {6, 65535},        {7, 65535},
      {8, 49152},  {9, 65536},  {10, 32},      {11, 2147483647}, {12, 65536},  {13, 1980000},     {16, 132},
      {31, 1},     {32, 1},     {33, 1},       {36, 2619000}, {37, 5120},      {38, 2097152},    {39, 2048},
      {40, 3},     {41, 1},     {75, 9},       {76, 0},       {78, 1},         {81, 233472},      {82, 65536},
      {83, 1},     {90, 1},     {95, 1},       {97, 232448},  {102, 1},        {106, 32},         {111, 1024},
      {115, 1},    {120, 1},
  };
  const auto found = known.find(attribute);
  return found == known.end() ? 0 : found->second;
}

bool isDevice(int device) { return device >= 0 && device < state().control.devices; }

int checkDevice(Call &call, int device) {
  return isDevice(device) ? kSuccess : call.wrong(kInvalidDevice, "no device " + std::to_string(device));
}

}  // namespace

int deviceAttribute(int attribute) {
  const auto asked = state().control.attributes.find(attribute);
  return asked != state().control.attributes.end() ? asked->second : knownAttribute(attribute);
}

FAKE_API int cuInit(unsigned flags) {
  Call call("cuInit", Needs::nothing);
  return call.with("flags", flags).run([&]() -> int {
    if (flags != 0) return call.wrong(kInvalidValue, "expected no flags");
    if (state().control.devices == 0) return kNoDevice;
    state().initialized = true;
    return kSuccess;
  });
}

FAKE_API int cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion", Needs::nothing);
  return call.run([&]() -> int { return *version = state().control.version, kSuccess; });
}

FAKE_API int cuGetErrorName(int code, const char **name) {
  *name = nameOf(code);
  return *name == nullptr ? kInvalidValue : kSuccess;
}

FAKE_API int cuGetErrorString(int code, const char **text) {
  *text = textOf(code);
  return *text == nullptr ? kInvalidValue : kSuccess;
}

FAKE_API int cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount", Needs::initialized);
  return call.run([&]() -> int { return *count = state().control.devices, kSuccess; });
}

FAKE_API int cuDeviceGet(int *device, int ordinal) {
  Call call("cuDeviceGet", Needs::initialized);
  return call.with("ordinal", ordinal).run([&]() -> int {
    if (!isDevice(ordinal)) return kInvalidDevice;
    *device = ordinal;
    return kSuccess;
  });
}

FAKE_API int cuDeviceGetName(char *name, int bytes, int device) {
  Call call("cuDeviceGetName", Needs::initialized);
  return call.with("device", device).run([&]() -> int {
    const int code = checkDevice(call, device);
    if (code == kSuccess) std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU %d", device);
    return code;
  });
}

FAKE_API int cuDeviceGetUuid_v2(Uuid *uuid, int device) {
  Call call("cuDeviceGetUuid", Needs::initialized);
  return call.with("device", device).run([&]() -> int {
    const int code = checkDevice(call, device);
    for (int i = 0; code == kSuccess && i < 16; i++) uuid->bytes[i] = static_cast<unsigned char>(0xf0 + i);
    if (code == kSuccess) uuid->bytes[15] = static_cast<unsigned char>(device);
    return code;
  });
}

FAKE_API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  Call call("cuDeviceTotalMem", Needs::initialized);
  return call.with("device", device).run([&]() -> int {
    *bytes = state().control.memory;
    return checkDevice(call, device);
  });
}

FAKE_API int cuDeviceGetAttribute(int *value, int attribute, int device) {
  Call call("cuDeviceGetAttribute", Needs::initialized);
  return call.with("attribute", attribute).with("device", device).run([&]() -> int {
    if (attribute < 1 || attribute > kLastDeviceAttribute) return kInvalidValue;
    *value = deviceAttribute(attribute);
    return checkDevice(call, device);
  });
}

FAKE_API int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  Call call("cuDeviceCanAccessPeer", Needs::initialized);
  return call.with("device", device).with("peer", peer).run([&]() -> int {
    *can = device != peer ? 1 : 0;
    const int code = checkDevice(call, device);
    return code == kSuccess ? checkDevice(call, peer) : code;
  });
}

FAKE_API int cuDevicePrimaryCtxRetain(Handle *context, int device) {
  Call call("cuDevicePrimaryCtxRetain", Needs::initialized);
  return call.with("device", device).run([&]() -> int {
    if (const int code = checkDevice(call, device); code != kSuccess) return code;
    Context *&primary = state().primary[device];
    if (primary == nullptr || primary->destroyed) {
      primary = state().create<Context>(nullptr);
      primary->device = device;
    }
    primary->retained++;
    *context = primary->handle;
    call.at("context", *context);
    return kSuccess;
  });
}

FAKE_API int cuDevicePrimaryCtxRelease_v2(int device) {
  Call call("cuDevicePrimaryCtxRelease", Needs::initialized);
  return call.with("device", device).run([&]() -> int {
    Context *primary = state().primary[device];
    if (primary == nullptr || primary->retained == 0) return call.wrong(kInvalidContext, "released more than retained");
    if (--primary->retained == 0) state().destroyContext(*primary);
    return kSuccess;
  });
}

FAKE_API int cuCtxSetCurrent(Handle handle) {
  Call call("cuCtxSetCurrent", Needs::initialized);
  return call.at("context", handle).run([&]() -> int {
    Context *context = handle == 0 ? nullptr : call.find<Context>(handle, true);
    if (handle != 0 && context == nullptr) return kInvalidContext;
    currentContext() = context;
    return kSuccess;
  });
}

FAKE_API int cuCtxGetCurrent(Handle *handle) {
  Call call("cuCtxGetCurrent", Needs::initialized);
  return call.run([&]() -> int {
    *handle = currentContext() == nullptr ? 0 : currentContext()->handle;
    return kSuccess;
  });
}

FAKE_API int cuCtxSynchronize() {
  Call call("cuCtxSynchronize", Needs::context);
  return call.run([&]() -> int {
    if (const int code = refuseWhileCapturing(call); code != kSuccess) return code;
    const std::vector<Stream *> streams(state().streams.begin(), state().streams.end());
    for (const Stream *stream : streams) {
      if (stream->context != call.context()) continue;
      if (const int code = waitFor(call, *stream); code != kSuccess) return code;
    }
    return kSuccess;
  });
}

FAKE_API int cuCtxEnablePeerAccess(Handle peer, unsigned flags) {
  Call call("cuCtxEnablePeerAccess", Needs::context);
  return call.at("peer", peer).with("flags", flags).run([&]() -> int {
    auto *found = call.find<Context>(peer, true);
    if (found == nullptr) return kInvalidContext;
    if (flags != 0 || found == call.context()) return call.wrong(kInvalidValue, "expected another context and no flags");
    return call.context()->peers.insert(found).second ? kSuccess : kPeerAccessAlreadyEnabled;
  });
}

FAKE_API int cuCtxDisablePeerAccess(Handle peer) {
  Call call("cuCtxDisablePeerAccess", Needs::context);
  return call.at("peer", peer).run([&]() -> int {
    auto *found = call.find<Context>(peer, true);
    if (found == nullptr) return kInvalidContext;
    return call.context()->peers.erase(found) > 0 ? kSuccess : kPeerAccessNotEnabled;
  });
}

FAKE_API int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  Call call("cuCtxGetStreamPriorityRange", Needs::context);
  return call.run([&]() -> int { return *least = kLeastPriority, *greatest = kGreatestPriority, kSuccess; });
}

FAKE_API int cuModuleGetLoadingMode(int *mode) {
  Call call("cuModuleGetLoadingMode", Needs::initialized);
  return call.run([&]() -> int { return *mode = kLazyLoading, kSuccess; });
}

}  // namespace fake
