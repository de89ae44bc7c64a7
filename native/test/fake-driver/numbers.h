// The numbers of the CUDA driver API that the fake needs: CUresult, CUdevice_attribute and so on, as NVIDIA documents
// them. Handles are plain numbers here, because our code must never dereference one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fake {

using Handle = uint64_t;
using Address = uint64_t;

enum Code : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kPeerAccessUnsupported = 217,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kLaunchOutOfResources = 701,
  kPeerAccessAlreadyEnabled = 704,
  kPeerAccessNotEnabled = 705,
  kContextIsDestroyed = 709,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureUnmatched = 903,
  kCaptureUnjoined = 904,
  kCapturedEvent = 907,
  kInvalidClusterSize = 912,
};

// For example `CUDA_ERROR_INVALID_VALUE`; null if there is no such result.
const char *nameOf(int code);
const char *textOf(int code);

enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxGridX = 5,
  kSharedPerBlock = 8,
  kMultiprocessors = 16,
  kThreadsPerMultiprocessor = 39,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kSharedPerBlockOptIn = 97,
  kLastDeviceAttribute = 147,
};

enum FunctionAttribute : int {
  kFunctionMaxThreads = 0,
  kFunctionShared = 1,
  kFunctionConstant = 2,
  kFunctionLocal = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicShared = 8,
  kLastFunctionAttribute = 15,
};

enum JitOption : int {
  kJitInfoLog = 3,
  kJitInfoLogBytes = 4,
  kJitErrorLog = 5,
  kJitErrorLogBytes = 6,
  kLastJitOption = 34,
};

struct Uuid {
  unsigned char bytes[16];
};

struct PoolProperties {
  int allocationType;
  int handleTypes;
  int locationType;
  int locationId;
  void *securityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

struct LaunchAttribute {
  int id;
  int unused;
  union {
    char bytes[64];
    int cooperative;
    unsigned cluster[3];
  } value;
};

struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  Handle stream;
  const LaunchAttribute *attributes;
  unsigned attributeCount;
};

constexpr int kAttributeCooperative = 2;
constexpr int kAttributeCluster = 4;

}  // namespace fake
