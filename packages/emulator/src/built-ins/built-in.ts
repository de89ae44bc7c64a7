// Functions that kernels call without defining them, and that JavaScript carries out for one thread at a time. The
// interpreter and translated kernels call the same ones.
import type { FaultPlace } from "../run/fault.js";
import type { LaunchPlan } from "../run/launch.js";

/** The thread that calls a built-in function, and its launch. */
export interface BuiltInHost {
  readonly launch: LaunchPlan;
  /** The place of the call. */
  place(): FaultPlace;
  /**
   * The offset in linear memory of bytes at a generic address, which has to be a multiple of their number.
   * @throws the engine's fault when they are not all inside an allocation
   */
  offset(address: bigint, bytes: number, access: "load" | "store"): number;
  /** What to throw when the thread does something invalid. */
  trap(detail: string): unknown;
}

/**
 * Carries out a call.
 *
 * @param args the bits of the arguments; those of an array begin with its first element
 * @returns the bits of the result; the caller uses as many as it has declared
 */
export type BuiltIn = (host: BuiltInHost, args: readonly bigint[]) => bigint | number;

/** Linear memory as it is now: it may grow whenever something is allocated. */
export const viewOf = ({ launch }: BuiltInHost): DataView => new DataView(launch.loaded.memory.memory.buffer);

const LONGEST_TEXT = 65536;

/** The NUL-terminated text at a generic address. @throws the engine's fault if it runs past its allocation */
export function textAt(host: BuiltInHost, address: bigint): string {
  const view = viewOf(host);
  const bytes: number[] = [];
  for (let at = address; bytes.length < LONGEST_TEXT; at++) {
    const byte = view.getUint8(host.offset(at, 1, "load"));
    if (byte === 0) break;
    bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const BYTE_BITS = 8n;

/** The number that little-endian bytes represent. */
export const bitsOf = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << BYTE_BITS) | BigInt(byte), 0n);

/** Writes the lowest bits of a number as little-endian bytes. */
export function writeBits(bytes: Uint8Array, value: bigint | number): void {
  let rest = BigInt.asUintN(bytes.length * 8, BigInt(value));
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= BYTE_BITS;
  }
}
