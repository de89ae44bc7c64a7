// What a device is: its properties, by the numbers of CUdevice_attribute (CUDA Driver API, Data types), and the limits of
// launches.

import type { DeviceLimits } from "@mm-ptx/types/core";
import type { Connection } from "./connection.js";
import { CUDA_RESULTS, MISSING, SUCCESS } from "./results.js";

/** What the driver tells of a device; attributes that it does not know are 0. */
export interface DeviceProperties {
  readonly computeCapability: readonly [major: number, minor: number];
  readonly totalMemoryBytes: number;
  /** Streaming multiprocessors. */
  readonly multiprocessors: number;
  /** Of the multiprocessors at most; 0 where the driver does not say. */
  readonly clockRateKHz: number;
  /** 0 where the driver does not say. */
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
  /** Shared memory of a block, without `setDynamicShared`. */
  readonly sharedBytesPerBlock: number;
  /** Shared memory of a block, with `setDynamicShared`. */
  readonly maxSharedBytesPerBlock: number;
  /** Shared memory of a block that the system keeps for itself. */
  readonly reservedSharedBytesPerBlock: number;
  readonly sharedBytesPerMultiprocessor: number;
  /** Copies that run beside kernels. */
  readonly asyncEngines: number;
  /** 1 where kernels run beside each other. */
  readonly concurrentKernels: number;
  /** 1 where kernels that take seconds are ended. */
  readonly kernelTimeLimit: number;
  /** 1 where the device shares the memory of the host. */
  readonly integrated: number;
  /** 0: any process may use the device; 2: none; 3: one. */
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
  keyof DeviceProperties,
  "computeCapability" | "totalMemoryBytes" | "maxBlock" | "maxGrid"
>;

/** The attribute that each property is. */
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
export interface DeviceDescription {
  /** In the order of the driver, from 0; `CUDA_VISIBLE_DEVICES` has a say. */
  readonly ordinal: number;
  readonly name: string;
  /** `GPU-` and five groups of hexadecimal digits; empty where the driver is older than CUDA 11.4. */
  readonly uuid: string;
  /** The architecture that PTX is compiled for, `sm_90`. */
  readonly arch: string;
  readonly properties: DeviceProperties;
}

/** Asks the driver, which needs no context for it. @throws CudaError */
export function describeDevice(connection: Connection, ordinal: number): DeviceDescription {
  const device = connection.call("cuDeviceGet", [ordinal], { asked: `ordinal ${ordinal}` }).values[0]!;
  const attribute = (number: number): number => {
    const reply = connection.ask("cuDeviceGetAttribute", [number, device]);
    const { status, values } = reply;
    if (status === SUCCESS) return Number(BigInt.asIntN(32, values[0]!));
    // An older driver does not know it.
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
    arch: `sm_${computeCapability[0]}${computeCapability[1]}`,
    properties: Object.freeze({
      ...numbers,
      computeCapability,
      maxBlock: triple(MAX_BLOCK),
      maxGrid: triple(MAX_GRID),
      totalMemoryBytes: Number(connection.call("cuDeviceTotalMem", [device]).values[0]!),
    }),
  });
}

/** What launches may ask for. */
export function limitsOf(properties: DeviceProperties): DeviceLimits {
  const { maxThreadsPerBlock, maxBlock, maxGrid, sharedBytesPerBlock, warpSize } = properties;
  // Devices that have no more than that leave the other one at 0.
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
