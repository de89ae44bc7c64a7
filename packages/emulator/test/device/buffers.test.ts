// Buffers of an emulated device: their contents, copies to them and from them, and how long their memory
// stays allocated.
import { bytes, type Device, f32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { fakeDevice, SHAPE } from "./fake.js";

describe("buffers", () => {
  it("are zeroed, contain what is copied to them, and are read as their elements", async () => {
    using device = fakeDevice();
    const buffer = device.allocateFloat32(4);
    expect([buffer.byteLength, buffer.length, await buffer.read()]).toEqual([16, 4, new Float32Array(4)]);
    await buffer.copyFrom(new Float32Array([1, 2]), { offset: 8 });
    expect(await buffer.read()).toEqual(new Float32Array([0, 0, 1, 2]));
    const target = new Uint16Array(2);
    await buffer.copyTo(target, { offset: 8 });
    expect(target).toEqual(new Uint16Array([0, 0x3f80]));
    await buffer.copyFrom(new Uint8Array([0xff]).buffer);
    expect((await buffer.as(Uint32Array).read())[0]).toBe(0xff);
  });

  it("have the requested type of elements", async () => {
    using device = fakeDevice();
    expect(await device.allocateFloat64(2).read()).toEqual(new Float64Array(2));
    expect(await device.allocateInt32(2).read()).toEqual(new Int32Array(2));
    expect(await device.allocateUint32(2).read()).toEqual(new Uint32Array(2));
    expect(await device.allocate(2).read()).toEqual(new Uint8Array(2));
    expect(await device.allocate(7).as(Uint16Array).read()).toEqual(new Uint16Array(3));
  });

  it("copy to each other, also within one", async () => {
    using device = fakeDevice();
    const [a, b] = [device.allocate(8), device.allocate(4)];
    await a.copyFrom(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]));
    await b.copyFrom(a.part(2, 4));
    expect([...(await b.read())]).toEqual([3, 4, 5, 6]);
    await a.copyTo(a.part(5, 3), { offset: 1 });
    expect([...(await a.read())]).toEqual([1, 2, 3, 4, 5, 2, 3, 4]);
  });

  it.each([
    [0xabcd, 2, [0xcd, 0xab, 0xcd, 0xab, 0xcd, 0xab, 0xcd, 0xab]],
    [0x11223344, 4, [0x44, 0x33, 0x22, 0x11, 0x44, 0x33, 0x22, 0x11]],
    [7, 1, [7, 7, 7, 7, 7, 7, 7, 7]],
  ] as const)("are filled with %i of %i bytes", async (pattern, width, expected) => {
    using device = fakeDevice();
    const buffer = device.allocate(8);
    await buffer.fill(pattern, { width });
    expect([...(await buffer.read())]).toEqual(expected);
  });

  it("stay allocated for their slices, and are freed after the queued work", async () => {
    let seen = 0;
    using device = fakeDevice((launch) => {
      seen = new DataView(launch.loaded.memory.memory.buffer).getUint32(
        Number(new DataView(launch.params.buffer).getBigUint64(0, true)) - ADDRESS_BASE,
        true,
      );
      return undefined;
    });
    const { free } = device.memoryInfo();
    const buffer = device.allocateUint32(4);
    const part = buffer.part(4, 4);
    void part.copyFrom(new Uint32Array([5]));
    device.stream.launch(device.load("").kernel("scale"), SHAPE, [part, f32(1), bytes(new Uint8Array(8))]);
    buffer.dispose();
    buffer.dispose();
    part.dispose();
    await device.synchronize();
    expect(seen).toBe(5);
    // The memory of the module's variable, and the page after it.
    expect(device.memoryInfo().free).toBe(free - 512);
  });

  it.each<[string, (device: Device) => unknown, string]>([
    [
      "too little room",
      (d) => d.allocate(8).copyFrom(new Uint8Array(9)),
      "expected a source that fits a buffer of 8 bytes, found one of 9 bytes",
    ],
    [
      "too little after an offset",
      (d) => d.allocate(8).copyTo(new Uint8Array(8), { offset: 1 }),
      "expected a target that fits a buffer of 8 bytes from byte 1 on, found one of 8 bytes",
    ],
    [
      "no array",
      (d) => d.allocate(8).copyFrom([1] as never),
      "expected a typed array, an ArrayBuffer or a buffer as source, found an array",
    ],
    [
      "a fraction",
      (d) => d.allocate(1.5),
      "expected `bytes` as a whole number from 0 to 1125899906842624, found 1.5",
    ],
    [
      "no number",
      (d) => d.allocate(NaN),
      "expected `bytes` as a whole number from 0 to 1125899906842624, found NaN",
    ],
    [
      "a negative length",
      (d) => d.allocateFloat32(-1),
      "expected `length` as a whole number from 0 to 1125899906842624, found -1",
    ],
    [
      "a part beyond",
      (d) => d.allocate(8).part(4, 5),
      "expected `byteLength` as a whole number from 0 to 4, found 5",
    ],
    [
      "a wide pattern",
      (d) => d.allocate(8).fill(256),
      "expected `pattern` as a whole number from 0 to 255, found 256",
    ],
    [
      "half a pattern",
      (d) => d.allocate(7).fill(1, { width: 2 }),
      "expected `byteLength` as a multiple of 2, found 7",
    ],
    [
      "a misspelt option",
      (d) => d.allocate(8).fill(1, { widht: 2 } as never),
      "unknown option `widht`, did you mean `width`?",
    ],
    [
      "a buffer of another device",
      (d) => d.allocate(8).copyFrom(fakeDevice().allocate(8)),
      "expected a buffer of this device, found one of another",
    ],
    [
      "a copy within memory that overlaps",
      (d) => {
        const buffer = d.allocate(16);
        return buffer.part(0, 8).copyFrom(buffer.part(7, 8));
      },
      "expected a copy between memory that does not overlap, found one that does",
    ],
    [
      "a copy to where it comes from",
      (d) => {
        const buffer = d.allocate(16);
        return buffer.copyTo(buffer.part(4, 8), { offset: 8 });
      },
      "expected a copy between memory that does not overlap, found one that does",
    ],
    [
      "a stream of another device",
      (d) => d.allocate(8).fill(1, { stream: fakeDevice().stream }),
      "expected a stream of this device, found one of another",
    ],
    [
      "no elements",
      (d) => d.allocate(8).as({} as never),
      "expected the class of a typed array, found an object",
    ],
  ])("refuse %s", async (_, work, message) => {
    using device = fakeDevice();
    await expect((async () => work(device))()).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message });
  });

  it.each(["copyFrom", "copyTo"] as const)(
    "%s refuses arrays whose memory is detached or resized",
    async (copy) => {
      using device = fakeDevice();
      const buffer = device.allocate(16);
      const detach = ({ buffer }: Uint8Array<ArrayBuffer>) => structuredClone(buffer, { transfer: [buffer] });
      const what = copy === "copyFrom" ? "source" : "target";
      const array = new Uint8Array(8);
      const later = buffer[copy](array);
      detach(array);
      await expect(later).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: `expected a ${what} of 8 bytes, found one that is detached`,
      });
      await expect(buffer[copy](array.buffer)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: `expected a ${what} with memory, found one that is detached`,
      });
      // Resizable since ES2024; the types of this project are older.
      const Resizable = ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer;
      const memory = new Resizable(8, { maxByteLength: 32 });
      const resized = buffer[copy](memory);
      (memory as unknown as { resize(bytes: number): void }).resize(32);
      await expect(resized).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: `expected a ${what} of 8 bytes still, found 32`,
      });
    },
  );

  it("that do not fit the memory are OUT_OF_MEMORY, with the sizes", () => {
    using device = fakeDevice();
    expect(() => device.allocate(2 ** 25)).toThrowError(
      expect.objectContaining({
        code: "OUT_OF_MEMORY",
        message:
          "expected room for 33554432 bytes (buffer 1) and 256 after them, found 16777216 bytes of memory, 16777216 of them free",
      }),
    );
  });
});
