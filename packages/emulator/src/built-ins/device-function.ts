// Helpers of the functions of the device runtime: the errors that they return, writing to memory, and finding kernels.
import type { ProgramFunction } from "../program/program.js";
import { FUNCTION_UPPER } from "../run/memory.js";
import { type BuiltInHost, viewOf, writeBits } from "./built-in.js";

/** Values of `cudaError_t`. */
export const CUDA = {
  SUCCESS: 0,
  INVALID_VALUE: 1,
  OUT_OF_MEMORY: 2,
  INVALID_CONFIGURATION: 9,
  TOO_DEEP: 65,
  TOO_MANY_PENDING: 69,
  INVALID_FUNCTION: 98,
  INVALID_DEVICE: 101,
  OUT_OF_RESOURCES: 701,
  NOT_SUPPORTED: 801,
} as const;

/** Returns a `cudaError_t`. */
export type DeviceFunction = (host: BuiltInHost, args: readonly bigint[]) => number;

/** Writes the lowest bytes of a value to a generic address. @throws the engine's fault */
export function write(host: BuiltInHost, address: bigint, bytes: 4 | 8, value: bigint | number): void {
  const offset = host.offset(address, bytes, "store");
  writeBits(new Uint8Array(viewOf(host).buffer, offset, bytes), value);
}

/** The kernel at an address, or undefined if the address is not that of a kernel. */
export function kernelAt({ launch }: BuiltInHost, address: bigint): ProgramFunction | undefined {
  if (Number(address >> 32n) !== FUNCTION_UPPER) return undefined;
  const found = launch.loaded.program.functions[Number(address & 0xffffffffn)];
  return found?.kind === "entry" ? found : undefined;
}
