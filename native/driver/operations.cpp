// The table of operations. JavaScript receives their names in this order and uses no other numbers.
#include <iterator>

#include "call.h"

namespace mmptx {
namespace {

using Handle = void *;
using Address = uint64_t;
using Number = In<int32_t>;
using Whole = In<uint32_t>;
using Bits64 = In<uint64_t>;
using Size = In<std::size_t>;
using Pointer = In<Handle>;
using OutNumber = Out<int32_t>;
using OutHandle = Out<Handle>;
using OutAddress = Out<Address>;
using OutSize = Out<std::size_t>;

// Rows of functions that have one parameter class for each of their parameters.
template <Function Which, typename... Parameters>
constexpr Operation one(const char *name) {
  return {name, (0u + ... + Parameters::kSlots), direct<Which, Parameters...>};
}
template <Kind Created, Function Which, typename... Parameters>
constexpr Operation create(const char *name) {
  return {name, (0u + ... + Parameters::kSlots), creating<Created, Which, Parameters...>};
}
template <Kind Destroyed, Function Which, typename... Parameters>
constexpr Operation destroy(const char *name) {
  return {name, (0u + ... + Parameters::kSlots), destroying<Destroyed, Which, Parameters...>};
}

int runClose(Call &call) {
  call.engine.close();
  return kDone;
}

constexpr Operation kOperations[] = {
    {"close", 0, runClose, false},
    {"open", 1, runOpen},
    {"allocations", 0, runAllocations, false},
    {"load", 4, runLoad},
    {"launch", 13, runLaunch},
    {"copyIn", 2, Transfers::copyIn},
    {"copyOut", 3, Transfers::copyOut},
    {"notify", 1, Transfers::notify},

    one<Function::cuInit, Zero>("cuInit"),
    one<Function::cuDriverGetVersion, OutNumber>("cuDriverGetVersion"),
    one<Function::cuDeviceGetCount, OutNumber>("cuDeviceGetCount"),
    one<Function::cuDeviceGet, OutNumber, Number>("cuDeviceGet"),
    {"cuDeviceGetName", 1, runDeviceGetName},
    one<Function::cuDeviceGetUuid, OutBytes<16>, Number>("cuDeviceGetUuid"),
    one<Function::cuDeviceTotalMem, OutSize, Number>("cuDeviceTotalMem"),
    one<Function::cuDeviceGetAttribute, OutNumber, Number, Number>("cuDeviceGetAttribute"),
    one<Function::cuDeviceCanAccessPeer, OutNumber, Number, Number>("cuDeviceCanAccessPeer"),
    one<Function::cuDeviceGetDefaultMemPool, OutHandle, Number>("cuDeviceGetDefaultMemPool"),
    one<Function::cuCtxEnablePeerAccess, Pointer, Whole>("cuCtxEnablePeerAccess"),
    one<Function::cuCtxDisablePeerAccess, Pointer>("cuCtxDisablePeerAccess"),
    one<Function::cuCtxGetStreamPriorityRange, OutNumber, OutNumber>("cuCtxGetStreamPriorityRange"),
    one<Function::cuCtxSynchronize>("cuCtxSynchronize"),

    one<Function::cuMemGetInfo, OutSize, OutSize>("cuMemGetInfo"),
    create<Kind::memory, Function::cuMemAlloc, OutAddress, Size>("cuMemAlloc"),
    destroy<Kind::memory, Function::cuMemFree, Bits64>("cuMemFree"),
    create<Kind::memory, Function::cuMemAllocAsync, OutAddress, Size, Pointer>("cuMemAllocAsync"),
    create<Kind::memory, Function::cuMemAllocFromPoolAsync, OutAddress, Size, Pointer, Pointer>(
        "cuMemAllocFromPoolAsync"),
    destroy<Kind::memory, Function::cuMemFreeAsync, Bits64, Pointer>("cuMemFreeAsync"),
    {"cuMemPoolCreate", 1, runMemPoolCreate},
    destroy<Kind::pool, Function::cuMemPoolDestroy, Pointer>("cuMemPoolDestroy"),
    one<Function::cuMemPoolTrimTo, Pointer, Size>("cuMemPoolTrimTo"),
    one<Function::cuMemPoolSetAttribute, Pointer, Number, InWord>("cuMemPoolSetAttribute"),
    one<Function::cuMemPoolGetAttribute, Pointer, Number, Out<uint64_t>>("cuMemPoolGetAttribute"),
    create<Kind::hostMemory, Function::cuMemHostAlloc, OutHandle, Size, Whole>("cuMemHostAlloc"),
    destroy<Kind::hostMemory, Function::cuMemFreeHost, Pointer>("cuMemFreeHost"),
    one<Function::cuMemcpyHtoDAsync, Bits64, Pointer, Size, Pointer>("cuMemcpyHtoDAsync"),
    one<Function::cuMemcpyDtoHAsync, Pointer, Bits64, Size, Pointer>("cuMemcpyDtoHAsync"),
    one<Function::cuMemcpyDtoDAsync, Bits64, Bits64, Size, Pointer>("cuMemcpyDtoDAsync"),
    one<Function::cuMemcpyPeerAsync, Bits64, Pointer, Bits64, Pointer, Size, Pointer>("cuMemcpyPeerAsync"),
    one<Function::cuMemsetD8Async, Bits64, In<uint8_t>, Size, Pointer>("cuMemsetD8Async"),
    one<Function::cuMemsetD16Async, Bits64, In<uint16_t>, Size, Pointer>("cuMemsetD16Async"),
    one<Function::cuMemsetD32Async, Bits64, Whole, Size, Pointer>("cuMemsetD32Async"),

    one<Function::cuModuleGetLoadingMode, OutNumber>("cuModuleGetLoadingMode"),
    destroy<Kind::module, Function::cuModuleUnload, Pointer>("cuModuleUnload"),
    one<Function::cuModuleGetFunction, OutHandle, Pointer, InText>("cuModuleGetFunction"),
    one<Function::cuModuleGetGlobal, OutAddress, OutSize, Pointer, InText>("cuModuleGetGlobal"),
    one<Function::cuModuleGetFunctionCount, Out<uint32_t>, Pointer>("cuModuleGetFunctionCount"),
    {"cuModuleEnumerateFunctions", 2, runEnumerateFunctions},
    one<Function::cuFuncGetName, OutText, Pointer>("cuFuncGetName"),
    one<Function::cuFuncGetAttribute, OutNumber, Number, Pointer>("cuFuncGetAttribute"),
    one<Function::cuFuncSetAttribute, Pointer, Number, Number>("cuFuncSetAttribute"),
    one<Function::cuFuncGetParamInfo, Pointer, Size, OutSize, OutSize>("cuFuncGetParamInfo"),
    one<Function::cuOccupancyMaxActiveBlocksPerMultiprocessor, OutNumber, Pointer, Number, Size>(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor"),
    // Passes no function for the shared memory of a given block size.
    one<Function::cuOccupancyMaxPotentialBlockSize, OutNumber, OutNumber, Pointer, Null, Size, Number>(
        "cuOccupancyMaxPotentialBlockSize"),

    create<Kind::stream, Function::cuStreamCreateWithPriority, OutHandle, Whole, Number>("cuStreamCreateWithPriority"),
    destroy<Kind::stream, Function::cuStreamDestroy, Pointer>("cuStreamDestroy"),
    one<Function::cuStreamQuery, Pointer>("cuStreamQuery"),
    one<Function::cuStreamSynchronize, Pointer>("cuStreamSynchronize"),
    one<Function::cuStreamWaitEvent, Pointer, Pointer, Whole>("cuStreamWaitEvent"),
    one<Function::cuStreamBeginCapture, Pointer, Number>("cuStreamBeginCapture"),
    create<Kind::graph, Function::cuStreamEndCapture, Pointer, OutHandle>("cuStreamEndCapture"),
    one<Function::cuStreamIsCapturing, Pointer, OutNumber>("cuStreamIsCapturing"),
    create<Kind::event, Function::cuEventCreate, OutHandle, Whole>("cuEventCreate"),
    destroy<Kind::event, Function::cuEventDestroy, Pointer>("cuEventDestroy"),
    one<Function::cuEventRecord, Pointer, Pointer>("cuEventRecord"),
    one<Function::cuEventQuery, Pointer>("cuEventQuery"),
    one<Function::cuEventSynchronize, Pointer>("cuEventSynchronize"),
    one<Function::cuEventElapsedTime, Out<float>, Pointer, Pointer>("cuEventElapsedTime"),
    create<Kind::graphExec, Function::cuGraphInstantiateWithFlags, OutHandle, Pointer, Bits64>("cuGraphInstantiate"),
    one<Function::cuGraphLaunch, Pointer, Pointer>("cuGraphLaunch"),
    destroy<Kind::graph, Function::cuGraphDestroy, Pointer>("cuGraphDestroy"),
    destroy<Kind::graphExec, Function::cuGraphExecDestroy, Pointer>("cuGraphExecDestroy"),
};

}  // namespace

uint16_t operationCount() { return static_cast<uint16_t>(std::size(kOperations)); }

const Operation *operationOf(uint16_t number) { return number < std::size(kOperations) ? &kOperations[number] : nullptr; }

}  // namespace mmptx
