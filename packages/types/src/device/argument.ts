// Arguments of launches. Each argument states its type, so that none is passed as something else; the kernel's
// parameters decide whether the arguments fit.

import { MmPtxError } from "../core/error.js";
import type { KernelParameter } from "../core/kernel-parameter.js";
import { describeValue, quoted } from "../internal/describe.js";
import type { DeviceBuffer } from "./device.js";
import { bfloat16Bits, float16Bits } from "./float16.js";

/** INVALID_ARGUMENT: a number that its type can't hold, or a value that is not a number. */
export type ArgumentErrorCode = "INVALID_ARGUMENT";

/** A value that cannot be an argument of the stated type. */
export class ArgumentError extends MmPtxError<ArgumentErrorCode> {
  override readonly name: string = "ArgumentError";
}

/** The type as which a value is passed; `bytes` is for structs. */
export type ArgumentType =
  | "u8"
  | "s8"
  | "u16"
  | "s16"
  | "u32"
  | "s32"
  | "u64"
  | "s64"
  | "f16"
  | "bf16"
  | "f32"
  | "f64"
  | "bytes";

/** A value with its type, made by `f32` and the similar functions. */
export class TypedArgument {
  readonly type: ArgumentType;
  /** The bytes as they are in the kernel's parameter block, little-endian. */
  readonly bytes: Uint8Array;

  constructor(type: ArgumentType, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
    Object.freeze(this);
  }
}

/** An argument of a launch. */
export type LaunchArgument = TypedArgument | DeviceBuffer;

/** An unsigned 8-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const u8 = (value: number): TypedArgument => integer("u8", value);
/** A signed 8-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const s8 = (value: number): TypedArgument => integer("s8", value);
/** An unsigned 16-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const u16 = (value: number): TypedArgument => integer("u16", value);
/** A signed 16-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const s16 = (value: number): TypedArgument => integer("s16", value);
/** An unsigned 32-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const u32 = (value: number): TypedArgument => integer("u32", value);
/** A signed 32-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const s32 = (value: number): TypedArgument => integer("s32", value);
/** An unsigned 64-bit integer, which may be an address. @throws ArgumentError INVALID_ARGUMENT */
export const u64 = (value: number | bigint): TypedArgument => integer("u64", value);
/** A signed 64-bit integer. @throws ArgumentError INVALID_ARGUMENT */
export const s64 = (value: number | bigint): TypedArgument => integer("s64", value);
/** A number rounded to the nearest f16. @throws ArgumentError INVALID_ARGUMENT */
export const f16 = (value: number): TypedArgument =>
  float("f16", 2, value, (view) => view.setUint16(0, float16Bits(value), true));
/** A number rounded to the nearest bf16. @throws ArgumentError INVALID_ARGUMENT */
export const bf16 = (value: number): TypedArgument =>
  float("bf16", 2, value, (view) => view.setUint16(0, bfloat16Bits(value), true));
/** A number rounded to the nearest f32. @throws ArgumentError INVALID_ARGUMENT */
export const f32 = (value: number): TypedArgument =>
  float("f32", 4, value, (view) => view.setFloat32(0, value, true));
/** An f64. @throws ArgumentError INVALID_ARGUMENT */
export const f64 = (value: number): TypedArgument =>
  float("f64", 8, value, (view) => view.setFloat64(0, value, true));

/** A copy of bytes, such as those of a struct that is passed by value. @throws ArgumentError INVALID_ARGUMENT */
export function bytes(value: ArrayBufferView | ArrayBuffer): TypedArgument {
  if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer))
    throw new ArgumentError("INVALID_ARGUMENT", `expected bytes, found ${describeValue(value)}`);
  try {
    const found = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
    return new TypedArgument("bytes", found.slice());
  } catch {
    throw new ArgumentError("INVALID_ARGUMENT", "expected bytes, found a detached array");
  }
}

/** Scratch memory for converting values to bytes. */
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

function integer(type: ArgumentType, value: number | bigint): TypedArgument {
  const size = Number(type.slice(1)) / 8;
  const signed = type.startsWith("s");
  if (size < 8 && typeof value === "number" && Number.isInteger(value)) {
    const count = 2 ** (8 * size);
    const least = signed ? -count / 2 : 0;
    if (value >= least && value < least + count) {
      scratch.setInt32(0, value, true);
      return new TypedArgument(type, scratchBytes.slice(0, size));
    }
  }
  const whole = wholeNumberOf(value);
  const bits = BigInt(size * 8);
  const least = signed ? -(1n << (bits - 1n)) : 0n;
  const most = least + (1n << bits) - 1n;
  if (whole === undefined || whole < least || whole > most) {
    const found = typeof value === "bigint" ? `${value}` : describeValue(value);
    throw new ArgumentError(
      "INVALID_ARGUMENT",
      `expected a whole number from ${least} to ${most} for ${type}, found ${found}`,
    );
  }
  scratch.setBigUint64(0, BigInt.asUintN(64, whole), true);
  return new TypedArgument(type, scratchBytes.slice(0, size));
}

