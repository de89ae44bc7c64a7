// Arguments of launches: their bytes, values that their types can't represent, and which parameters accept
// them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KernelParameter } from "../../src/core/index.js";
import {
  ArgumentError,
  bf16,
  bytes,
  type DeviceBuffer,
  f16,
  f32,
  f64,
  type LaunchArgument,
  s8,
  s16,
  s32,
  s64,
  type TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "../../src/device/index.js";
import { packArguments } from "../../src/internal/index.js";

const hex = ({ bytes }: TypedArgument) => Buffer.from(bytes).toString("hex");

describe("the bytes of an argument", () => {
  it.each([
    [u8(255), "ff"],
    [s8(-1), "ff"],
    [u16(0xabcd), "cdab"],
    [s16(-2), "feff"],
    [u32(0xffffffff), "ffffffff"],
    [s32(-2147483648), "00000080"],
    [u64(2n ** 64n - 1n), "ffffffffffffffff"],
    [u64(2 ** 53 - 1), "ffffffffffff1f00"],
    [s64(-1), "ffffffffffffffff"],
    [f32(0.1), "cdcccc3d"],
    [f64(0.1), "9a9999999999b93f"],
    [f16(1), "003c"],
    [f16(65519), "ff7b"],
    [f16(65520), "007c"],
    [f16(-Infinity), "00fc"],
    [f16(NaN), "ff7f"],
    [f16(-0), "0080"],
    [f16(2 ** -24), "0100"],
    [f16(2 ** -25), "0000"],
    [f16(2 ** -25 * 1.0001), "0100"],
    [f16(2049), "0068"],
    [f16(2051), "0268"],
    [bf16(1), "803f"],
    [bf16(3.4e38), "807f"],
    [bf16(-(2 ** -133)), "0180"],
    [bf16(1 + 2 ** -8), "803f"],
    [bf16(1 + 3 * 2 ** -8), "823f"],
    [bytes(new Uint16Array([1, 2])), "01000200"],
    [bytes(new Uint8Array([1, 2, 3]).buffer), "010203"],
  ])("of %o", (argument, expected) => expect(hex(argument)).toBe(expected));

  it("of f16 are exact for every f16", () => {
    for (let bits = 0; bits < 0x8000; bits++) {
      const [exponent, fraction] = [bits >> 10, bits & 0x3ff];
      const value =
        exponent === 31
          ? fraction === 0
            ? Infinity
            : NaN
          : exponent === 0
            ? fraction * 2 ** -24
            : (1 + fraction / 1024) * 2 ** (exponent - 15);
      const wanted = Number.isNaN(value) ? 0x7fff : bits;
      expect(new DataView(f16(value).bytes.buffer).getUint16(0, true)).toBe(wanted);
    }
  });

  it("of bf16 are those of the nearest bf16", () => {
    const word = new DataView(new ArrayBuffer(4));
    const numberOf = (bits: number) => {
      word.setUint32(0, bits << 16);
      return word.getFloat32(0);
    };
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true, min: 0, max: Math.fround(3e38) }),
        (value) => {
          const bits = new DataView(bf16(value).bytes.buffer).getUint16(0, true);
          const distance = Math.abs(numberOf(bits) - value);
          for (const other of [bits - 1, bits + 1].filter((each) => each >= 0)) {
            const theirs = Math.abs(numberOf(other) - value);
            expect(theirs > distance || (theirs === distance && bits % 2 === 0)).toBe(true);
          }
        },
      ),
    );
  });

  it("are a copy", () => {
    const source = new Uint8Array([1]);
    const argument = bytes(source);
    source[0] = 2;
    expect(hex(argument)).toBe("01");
  });
});

describe("a value that its type can't represent", () => {
  it.each([
    [() => bytes(detached()), "expected bytes, found a detached array"],
    [() => u8(256), "expected a whole number from 0 to 255 for u8, found 256"],
    [() => s8(128), "expected a whole number from -128 to 127 for s8, found 128"],
    [() => u32(-1), "expected a whole number from 0 to 4294967295 for u32, found -1"],
    [() => u32(1.5), "expected a whole number from 0 to 4294967295 for u32, found 1.5"],
    [() => u32(NaN), "expected a whole number from 0 to 4294967295 for u32, found NaN"],
    [
      () => u64(2 ** 53),
      "expected a whole number from 0 to 18446744073709551615 for u64, found 9007199254740992",
    ],
    [() => u64(-1n), "expected a whole number from 0 to 18446744073709551615 for u64, found -1"],
    [() => f32("2" as never), "expected a number for f32, found `2`"],
    [() => bytes([1] as never), "expected bytes, found an array"],
  ])("is refused: %o", (make, message) => {
    const error = thrownBy(make) as ArgumentError;
    expect(error).toBeInstanceOf(ArgumentError);
    expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", message]);
  });
});

