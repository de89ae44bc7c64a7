// The arguments of launches arrive byte for byte: any list of parameters, each at its offset in PTX.

import {
  bf16,
  bytes,
  f16,
  f32,
  f64,
  type LaunchArgument,
  s8,
  s16,
  s32,
  s64,
  u8,
  u16,
  u32,
  u64,
} from "@mm-ptx/types/device";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { fakeDevice } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

/** A parameter, the argument for it, and its bytes, which are computed without the package. */
interface Passed {
  readonly declaration: string;
  readonly align: number;
  readonly size: number;
  readonly argument: LaunchArgument;
  readonly write: (view: DataView, at: number) => void;
}

/** 16-bit numbers that are exact, with their bits. */
const HALVES = [
  [0, 0],
  [1, 0x3c00],
  [-2, 0xc000],
  [65504, 0x7bff],
  [2 ** -24, 1],
  [Infinity, 0x7c00],
] as const;
const BRAINS = [
  [0, 0],
  [1, 0x3f80],
  [-2, 0xc000],
  [Infinity, 0x7f80],
] as const;

function numbers<Value>(
  type: string,
  size: number,
  values: fc.Arbitrary<Value>,
  make: (value: Value) => LaunchArgument,
  write: (view: DataView, at: number, value: Value) => void,
): fc.Arbitrary<Passed> {
  return values.map((value) => ({
    declaration: `.param .${type} `,
    align: size,
    size,
    argument: make(value),
    write: (view, at) => write(view, at, value),
  }));
}

const whole = (bits: number, signed: boolean): fc.Arbitrary<number> =>
  fc.integer(signed ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 });
const halves = (of: readonly (readonly [number, number])[]) => fc.constantFrom(...of);

const passed: fc.Arbitrary<Passed> = fc.oneof(
  numbers("u8", 1, whole(8, false), u8, (view, at, value) => view.setUint8(at, value)),
  numbers("s8", 1, whole(8, true), s8, (view, at, value) => view.setInt8(at, value)),
  numbers("u16", 2, whole(16, false), u16, (view, at, value) => view.setUint16(at, value, true)),
  numbers("s16", 2, whole(16, true), s16, (view, at, value) => view.setInt16(at, value, true)),
  numbers("u32", 4, whole(32, false), u32, (view, at, value) => view.setUint32(at, value, true)),
  numbers("s32", 4, whole(32, true), s32, (view, at, value) => view.setInt32(at, value, true)),
  numbers("u64", 8, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), u64, (view, at, value) =>
    view.setBigUint64(at, value, true),
  ),
  numbers("s64", 8, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), s64, (view, at, value) =>
    view.setBigInt64(at, value, true),
  ),
  numbers(
    "f16",
    2,
    halves(HALVES),
    ([value]) => f16(value),
    (view, at, [, bits]) => view.setUint16(at, bits, true),
  ),
  numbers(
    "b16",
    2,
    halves(BRAINS),
    ([value]) => bf16(value),
    (view, at, [, bits]) => view.setUint16(at, bits, true),
  ),
  numbers("f32", 4, fc.float(), f32, (view, at, value) => view.setFloat32(at, value, true)),
  numbers("f64", 8, fc.double(), f64, (view, at, value) => view.setFloat64(at, value, true)),
  fc
    .tuple(fc.constantFrom(1, 2, 4, 8, 16), fc.uint8Array({ minLength: 1, maxLength: 40 }))
    .map(([align, value]) => ({
      declaration: `.param .align ${align} .b8 ${value.length} `,
      align,
      size: value.length,
      argument: bytes(value),
      write: (view: DataView, at: number) => new Uint8Array(view.buffer).set(value, at),
    })),
);

/** The declaration in PTX; arrays have their length after the name. */
function declare({ declaration, size }: Passed, i: number): string {
  const array = declaration.includes(".b8 ");
  return array ? `${declaration.replace(/ \d+ $/, " ")}p${i}[${size}]` : `${declaration}p${i}`;
}

/** The block of parameters, each at the next multiple of its alignment. */
function blockOf(list: readonly Passed[]): string {
  const view = new DataView(new ArrayBuffer(list.length * 64));
  let end = 0;
  for (const { align, size, write } of list) {
    const at = Math.ceil(end / align) * align;
    write(view, at);
    end = at + size;
  }
  return Buffer.from(view.buffer, 0, end).toString("hex");
}

describe.runIf(HAS_FAKE_DRIVER)("a launch", () => {
  it.each([false, true])(
    "passes its arguments as the kernel's block has them, isolated: %s",
    async (isolate) => {
      const { fake, device } = fakeDevice({ isolate });
      const { stream } = device;
      const buffer = device.allocate(64);
      const pointer: fc.Arbitrary<Passed> = fc.nat(63).map((offset) => {
        const argument = buffer.part(offset);
        const write = (view: DataView, at: number) =>
          view.setBigUint64(at, buffer.address + BigInt(offset), true);
        return { declaration: ".param .u64 ", align: 8, size: 8, argument, write };
      });
      const lists = fc.array(fc.oneof({ weight: 6, arbitrary: passed }, { weight: 1, arbitrary: pointer }), {
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(lists, async (list) => {
          fake.forget();
          const ptx = `.version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(${list.map(declare).join(", ")}) { ret; }`;
          using module = device.load(ptx, { jit: true });
          const kernel = module.kernel("k");
          const args = list.map(({ argument }) => argument);
          stream.launch(kernel, { grid: 1, block: 1 }, args);
          const prepared = kernel.prepare({ grid: 1, block: 1 }, args);
          stream.launchMany([prepared, prepared]);
          stream.capture(() => stream.launch(prepared)).launch(stream);
          await stream.synchronize();
          const launches = fake.calls("cuLaunchKernel").map((call) => call.arguments.parameters ?? "");
          expect(launches).toEqual(new Array(4).fill(blockOf(list)));
        }),
        { numRuns: cases(1000) },
      );
    },
  );
});
