// The functions of the CUDA Driver API that are called: each with the symbol of the version whose signature is used,
// and the CUDA release that introduced this version, as 1000 * major + 10 * minor.
#pragma once

#include <cstddef>
#include <string>

#define MMPTX_DRIVER_FUNCTIONS(FUNCTION)                                                       \
  FUNCTION(cuInit, "cuInit", 2000)                                                             \
  FUNCTION(cuDriverGetVersion, "cuDriverGetVersion", 2020)                                     \
  FUNCTION(cuGetErrorName, "cuGetErrorName", 6000)                                             \
  FUNCTION(cuGetErrorString, "cuGetErrorString", 6000)                                         \
  FUNCTION(cuDeviceGetCount, "cuDeviceGetCount", 2000)                                         \
  FUNCTION(cuDeviceGet, "cuDeviceGet", 2000)                                                   \
  FUNCTION(cuDeviceGetName, "cuDeviceGetName", 2000)                                           \
  FUNCTION(cuDeviceGetUuid, "cuDeviceGetUuid_v2", 11040)                                       \
  FUNCTION(cuDeviceTotalMem, "cuDeviceTotalMem_v2", 3020)                                      \
  FUNCTION(cuDeviceGetAttribute, "cuDeviceGetAttribute", 2000)                                 \
  FUNCTION(cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", 4000)                               \
  FUNCTION(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool", 11020)                      \
  FUNCTION(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", 7000)                         \
  FUNCTION(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", 11000)                   \
  FUNCTION(cuCtxSetCurrent, "cuCtxSetCurrent", 4000)                                           \
  FUNCTION(cuCtxSynchronize, "cuCtxSynchronize", 2000)                                         \
  FUNCTION(cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", 4000)                               \
  FUNCTION(cuCtxDisablePeerAccess, "cuCtxDisablePeerAccess", 4000)                             \
  FUNCTION(cuCtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange", 5050)                   \
  FUNCTION(cuMemGetInfo, "cuMemGetInfo_v2", 3020)                                              \
  FUNCTION(cuMemAlloc, "cuMemAlloc_v2", 3020)                                                  \
  FUNCTION(cuMemFree, "cuMemFree_v2", 3020)                                                    \
  FUNCTION(cuMemAllocAsync, "cuMemAllocAsync", 11020)                                          \
  FUNCTION(cuMemAllocFromPoolAsync, "cuMemAllocFromPoolAsync", 11020)                          \
  FUNCTION(cuMemFreeAsync, "cuMemFreeAsync", 11020)                                            \
  FUNCTION(cuMemPoolCreate, "cuMemPoolCreate", 11020)                                          \
  FUNCTION(cuMemPoolDestroy, "cuMemPoolDestroy", 11020)                                        \
  FUNCTION(cuMemPoolTrimTo, "cuMemPoolTrimTo", 11020)                                          \
  FUNCTION(cuMemPoolSetAttribute, "cuMemPoolSetAttribute", 11020)                              \
  FUNCTION(cuMemPoolGetAttribute, "cuMemPoolGetAttribute", 11020)                              \
  FUNCTION(cuMemHostAlloc, "cuMemHostAlloc", 2020)                                             \
  FUNCTION(cuMemFreeHost, "cuMemFreeHost", 2000)                                               \
  FUNCTION(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", 3020)                                    \
  FUNCTION(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", 3020)                                    \
  FUNCTION(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", 3020)                                    \
  FUNCTION(cuMemcpyPeerAsync, "cuMemcpyPeerAsync", 4000)                                       \
  FUNCTION(cuMemsetD8Async, "cuMemsetD8Async", 3020)                                           \
  FUNCTION(cuMemsetD16Async, "cuMemsetD16Async", 3020)                                         \
  FUNCTION(cuMemsetD32Async, "cuMemsetD32Async", 3020)                                         \
  FUNCTION(cuModuleGetLoadingMode, "cuModuleGetLoadingMode", 11070)                            \
  FUNCTION(cuModuleLoadDataEx, "cuModuleLoadDataEx", 2010)                                     \
  FUNCTION(cuModuleUnload, "cuModuleUnload", 2000)                                             \
  FUNCTION(cuModuleGetFunction, "cuModuleGetFunction", 2000)                                   \
  FUNCTION(cuModuleGetGlobal, "cuModuleGetGlobal_v2", 3020)                                    \
  FUNCTION(cuModuleGetFunctionCount, "cuModuleGetFunctionCount", 12040)                        \
  FUNCTION(cuModuleEnumerateFunctions, "cuModuleEnumerateFunctions", 12040)                    \
  FUNCTION(cuFuncGetName, "cuFuncGetName", 12030)                                              \
  FUNCTION(cuFuncGetAttribute, "cuFuncGetAttribute", 2020)                                     \
  FUNCTION(cuFuncSetAttribute, "cuFuncSetAttribute", 9000)                                     \
  FUNCTION(cuFuncGetParamInfo, "cuFuncGetParamInfo", 12040)                                    \
  FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                        \
           "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050)                                \
  FUNCTION(cuOccupancyMaxPotentialBlockSize, "cuOccupancyMaxPotentialBlockSize", 6050)         \
  FUNCTION(cuLaunchKernel, "cuLaunchKernel", 4000)                                             \
  FUNCTION(cuLaunchKernelEx, "cuLaunchKernelEx", 11060)                                        \
  FUNCTION(cuLaunchHostFunc, "cuLaunchHostFunc", 10000)                                        \
  FUNCTION(cuStreamCreateWithPriority, "cuStreamCreateWithPriority", 5050)                     \
  FUNCTION(cuStreamDestroy, "cuStreamDestroy_v2", 4000)                                        \
  FUNCTION(cuStreamQuery, "cuStreamQuery", 2000)                                               \
  FUNCTION(cuStreamSynchronize, "cuStreamSynchronize", 2000)                                   \
  FUNCTION(cuStreamWaitEvent, "cuStreamWaitEvent", 3020)                                       \
  FUNCTION(cuStreamBeginCapture, "cuStreamBeginCapture_v2", 10010)                             \
  FUNCTION(cuStreamEndCapture, "cuStreamEndCapture", 10000)                                    \
  FUNCTION(cuStreamIsCapturing, "cuStreamIsCapturing", 10000)                                  \
  FUNCTION(cuEventCreate, "cuEventCreate", 2000)                                               \
  FUNCTION(cuEventDestroy, "cuEventDestroy_v2", 4000)                                          \
  FUNCTION(cuEventRecord, "cuEventRecord", 2000)                                               \
  FUNCTION(cuEventQuery, "cuEventQuery", 2000)                                                 \
  FUNCTION(cuEventSynchronize, "cuEventSynchronize", 2000)                                     \
  FUNCTION(cuEventElapsedTime, "cuEventElapsedTime", 2000)                                     \
  FUNCTION(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", 11040)                  \
  FUNCTION(cuGraphLaunch, "cuGraphLaunch", 10000)                                              \
  FUNCTION(cuGraphDestroy, "cuGraphDestroy", 10000)                                            \
  FUNCTION(cuGraphExecDestroy, "cuGraphExecDestroy", 10000)

namespace mmptx {

enum class Function : std::size_t {
#define MMPTX_NAME(name, symbol, version) name,
  MMPTX_DRIVER_FUNCTIONS(MMPTX_NAME)
#undef MMPTX_NAME
  count
};

struct FunctionInfo {
  const char *name;
  const char *symbol;
  int version;
};

const FunctionInfo &infoOf(Function function);

}  // namespace mmptx
