// Remedies for driver results whose causes are known.

import type { CudaResultCode } from "./results.js";

const NEWER_DRIVER =
  "`mm-ptx-cuda doctor` shows the CUDA versions of the driver and the compiler; install a newer driver, or compile with an older toolkit";
const MEMCHECK =
  "`compute-sanitizer` finds the access, and so does the emulator, which checks every access; the device is unusable in this process afterwards, unless it was opened with `isolate: true`";

const HINTS: Partial<Record<CudaResultCode, string>> = {
  OUT_OF_MEMORY:
    "`device.memoryInfo()` shows how much is free; dispose unneeded buffers, or close other programs that use the device",
  STUB_LIBRARY: "the `stubs` folder of a toolkit precedes the driver's folder in the library path",
  CALL_REQUIRES_NEWER_DRIVER: NEWER_DRIVER,
  DEVICE_UNAVAILABLE: "`nvidia-smi` shows which processes use the device, and its compute mode",
  NO_DEVICE: "is CUDA_VISIBLE_DEVICES set, and are the devices passed into the container (`--gpus all`)?",
  INVALID_DEVICE: "`CudaDevice.list()` lists the devices",
  INVALID_IMAGE: "load takes PTX, a cubin or a fatbin; was the whole file read, and as bytes?",
  NO_BINARY_FOR_GPU:
    "compile for `device.arch`; a cubin runs on its own architecture and on some later ones of the same major version, which `runsOn` of `@mm-ptx/ptx` knows",
  INVALID_PTX:
    "the error's `log` holds the driver compiler's messages; without `jit`, this package compiles the PTX and reports more",
  JIT_COMPILER_NOT_FOUND: "load without `jit`, so that this package compiles the PTX",
  UNSUPPORTED_PTX_VERSION: NEWER_DRIVER,
  SHARED_OBJECT_INIT_FAILED: "a module that was linked with libraries lacks one of them",
  NOT_FOUND: 'names of kernels are mangled unless they are `extern "C"`',
  ILLEGAL_ADDRESS: MEMCHECK,
  MISALIGNED_ADDRESS: MEMCHECK,
  INVALID_ADDRESS_SPACE: MEMCHECK,
  INVALID_PC: MEMCHECK,
  HARDWARE_STACK_ERROR: MEMCHECK,
  ILLEGAL_INSTRUCTION: MEMCHECK,
  LAUNCH_FAILED: MEMCHECK,
  LAUNCH_OUT_OF_RESOURCES:
    "registers per thread (`kernel.attributes.registers`) times threads per block must fit the device's `registersPerBlock`: launch smaller blocks, or compile with `maxRegisters`",
  LAUNCH_TIMEOUT: "a device that drives a display ends kernels that run for seconds",
  COOPERATIVE_LAUNCH_TOO_LARGE:
    "`kernel.maxActiveBlocks(block)` times the number of multiprocessors is the maximum",
  NOT_SUPPORTED: "`device.properties` shows what the device supports",
  SYSTEM_NOT_READY: "machines with NVSwitch need the nvidia-fabricmanager service",
  SYSTEM_DRIVER_MISMATCH: "after a driver update, restart the machine or reload the kernel module",
  STREAM_CAPTURE_UNSUPPORTED:
    "calls that wait for the device, and copies of pageable memory, can't be captured",
  INVALID_CLUSTER_SIZE:
    "clusters of up to 8 blocks run on every device that has clusters, and the grid must be a multiple of the cluster",
};

/** @returns undefined if there is no general remedy */
export const hintOf = (code: CudaResultCode): string | undefined => HINTS[code];