/** Numbers beyond 2^53 may have been rounded, so larger values have to be bigints. */
function wholeNumberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

function float(
  type: ArgumentType,
  size: number,
  value: number,
  write: (view: DataView) => void,
): TypedArgument {
  if (typeof value !== "number") {
    throw new ArgumentError(
      "INVALID_ARGUMENT",
      `expected a number for ${type}, found ${describeValue(value)}`,
    );
  }
  write(scratch);
  return new TypedArgument(type, scratchBytes.slice(0, size));
}

/** How the devices of one kind check their arguments. */
export interface ArgumentRules {
  /**
   * Returns the 8 bytes of the address of one of the device's own buffers, or undefined unless the value is a buffer.
   * Throws for disposed buffers and for those of other devices.
   */
  readonly addressBytes: (argument: unknown) => Uint8Array | undefined;
  /** Makes the error for arguments that are not an array or do not fit. */
  readonly mismatch: (message: string) => Error;
}

/** The length of a kernel's parameter block. */
export function parameterBlockBytes(parameters: readonly KernelParameter[]): number {
  return parameters.reduce((end, { offset, bytes }) => Math.max(end, offset + bytes), 0);
}

/**
 * Packs arguments into a parameter block and checks each against its parameter.
 * @param block the memory to write to; a new block by default. Bytes that no parameter covers are left unchanged
 * @throws TypeError for a value without a type, such as a bare number
 */
export function packArguments(
  kernel: string,
  parameters: readonly KernelParameter[],
  args: readonly LaunchArgument[],
  { addressBytes, mismatch }: ArgumentRules,
  block: Uint8Array = new Uint8Array(parameterBlockBytes(parameters)),
): Uint8Array {
  if (!Array.isArray(args))
    throw mismatch(
      `expected an array of arguments for kernel ${quoted(kernel)}, found ${describeValue(args)}`,
    );
  if (args.length !== parameters.length) {
    const expected = `${parameters.length} argument${parameters.length === 1 ? "" : "s"}`;
    throw mismatch(`expected ${expected} for kernel ${quoted(kernel)}, found ${args.length}`);
  }
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i]!;
    const argument: unknown = args[i];
    const typed = argument instanceof TypedArgument;
    const bytes = typed ? argument.bytes : addressBytes(argument);
    if (bytes === undefined) throw untyped(argument, `argument ${i + 1} of kernel ${quoted(kernel)}`);
    const type = typed ? argument.type : "buffer";
    if (!fits(parameter, type, bytes.length)) {
      const name = parameter.name === undefined ? "" : ` (${quoted(parameter.name)})`;
      const where = `argument ${i + 1} of kernel ${quoted(kernel)}${name}`;
      throw mismatch(`expected ${wantedBy(parameter)} as ${where}, found ${wordsOf(type, bytes.length)}`);
    }
    block.set(bytes, parameter.offset);
  }
  return block;
}

type StatedType = ArgumentType | "buffer";

function untyped(argument: unknown, where: string): TypeError {
  const found = typeof argument === "number" ? `the bare number ${argument}` : describeValue(argument);
  return new TypeError(
    `expected a buffer, or a value with its type such as f32(2) or u32(2), as ${where}, found ${found}`,
  );
}

function wordsOf(type: StatedType, bytes: number): string {
  if (type === "bytes") return `${bytes} bytes`;
  return type === "buffer" ? "a buffer" : type;
}

/** PTX types of integers. Signs are not distinguished, because C mixes them freely. */
const INTEGER = /^[us](8|16|32|64)$/;
const FLOAT = /^b?f(16|32|64)$/;

/** Whether an argument has the size of a parameter, and its kind if the parameter declares one. */
function fits(parameter: KernelParameter, found: StatedType, bytes: number): boolean {
  if (bytes !== parameter.bytes) return false;
  const type = scalarType(parameter);
  if (type === undefined || found === type || found === "bytes") return true;
  if (found === "buffer") return !FLOAT.test(type);
  return INTEGER.test(type) ? INTEGER.test(found) : !FLOAT.test(type);
}

/** The type of a parameter with a single value. */
const scalarType = ({ type, length }: KernelParameter): string | undefined =>
  length === undefined ? type : undefined;

function wantedBy(parameter: KernelParameter): string {
  const type = scalarType(parameter);
  if (type === undefined) return `${parameter.bytes} bytes`;
  return /^[usb]64$/.test(type) ? `a buffer or ${type}` : type;
}
