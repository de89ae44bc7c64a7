// The driver's results (CUresult, CUDA Driver API, Data types) by number: the error code, the meaning, and whether the
// context is unusable afterwards.

/** Names of CUresult without `CUDA_ERROR_`. */
export type CudaResultCode =
  | "INVALID_VALUE"
  | "OUT_OF_MEMORY"
  | "NOT_INITIALIZED"
  | "DEINITIALIZED"
  | "PROFILER_DISABLED"
  | "PROFILER_NOT_INITIALIZED"
  | "PROFILER_ALREADY_STARTED"
  | "PROFILER_ALREADY_STOPPED"
  | "STUB_LIBRARY"
  | "CALL_REQUIRES_NEWER_DRIVER"
  | "DEVICE_UNAVAILABLE"
  | "NO_DEVICE"
  | "INVALID_DEVICE"
  | "DEVICE_NOT_LICENSED"
  | "INVALID_IMAGE"
  | "INVALID_CONTEXT"
  | "CONTEXT_ALREADY_CURRENT"
  | "MAP_FAILED"
  | "UNMAP_FAILED"
  | "ARRAY_IS_MAPPED"
  | "ALREADY_MAPPED"
  | "NO_BINARY_FOR_GPU"
  | "ALREADY_ACQUIRED"
  | "NOT_MAPPED"
  | "NOT_MAPPED_AS_ARRAY"
  | "NOT_MAPPED_AS_POINTER"
  | "ECC_UNCORRECTABLE"
  | "UNSUPPORTED_LIMIT"
  | "CONTEXT_ALREADY_IN_USE"
  | "PEER_ACCESS_UNSUPPORTED"
  | "INVALID_PTX"
  | "INVALID_GRAPHICS_CONTEXT"
  | "NVLINK_UNCORRECTABLE"
  | "JIT_COMPILER_NOT_FOUND"
  | "UNSUPPORTED_PTX_VERSION"
  | "JIT_COMPILATION_DISABLED"
  | "UNSUPPORTED_EXEC_AFFINITY"
  | "UNSUPPORTED_DEVSIDE_SYNC"
  | "CONTAINED"
  | "INVALID_SOURCE"
  | "FILE_NOT_FOUND"
  | "SHARED_OBJECT_SYMBOL_NOT_FOUND"
  | "SHARED_OBJECT_INIT_FAILED"
  | "OPERATING_SYSTEM"
  | "INVALID_HANDLE"
  | "ILLEGAL_STATE"
  | "LOSSY_QUERY"
  | "NOT_FOUND"
  | "NOT_READY"
  | "ILLEGAL_ADDRESS"
  | "LAUNCH_OUT_OF_RESOURCES"
  | "LAUNCH_TIMEOUT"
  | "LAUNCH_INCOMPATIBLE_TEXTURING"
  | "PEER_ACCESS_ALREADY_ENABLED"
  | "PEER_ACCESS_NOT_ENABLED"
  | "PRIMARY_CONTEXT_ACTIVE"
  | "CONTEXT_IS_DESTROYED"
  | "ASSERT"
  | "TOO_MANY_PEERS"
  | "HOST_MEMORY_ALREADY_REGISTERED"
  | "HOST_MEMORY_NOT_REGISTERED"
  | "HARDWARE_STACK_ERROR"
  | "ILLEGAL_INSTRUCTION"
  | "MISALIGNED_ADDRESS"
  | "INVALID_ADDRESS_SPACE"
  | "INVALID_PC"
  | "LAUNCH_FAILED"
  | "COOPERATIVE_LAUNCH_TOO_LARGE"
  | "TENSOR_MEMORY_LEAK"
  | "NOT_PERMITTED"
  | "NOT_SUPPORTED"
  | "SYSTEM_NOT_READY"
  | "SYSTEM_DRIVER_MISMATCH"
  | "COMPAT_NOT_SUPPORTED_ON_DEVICE"
  | "MPS_CONNECTION_FAILED"
  | "MPS_RPC_FAILURE"
  | "MPS_SERVER_NOT_READY"
  | "MPS_MAX_CLIENTS_REACHED"
  | "MPS_MAX_CONNECTIONS_REACHED"
  | "MPS_CLIENT_TERMINATED"
  | "CDP_NOT_SUPPORTED"
  | "CDP_VERSION_MISMATCH"
  | "STREAM_CAPTURE_UNSUPPORTED"
  | "STREAM_CAPTURE_INVALIDATED"
  | "STREAM_CAPTURE_MERGE"
  | "STREAM_CAPTURE_UNMATCHED"
  | "STREAM_CAPTURE_UNJOINED"
  | "STREAM_CAPTURE_ISOLATION"
  | "STREAM_CAPTURE_IMPLICIT"
  | "CAPTURED_EVENT"
  | "STREAM_CAPTURE_WRONG_THREAD"
  | "TIMEOUT"
  | "GRAPH_EXEC_UPDATE_FAILURE"
  | "EXTERNAL_DEVICE"
  | "INVALID_CLUSTER_SIZE"
  | "FUNCTION_NOT_LOADED"
  | "INVALID_RESOURCE_TYPE"
  | "INVALID_RESOURCE_CONFIGURATION"
  | "KEY_ROTATION"
  | "UNKNOWN";

