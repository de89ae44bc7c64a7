// The properties of a device, by the numbers of CUdevice_attribute (CUDA Driver API, Data types), and the limits of
// launches.

import type { DeviceLimits } from "@mm-ptx/types/device";
import type { Connection } from "./connection.js";
import { CUDA_RESULTS, MISSING, SUCCESS } from "./results.js";

/** The properties that the driver reports; attributes that it does not know are 0. */
export interface CudaDeviceProperties {
  readonly computeCapability: readonly [major: number, minor: number];
  readonly totalMemoryBytes: number;
  /** Streaming multiprocessors. */
  readonly multiprocessors: number;
  /** The highest clock rate of the multiprocessors; 0 if the driver does not report it. */
  readonly clockRateKHz: number;
  /** 0 if the driver does not report it. */
  readonly memoryClockRateKHz: number;
  readonly memoryBusBits: number;
  readonly l2CacheBytes: number;
  readonly constantBytes: number;
  readonly warpSize: number;
  readonly maxThreadsPerBlock: number;
  readonly maxThreadsPerMultiprocessor: number;
  readonly maxBlocksPerMultiprocessor: number;
  /** Threads in each direction. */
  readonly maxBlock: readonly [x: number, y: number, z: number];
  /** Blocks in each direction. */
  readonly maxGrid: readonly [x: number, y: number, z: number];
  readonly registersPerBlock: number;
  readonly registersPerMultiprocessor: number;
  /** Shared memory per block without `setDynamicShared`. */
  readonly sharedBytesPerBlock: number;
  /** Shared memory per block with `setDynamicShared`. */
  readonly maxSharedBytesPerBlock: number;
  /** Shared memory per block that the system reserves. */
  readonly reservedSharedBytesPerBlock: number;
  readonly sharedBytesPerMultiprocessor: number;
  /** The number of copies that can run concurrently with kernels. */
  readonly asyncEngines: number;
  /** 1 if kernels can run concurrently. */
  readonly concurrentKernels: number;
  /** 1 if kernels that run for seconds are ended. */
  readonly kernelTimeLimit: number;
  /** 1 if the device shares the host's memory. */
  readonly integrated: number;
  /** 0: any process may use the device; 2: no process may; 3: one process may. */
  readonly computeMode: number;
  readonly eccEnabled: number;
  readonly managedMemory: number;
  readonly memoryPools: number;
  readonly cooperativeLaunch: number;
  readonly clusterLaunch: number;
  readonly pciDomain: number;
  readonly pciBus: number;
  readonly pciDevice: number;
}

type NumberName = Exclude<
  keyof CudaDeviceProperties,
  "computeCapability" | "totalMemoryBytes" | "maxBlock" | "maxGrid"
>;

/** The attribute number of each property. */
const NUMBERS: Readonly<Record<NumberName, number>> = {
  maxThreadsPerBlock: 1,
  sharedBytesPerBlock: 8,
  constantBytes: 9,
  warpSize: 10,
  registersPerBlock: 12,
  clockRateKHz: 13,
  multiprocessors: 16,
  kernelTimeLimit: 17,
  integrated: 18,
  computeMode: 20,
  concurrentKernels: 31,
  eccEnabled: 32,
  pciBus: 33,
  pciDevice: 34,
  memoryClockRateKHz: 36,
  memoryBusBits: 37,
  l2CacheBytes: 38,
  maxThreadsPerMultiprocessor: 39,
  asyncEngines: 40,
  pciDomain: 50,
  sharedBytesPerMultiprocessor: 81,
  registersPerMultiprocessor: 82,
  managedMemory: 83,
  cooperativeLaunch: 95,
  maxSharedBytesPerBlock: 97,
  maxBlocksPerMultiprocessor: 106,
  reservedSharedBytesPerBlock: 111,
  memoryPools: 115,
  clusterLaunch: 120,
};
const MAX_BLOCK = [2, 3, 4] as const;
const MAX_GRID = [5, 6, 7] as const;
const CAPABILITY = [75, 76] as const;

/** A device of this machine. */
export interface CudaDeviceDescription {
  /** The driver's index, counted from 0; `CUDA_VISIBLE_DEVICES` affects it. */
  readonly ordinal: number;
  readonly name: string;
  /** `GPU-` and five groups of hexadecimal digits; empty if the driver is older than CUDA 11.4. */
  readonly uuid: string;
  /** The architecture that PTX is compiled for, such as `sm_90`. */
  readonly arch: string;
  readonly properties: CudaDeviceProperties;
}

/** Queries the driver, which needs no context for this. @throws CudaError */
export function describeDevice(connection: Connection, ordinal: number): CudaDeviceDescription {
  const device = connection.call("cuDeviceGet", [ordinal], { asked: `ordinal ${ordinal}` }).values[0]!;
  const attribute = (number: number): number => {
    const reply = connection.ask("cuDeviceGetAttribute", [number, device]);
    const { status, values } = reply;
    if (status === SUCCESS) return Number(BigInt.asIntN(32, values[0]!));
    // An older driver does not know the attribute.
    if (CUDA_RESULTS.get(status)?.code === "INVALID_VALUE") return 0;
    throw connection.failure(reply, { asked: `attribute ${number}` });
  };
  const triple = (numbers: readonly [number, number, number]) =>
    [attribute(numbers[0]), attribute(numbers[1]), attribute(numbers[2])] as const;
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, number]) => [name, attribute(number)]),
  ) as Record<NumberName, number>;
  const computeCapability = [attribute(CAPABILITY[0]), attribute(CAPABILITY[1])] as const;
  return Object.freeze({
    ordinal,
    name: connection.call("cuDeviceGetName", [device]).text,
    uuid: uuidOf(connection, device),
    arch: `sm_${computeCapability.join("")}`,
    properties: Object.freeze({
      ...numbers,
      computeCapability,
      maxBlock: triple(MAX_BLOCK),
      maxGrid: triple(MAX_GRID),
      totalMemoryBytes: Number(connection.call("cuDeviceTotalMem", [device]).values[0]!),
    }),
  });
}

/** The limits of launches. */
export function limitsOf(properties: CudaDeviceProperties): DeviceLimits {
  const { maxThreadsPerBlock, maxBlock, maxGrid, sharedBytesPerBlock, warpSize } = properties;
  // Devices without opt-in shared memory report 0 for it.
  const maxSharedBytesPerBlock = Math.max(sharedBytesPerBlock, properties.maxSharedBytesPerBlock);
  return Object.freeze({
    maxThreadsPerBlock,
    maxBlock,
    maxGrid,
    sharedBytesPerBlock,
    maxSharedBytesPerBlock,
    warpSize,
  });
}

function uuidOf(connection: Connection, device: bigint): string {
  const reply = connection.ask("cuDeviceGetUuid", [device]);
  if (reply.status === MISSING) return "";
  if (reply.status !== SUCCESS) throw connection.failure(reply);
  const hex = Buffer.from(reply.payload ?? []).toString("hex");
  return `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
