// What helps against the driver's results whose causes are known.

import type { CudaResultCode } from "./results.js";

const NEWER_DRIVER =
  "`mm-ptx-cuda doctor` shows the versions of CUDA that driver and compiler are of; install a newer driver, or compile with an older toolkit";
const MEMCHECK =
  "`compute-sanitizer` finds the access, and so does the emulator, which checks each one; after it the device can't be used any more in this process unless it was opened with `isolate: true`";

const HINTS: Partial<Record<CudaResultCode, string>> = {
  OUT_OF_MEMORY:
    "`device.memoryInfo()` says what is free; dispose buffers that are not needed, or close what else uses the device",
  STUB_LIBRARY: "the folder `stubs` of a toolkit is before the driver's in the library path",
  CALL_REQUIRES_NEWER_DRIVER: NEWER_DRIVER,
  DEVICE_UNAVAILABLE: "`nvidia-smi` shows who has the device, and its compute mode",
  NO_DEVICE: "is CUDA_VISIBLE_DEVICES set, and are the devices passed into the container (`--gpus all`)?",
  INVALID_DEVICE: "`Device.list()` tells which devices there are",
  INVALID_IMAGE: "load takes PTX, a cubin or a fatbin; was the file read as a whole and as bytes?",
  NO_BINARY_FOR_GPU:
    "compile for `device.arch`; a cubin runs on its own architecture and on later ones of the same major version",
  INVALID_PTX:
    "the error's `log` is what the driver's compiler says; without `jit` the text is compiled by ours, which says more",
  JIT_COMPILER_NOT_FOUND: "load without `jit`: PTX is then compiled by this package",
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
    "registers of a thread (`kernel.attributes.registers`) times threads of a block must fit the device's `registersPerBlock`: launch smaller blocks, or compile with `maxRegisters`",
  LAUNCH_TIMEOUT: "a device that draws the screen ends kernels that take seconds",
  COOPERATIVE_LAUNCH_TOO_LARGE: "`kernel.maxActiveBlocks(block)` times the multiprocessors is the most",
  NOT_SUPPORTED: "`device.properties` tells what the device supports",
  SYSTEM_NOT_READY: "machines with NVSwitch need the service nvidia-fabricmanager",
  SYSTEM_DRIVER_MISMATCH: "restart the machine after the driver was updated, or load its kernel module anew",
  STREAM_CAPTURE_UNSUPPORTED:
    "what waits for the device, and copies of memory that is not pinned, can't be captured",
  INVALID_CLUSTER_SIZE: "up to 8 blocks a cluster run everywhere, and the grid must be a multiple of it",
};

/** @returns undefined where nothing general can be said */
export const hintOf = (code: CudaResultCode): string | undefined => HINTS[code];