/** The meaning of a result. */
export interface CudaResult {
  readonly code: CudaResultCode;
  readonly text: string;
  /** Whether every later call in the context returns it again. */
  readonly sticky: boolean;
}

type Row = readonly [number: number, code: CudaResultCode, text: string];

const PASSING: readonly Row[] = [
  [1, "INVALID_VALUE", "an argument is out of range"],
  [2, "OUT_OF_MEMORY", "there is not enough memory"],
  [3, "NOT_INITIALIZED", "the driver is not initialized"],
  [4, "DEINITIALIZED", "the driver is shutting down"],
  [5, "PROFILER_DISABLED", "the profiler is not available"],
  [6, "PROFILER_NOT_INITIALIZED", "the profiler is not initialized"],
  [7, "PROFILER_ALREADY_STARTED", "the profiler is already running"],
  [8, "PROFILER_ALREADY_STOPPED", "the profiler is not running"],
  [34, "STUB_LIBRARY", "the library is a stub for linking, not a driver"],
  [36, "CALL_REQUIRES_NEWER_DRIVER", "the call needs a newer driver"],
  [46, "DEVICE_UNAVAILABLE", "the device is used exclusively by another process, or no process may use it"],
  [100, "NO_DEVICE", "the driver found no device"],
  [101, "INVALID_DEVICE", "there is no device with this ordinal"],
  [102, "DEVICE_NOT_LICENSED", "the device has no license"],
  [200, "INVALID_IMAGE", "the module is not a device image"],
  [201, "INVALID_CONTEXT", "the thread has no valid context"],
  [202, "CONTEXT_ALREADY_CURRENT", "the context is already current"],
  [205, "MAP_FAILED", "mapping failed"],
  [206, "UNMAP_FAILED", "unmapping failed"],
  [207, "ARRAY_IS_MAPPED", "the array is mapped"],
  [208, "ALREADY_MAPPED", "the resource is already mapped"],
  [209, "NO_BINARY_FOR_GPU", "the module has no code for this device"],
  [210, "ALREADY_ACQUIRED", "the resource is already acquired"],
  [211, "NOT_MAPPED", "the resource is not mapped"],
  [212, "NOT_MAPPED_AS_ARRAY", "the resource is not mapped as an array"],
  [213, "NOT_MAPPED_AS_POINTER", "the resource is not mapped as a pointer"],
  [215, "UNSUPPORTED_LIMIT", "the device has no such limit"],
  [216, "CONTEXT_ALREADY_IN_USE", "another thread uses the context"],
  [217, "PEER_ACCESS_UNSUPPORTED", "these devices can't access each other's memory"],
  [218, "INVALID_PTX", "the driver could not compile the PTX"],
  [219, "INVALID_GRAPHICS_CONTEXT", "the graphics context is not valid"],
  [221, "JIT_COMPILER_NOT_FOUND", "the driver's PTX compiler is not installed"],
  [222, "UNSUPPORTED_PTX_VERSION", "the PTX is newer than the driver's compiler"],
  [223, "JIT_COMPILATION_DISABLED", "the driver's PTX compiler is disabled"],
  [224, "UNSUPPORTED_EXEC_AFFINITY", "the device does not support this execution affinity"],
  [225, "UNSUPPORTED_DEVSIDE_SYNC", "a kernel calls cudaDeviceSynchronize, which is not supported"],
  [300, "INVALID_SOURCE", "a kernel's source is invalid"],
  [301, "FILE_NOT_FOUND", "a file was not found"],
  [302, "SHARED_OBJECT_SYMBOL_NOT_FOUND", "a library lacks a symbol"],
  [303, "SHARED_OBJECT_INIT_FAILED", "a library could not be initialized"],
  [304, "OPERATING_SYSTEM", "a call of the operating system failed"],
  [400, "INVALID_HANDLE", "a handle is invalid"],
  [401, "ILLEGAL_STATE", "a resource is not in the state that the call requires"],
  [402, "LOSSY_QUERY", "the query would lose information"],
  [500, "NOT_FOUND", "nothing has this name"],
  [600, "NOT_READY", "earlier queued work is not done"],
  [701, "LAUNCH_OUT_OF_RESOURCES", "the launch needs more registers or shared memory than are available"],
  [703, "LAUNCH_INCOMPATIBLE_TEXTURING", "the launch has an incompatible texturing mode"],
  [704, "PEER_ACCESS_ALREADY_ENABLED", "access to the peer is already enabled"],
  [705, "PEER_ACCESS_NOT_ENABLED", "access to the peer is not enabled"],
  [708, "PRIMARY_CONTEXT_ACTIVE", "the primary context is already in use"],
  [711, "TOO_MANY_PEERS", "no more peers can be accessed"],
  [712, "HOST_MEMORY_ALREADY_REGISTERED", "the memory is already registered"],
  [713, "HOST_MEMORY_NOT_REGISTERED", "the memory is not registered"],
  [
    720,
    "COOPERATIVE_LAUNCH_TOO_LARGE",
    "the blocks of a cooperative launch do not fit on the device at once",
  ],
  [800, "NOT_PERMITTED", "the operation is not permitted"],
  [801, "NOT_SUPPORTED", "the device or the system does not support the operation"],
  [802, "SYSTEM_NOT_READY", "the system is not ready for CUDA"],
  [803, "SYSTEM_DRIVER_MISMATCH", "the versions of the driver and its kernel module differ"],
  [804, "COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility does not support this device"],
  [805, "MPS_CONNECTION_FAILED", "the MPS client could not connect"],
  [806, "MPS_RPC_FAILURE", "a call to the MPS server failed"],
  [807, "MPS_SERVER_NOT_READY", "the MPS server is not ready"],
  [808, "MPS_MAX_CLIENTS_REACHED", "the MPS server has no room for another client"],
  [809, "MPS_MAX_CONNECTIONS_REACHED", "the MPS server has no room for another connection"],
  [811, "CDP_NOT_SUPPORTED", "kernels can't launch kernels on this device"],
  [812, "CDP_VERSION_MISMATCH", "the versions of dynamic parallelism differ"],
  [900, "STREAM_CAPTURE_UNSUPPORTED", "the operation can't be captured"],
  [901, "STREAM_CAPTURE_INVALIDATED", "an earlier error invalidated the capture"],
  [902, "STREAM_CAPTURE_MERGE", "two captures would be merged"],
  [903, "STREAM_CAPTURE_UNMATCHED", "the capture was not begun on this stream"],
  [904, "STREAM_CAPTURE_UNJOINED", "captured work on another stream was not joined"],
  [905, "STREAM_CAPTURE_ISOLATION", "captured work would depend on work that is not captured"],
  [906, "STREAM_CAPTURE_IMPLICIT", "captured work would depend on the default stream"],
  [907, "CAPTURED_EVENT", "the event was recorded in a capture"],
  [908, "STREAM_CAPTURE_WRONG_THREAD", "another thread began the capture"],
  [909, "TIMEOUT", "the time limit was exceeded"],
  [910, "GRAPH_EXEC_UPDATE_FAILURE", "the graph can't be updated this way"],
  [912, "INVALID_CLUSTER_SIZE", "the device can't launch clusters of this size"],
  [913, "FUNCTION_NOT_LOADED", "the function is not loaded yet"],
  [914, "INVALID_RESOURCE_TYPE", "a resource is of the wrong type"],
  [915, "INVALID_RESOURCE_CONFIGURATION", "resources can't be divided this way"],
  [916, "KEY_ROTATION", "a key of confidential computing is being replaced"],
  [999, "UNKNOWN", "the driver reports no cause"],
];

