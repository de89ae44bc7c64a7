// Arguments of launches. Each one says its type, so that none is passed as something else; a kernel's list of parameters
// says whether they fit.
import { describeValue, quoted } from "./describe.js";
import type { DeviceBuffer } from "./device.js";
import { MmPtxError } from "./error.js";
import { bfloat16Bits, float16Bits } from "./float16.js";

/** WRONG_VALUE: a number that its type can't hold, or no number. */
export type ArgumentErrorCode = "WRONG_VALUE";

/** A value that can't be an argument of the type that was named. */
export class ArgumentError extends MmPtxError<ArgumentErrorCode> {}

/** As what a value is passed. `bytes` are those of a struct. */
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

/** A value with its type, made by `f32` and its like. */
export class TypedArgument {
  readonly type: ArgumentType;
  /** As it stands in the kernel's parameter block, little-endian. */
  readonly bytes: Uint8Array;

  constructor(type: ArgumentType, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
    Object.freeze(this);
  }
}

/** What a kernel is launched with. */
export type LaunchArgument = TypedArgument | DeviceBuffer;

/** A parameter of a kernel, as its module declares it. */
export interface KernelParameter {
  /** As in the PTX; undefined where only a cubin is known. */
  readonly name: string | undefined;
  /** Its PTX type, `u32`; undefined for arrays of bytes, such as structs, and where it is not known. */
  readonly type: string | undefined;
  /** In bytes, in the parameter block. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
}

/** A whole number of 8 bits without sign. @throws ArgumentError WRONG_VALUE */
export const u8 = (value: number): TypedArgument => integer("u8", value);
/** A whole number of 8 bits with sign. @throws ArgumentError WRONG_VALUE */
export const s8 = (value: number): TypedArgument => integer("s8", value);
/** A whole number of 16 bits without sign. @throws ArgumentError WRONG_VALUE */
export const u16 = (value: number): TypedArgument => integer("u16", value);
/** A whole number of 16 bits with sign. @throws ArgumentError WRONG_VALUE */
export const s16 = (value: number): TypedArgument => integer("s16", value);
/** A whole number of 32 bits without sign. @throws ArgumentError WRONG_VALUE */
export const u32 = (value: number): TypedArgument => integer("u32", value);
/** A whole number of 32 bits with sign. @throws ArgumentError WRONG_VALUE */
export const s32 = (value: number): TypedArgument => integer("s32", value);
/** A whole number of 64 bits without sign; also an address. @throws ArgumentError WRONG_VALUE */
export const u64 = (value: number | bigint): TypedArgument => integer("u64", value);
/** A whole number of 64 bits with sign. @throws ArgumentError WRONG_VALUE */
export const s64 = (value: number | bigint): TypedArgument => integer("s64", value);
/** Rounded to the nearest f16. @throws ArgumentError WRONG_VALUE */
export const f16 = (value: number): TypedArgument =>
  float("f16", 2, value, (view) => view.setUint16(0, float16Bits(value), true));
/** Rounded to the nearest bf16. @throws ArgumentError WRONG_VALUE */
export const bf16 = (value: number): TypedArgument =>
  float("bf16", 2, value, (view) => view.setUint16(0, bfloat16Bits(value), true));
/** Rounded to the nearest f32. @throws ArgumentError WRONG_VALUE */
export const f32 = (value: number): TypedArgument =>
  float("f32", 4, value, (view) => view.setFloat32(0, value, true));
/** A number as it is. @throws ArgumentError WRONG_VALUE */
export const f64 = (value: number): TypedArgument =>
  float("f64", 8, value, (view) => view.setFloat64(0, value, true));

/** A copy of bytes, such as those of a struct that is passed by value. @throws ArgumentError WRONG_VALUE */
export function bytes(value: ArrayBufferView | ArrayBuffer): TypedArgument {
  if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer))
    throw new ArgumentError("WRONG_VALUE", `expected bytes, found ${describeValue(value)}`);
  try {
    const found = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
    return new TypedArgument("bytes", found.slice());
  } catch {
    throw new ArgumentError("WRONG_VALUE", "expected bytes, found an array that is detached");
  }
}

/** Where values are written on their way to bytes. */
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
      "WRONG_VALUE",
      `expected a whole number from ${least} to ${most} for ${type}, found ${found}`,
    );
  }
  scratch.setBigUint64(0, BigInt.asUintN(64, whole), true);
  return new TypedArgument(type, scratchBytes.slice(0, size));
}

/** Numbers beyond 2^53 are not what was meant: those take a bigint. */
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
    throw new ArgumentError("WRONG_VALUE", `expected a number for ${type}, found ${describeValue(value)}`);
  }
  write(scratch);
  return new TypedArgument(type, scratchBytes.slice(0, size));
}

/** How devices of one kind check their arguments. */
export interface ArgumentRules {
  /** The 8 bytes of the address of one of its own buffers that is in use; undefined for what is no buffer. Throws for others. */
  readonly addressBytes: (argument: unknown) => Uint8Array | undefined;
  /** The error for arguments that do not fit. */
  readonly mismatch: (message: string) => Error;
}

/** How long the parameter block of a kernel is. */
export function parameterBlockBytes(parameters: readonly KernelParameter[]): number {
  return parameters.reduce((end, { offset, size }) => Math.max(end, offset + size), 0);
}

/**
 * The parameter block for arguments, each checked against its parameter.
 * @param block where it is written; a new one by default. What no parameter covers stays as it is
 * @throws TypeError for what states no type, such as a bare number
 */
export function packArguments(
  kernel: string,
  parameters: readonly KernelParameter[],
  args: readonly LaunchArgument[],
  { addressBytes, mismatch }: ArgumentRules,
  block: Uint8Array = new Uint8Array(parameterBlockBytes(parameters)),
): Uint8Array {
  if (!Array.isArray(args))
    throw new TypeError(`expected an array of arguments, found ${describeValue(args)}`);
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

/** PTX types whose values are whole numbers; signs are not told apart, C's are mixed freely there. */
const INTEGER = /^[us](8|16|32|64)$/;
const FLOAT = /^b?f(16|32|64)$/;

/** Whether an argument is what a parameter declares: of its size, and of its kind where it has one. */
function fits({ type, size }: KernelParameter, found: StatedType, bytes: number): boolean {
  if (bytes !== size) return false;
  if (type === undefined || found === type || found === "bytes") return true;
  if (found === "buffer") return !FLOAT.test(type);
  return INTEGER.test(type) ? INTEGER.test(found) : !FLOAT.test(type);
}

function wantedBy({ type, size }: KernelParameter): string {
  if (type === undefined) return `${size} bytes`;
  return /^[usb]64$/.test(type) ? `a buffer or ${type}` : type;
}