describe("arguments and parameters", () => {
  class Mismatch extends Error {}
  const buffer = { address: 0x1234n } as DeviceBuffer;
  const rules = {
    addressBytes: (argument: unknown) => (argument === buffer ? u64(0x1234).bytes : undefined),
    mismatch: (message: string) => new Mismatch(message),
  };
  const parameter = (type: string | undefined, size: number, offset = 0): KernelParameter => ({
    name: "p",
    ...(type === undefined ? {} : { type }),
    bytes: size,
    offset,
  });
  const pack = (parameters: readonly KernelParameter[], args: readonly LaunchArgument[]) =>
    packArguments("k", parameters, args, rules);

  it("form a block with each argument at its offset", () => {
    const parameters = [
      parameter("u64", 8),
      parameter("f32", 4, 8),
      parameter(undefined, 3, 12),
      parameter("u8", 1, 20),
    ];
    const block = pack(parameters, [buffer, f32(1), bytes(new Uint8Array([1, 2, 3])), s8(-1)]);
    expect(Buffer.from(block).toString("hex")).toBe("34120000000000000000803f0102030000000000ff");
  });

  it.each<[string | undefined, number, LaunchArgument]>([
    ["u32", 4, s32(-1)],
    ["b32", 4, f32(1)],
    ["b32", 4, u32(1)],
    ["s64", 8, buffer],
    [undefined, 8, buffer],
    [undefined, 2, f16(1)],
    ["f16", 2, f16(1)],
    ["f32", 4, bytes(new Uint8Array(4))],
  ])("%s of %i bytes accepts %o", (type, size, argument) => {
    expect(pack([parameter(type, size)], [argument])).toHaveLength(size);
  });

  it.each<[string | undefined, number, LaunchArgument, string]>([
    ["f32", 4, u32(1), "expected f32 as argument 1 of kernel `k` (`p`), found u32"],
    ["u32", 4, f32(1), "expected u32 as argument 1 of kernel `k` (`p`), found f32"],
    ["u64", 8, u32(1), "expected a buffer or u64 as argument 1 of kernel `k` (`p`), found u32"],
    ["u32", 4, buffer, "expected u32 as argument 1 of kernel `k` (`p`), found a buffer"],
    ["f64", 8, buffer, "expected f64 as argument 1 of kernel `k` (`p`), found a buffer"],
    ["f16", 2, bf16(1), "expected f16 as argument 1 of kernel `k` (`p`), found bf16"],
    [
      undefined,
      12,
      bytes(new Uint8Array(8)),
      "expected 12 bytes as argument 1 of kernel `k` (`p`), found 8 bytes",
    ],
  ])("%s of %i bytes refuses %o", (type, size, argument, message) => {
    const error = thrownBy(() => pack([parameter(type, size)], [argument])) as Error;
    expect(error).toBeInstanceOf(Mismatch);
    expect(error.message).toBe(message);
  });

  it.each([3, undefined, null, {}])("must be an array, unlike %o", (args) => {
    const error = thrownBy(() => pack([], args as never)) as Error;
    expect(error).toBeInstanceOf(Mismatch);
    expect(error.message).toMatch(/^expected an array of arguments for kernel `k`, found /);
  });

  it("must agree in number", () => {
    expect(() => pack([parameter("u32", 4)], [])).toThrow("expected 1 argument for kernel `k`, found 0");
    expect(() => pack([], [u32(1)])).toThrow("expected 0 arguments for kernel `k`, found 1");
  });

  it.each([
    [2, "the bare number 2"],
    [2n, "a bigint"],
    ["2", "`2`"],
    [new Float32Array(1), "an object of Float32Array"],
    [undefined, "undefined"],
  ])("must state their types: %o is a TypeError", (value, found) => {
    const error = thrownBy(() => pack([parameter("u32", 4)], [value as never])) as Error;
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      `expected a buffer, or a value with its type such as f32(2) or u32(2), as argument 1 of kernel \`k\`, found ${found}`,
    );
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("expected something to be thrown");
}

function detached(): Uint8Array {
  const array = new Uint8Array(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}
