// How the constants of each kind of stack are written and read.
import type { ConstantType } from "@mm-ptx/types/core";
import {
  readBits,
  readFloat,
  readFloatBits,
  readIndex,
  readSigned,
  writeBits,
  writeDecimal,
  writeFloat,
  writeSigned,
} from "./numbers.js";

/** A text format of constants. In addition, every stack takes bits such as `0x3F800000`. */
export interface ConstantForm {
  /** What was expected, for messages. */
  readonly expected: string;
  /** Writes a constant; returns the offset after it. */
  readonly write: (bytes: Uint8Array, at: number, bits: number) => number;
  /** The bits of a word; -1 when it is not such a constant. */
  readonly read: (bytes: Uint8Array, start: number, end: number) => number;
}

/**
 * For stacks that do not exist or have no constants. The machine accepts constants on them, but no PTX compiler does.
 */
export const BARE_BITS: ConstantForm = {
  expected: "bits such as `0x3F800000`, as the stack has no constants",
  write: (bytes, at, bits) => writeBits(bytes, at, bits),
  read: (bytes, start, end) => readBits(bytes, start, end),
};

export const CONSTANT_FORMS: Readonly<Record<ConstantType, ConstantForm>> = {
  f32: {
    expected: "an f32 such as `1.5` or `0f3FC00000`",
    write: writeFloat,
    read: bitsOr((bytes, start, end) => {
      const bits = readFloatBits(bytes, start, end);
      return bits >= 0 ? bits : readFloat(bytes, start, end);
    }),
  },
  u32: {
    expected: "a u32 such as `7` or `0x00000007`",
    write: writeDecimal,
    read: bitsOr((bytes, start, end) => readIndex(bytes, start, end, 0xffffffff)),
  },
  s32: {
    expected: "an s32 such as `-7` or `0xFFFFFFF9`",
    write: writeSigned,
    read: bitsOr(readSigned),
  },
};

function bitsOr(read: ConstantForm["read"]): ConstantForm["read"] {
  return (bytes, start, end) => {
    const bits = readBits(bytes, start, end);
    return bits >= 0 ? bits : read(bytes, start, end);
  };
}
