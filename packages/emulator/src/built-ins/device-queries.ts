// Functions of the device runtime that ask for properties of the device and of kernels.
import {
  ATTRIBUTES,
  BLOCKS_PER_MULTIPROCESSOR,
  RESERVED_SHARED,
  SHARED_PER_MULTIPROCESSOR,
  THREADS_PER_MULTIPROCESSOR,
} from "./device-attributes.js";
import { CUDA, type DeviceFunction, kernelAt, write } from "./device-function.js";

/**
 * The values of `cudaLimit`: the stack, the buffer of printf, the heap, the depth of synchronization, and pending
 * launches.
 */
const LIMITS: readonly number[] = [1024, 1048576, 8388608, 2, 2048];

const activeBlocks: DeviceFunction = (host, [into = 0n, address = 0n, threads = 0n, dynamic = 0n]) => {
  const kernel = kernelAt(host, address);
  const limits = kernel && host.launch.hooks.launches?.limitsOf(kernel);
  const block = Number(BigInt.asIntN(32, threads));
  if (kernel === undefined || limits === undefined || block < 1) return CUDA.INVALID_VALUE;
  const shared = kernel.sharedBytes + Number(dynamic) + RESERVED_SHARED;
  const fits = block <= limits.attributes.maxThreadsPerBlock && dynamic <= BigInt(limits.mostDynamic);
  const most = Math.min(
    Math.floor(THREADS_PER_MULTIPROCESSOR / (32 * Math.ceil(block / 32))),
    BLOCKS_PER_MULTIPROCESSOR,
    Math.floor(SHARED_PER_MULTIPROCESSOR / shared),
  );
  write(host, into, 4, fits ? most : 0);
  return CUDA.SUCCESS;
};

const ACTIVE_BLOCKS = "MaxActiveBlocksPerMultiprocessor";

/** The entry points, and the names of their system calls where these differ. */
export const DEVICE_QUERIES: readonly (readonly [name: string, call: DeviceFunction, systemCall?: string])[] =
  [
    [
      "GetDevice",
      (host, [into = 0n]) => {
        write(host, into, 4, 0);
        return CUDA.SUCCESS;
      },
    ],
    [
      "GetDeviceCount",
      (host, [into = 0n]) => {
        write(host, into, 4, 1);
        return CUDA.SUCCESS;
      },
    ],
    [
      "DeviceGetAttribute",
      (host, [into = 0n, attribute = 0n, device = 0n]) => {
        if (device !== 0n) return CUDA.INVALID_DEVICE;
        write(host, into, 4, ATTRIBUTES.get(Number(attribute)) ?? 0);
        return CUDA.SUCCESS;
      },
    ],
    [
      "DeviceGetLimit",
      (host, [into = 0n, limit = 0n]) => {
        const value = LIMITS[Number(limit)];
        if (value === undefined) return CUDA.INVALID_VALUE;
        write(host, into, 8, value);
        return CUDA.SUCCESS;
      },
      "GetLimit",
    ],
    [`Occupancy${ACTIVE_BLOCKS}`, activeBlocks, ACTIVE_BLOCKS],
    [`Occupancy${ACTIVE_BLOCKS}WithFlags`, activeBlocks, `${ACTIVE_BLOCKS}WithFlags`],
  ];

/** The registers of a thread; PTX does not determine their number. */
const REGISTERS = 32;
/** The PTX and binary version that kernels report: that of sm_90. */
const VERSION = 90;

/** Writes an attribute of a kernel: its numbers are those of `CUfunction_attribute`. */
export const functionAttribute: DeviceFunction = (host, [into = 0n, attribute = 0n, address = 0n]) => {
  const kernel = kernelAt(host, address);
  const limits = kernel && host.launch.hooks.launches?.limitsOf(kernel);
  if (kernel === undefined || limits === undefined) return CUDA.INVALID_VALUE;
  const { variables } = host.launch.loaded.program;
  const constants = variables.filter(({ space }) => space === "const");
  const values = [
    limits.attributes.maxThreadsPerBlock,
    kernel.sharedBytes,
    constants.reduce((sum, { bytes }) => sum + bytes, 0),
    kernel.frameBytes,
    REGISTERS,
    VERSION,
    VERSION,
  ];
  const value = values[Number(attribute)];
  if (value === undefined) return CUDA.INVALID_VALUE;
  write(host, into, 4, value);
  return CUDA.SUCCESS;
};