const STICKY: readonly Row[] = [
  [214, "ECC_UNCORRECTABLE", "device memory has an uncorrectable error"],
  [220, "NVLINK_UNCORRECTABLE", "an NVLink transfer has an uncorrectable error"],
  [226, "CONTAINED", "the device contained an error, such as an invalid access to a peer"],
  [700, "ILLEGAL_ADDRESS", "a kernel accessed memory that it may not access"],
  [702, "LAUNCH_TIMEOUT", "a kernel took longer than the system allows"],
  [709, "CONTEXT_IS_DESTROYED", "the context was destroyed"],
  [710, "ASSERT", "an assertion of a kernel failed"],
  [714, "HARDWARE_STACK_ERROR", "a kernel's stack is corrupt or too small"],
  [715, "ILLEGAL_INSTRUCTION", "a kernel executed an illegal instruction"],
  [716, "MISALIGNED_ADDRESS", "a kernel accessed an address that is not aligned"],
  [717, "INVALID_ADDRESS_SPACE", "a kernel accessed an address in the wrong state space"],
  [718, "INVALID_PC", "a kernel jumped outside of its code"],
  [719, "LAUNCH_FAILED", "a kernel failed, for example with an access outside of shared memory"],
  [721, "TENSOR_MEMORY_LEAK", "a kernel ended with unfreed tensor memory"],
  [810, "MPS_CLIENT_TERMINATED", "the MPS server ended this client"],
  [911, "EXTERNAL_DEVICE", "a device that is not the GPU failed"],
];

const of =
  (sticky: boolean) =>
  (row: Row): [number, CudaResult] => [row[0], { code: row[1], text: row[2], sticky }];

/** The failures by number. */
export const CUDA_RESULTS: ReadonlyMap<number, CudaResult> = new Map([
  ...PASSING.map(of(false)),
  ...STICKY.map(of(true)),
]);

/** Results that callers check by number. */
export const SUCCESS = 0;
export const NOT_READY = 600;
/** The addon's status for a function that the driver lacks. */
export const MISSING = -1;
