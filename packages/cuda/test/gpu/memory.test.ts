// Memory: copied data is read back unchanged, as a whole and in parts, by every method.
import { expect, it } from "vitest";
import { onDevices } from "./support/places.js";

const ramp = (length: number) => Uint32Array.from({ length }, (_, i) => (i * 2654435761) >>> 0);

onDevices("memory", ({ open }) => {
  it.each([
    ["allocateFloat32", Float32Array.of(1.5, -0, Number.NaN, 3e38)],
    ["allocateFloat64", Float64Array.of(1.5, -0, Number.NaN, 1e300)],
    ["allocateInt32", Int32Array.of(-1, 2 ** 31 - 1, -(2 ** 31))],
    ["allocateUint32", Uint32Array.of(0, 2 ** 32 - 1)],
  ] as const)("%s contains what was copied to it", async (allocate, values) => {
    using device = open();
    using buffer = device[allocate](values.length);
    expect([buffer.length, buffer.byteLength]).toEqual([values.length, values.byteLength]);
    await buffer.copyFrom(values);
    expect(await buffer.read()).toEqual(values);
  });

  it("copies more than one staging block, and parts of it", async () => {
    using device = open();
    const values = ramp(5_000_011);
    using buffer = device.allocateUint32(values.length);
    await buffer.copyFrom(values);
    expect(Buffer.compare(Buffer.from((await buffer.read()).buffer), Buffer.from(values.buffer))).toBe(0);
    const few = new Uint32Array(3);
    await buffer.copyTo(few, { offset: 4_000_000 * 4 });
    expect(few).toEqual(values.slice(4_000_000, 4_000_003));
    await buffer.copyFrom(Uint32Array.of(7), { offset: 4 });
    expect((await buffer.part(0, 12).read()).slice()).toEqual(Uint32Array.of(values[0]!, 7, values[2]!));
  });

  it("copies between buffers, and within one", async () => {
    using device = open();
    const values = ramp(64);
    using from = device.allocateUint32(64);
    using to = device.allocateUint32(64);
    await from.copyFrom(values);
    await to.copyFrom(from);
    expect(await to.read()).toEqual(values);
    await to.part(0, 128).copyFrom(to.part(128));
    expect((await to.read()).slice(0, 32)).toEqual(values.slice(32));
  });

  it.each([
    [1, 0xab, 0xabababab],
    [2, 0x1234, 0x12341234],
    [4, 0xdeadbeef, 0xdeadbeef],
  ] as const)("fills with patterns of %i bytes", async (width, pattern, word) => {
    using device = open();
    using buffer = device.allocateUint32(1000);
    await buffer.fill(0);
    await buffer.fill(pattern, { width, offset: 400, byteLength: 800 });
    const expected = new Uint32Array(1000).fill(word, 100, 300);
    expect(await buffer.read()).toEqual(expected);
  });

  it("has parts that keep the memory of their parent alive", async () => {
    using device = open();
    const parent = device.allocateUint32(16);
    await parent.copyFrom(ramp(16));
    using part = parent.part(16, 16);
    parent.dispose();
    expect(part.address % 4n).toBe(0n);
    expect(await part.read()).toEqual(ramp(16).slice(4, 8));
    using view = part.as(Uint8Array);
    expect(view.length).toBe(16);
  });

  it("has pinned host memory", async () => {
    using device = open();
    using host = device.allocateHost(4096);
    const words = new Uint32Array(host.buffer);
    words.set(ramp(1024));
    using buffer = device.allocateUint32(1024);
    await buffer.copyFrom(words);
    words.fill(0);
    await buffer.copyTo(words);
    expect(words).toEqual(ramp(1024));
  });

  it("copies in the order of each stream", async () => {
    using device = open();
    using stream = device.createStream();
    using buffer = device.allocateUint32(1024);
    const copies = [1, 2, 3].map((seed) => buffer.copyFrom(new Uint32Array(1024).fill(seed), { stream }));
    const found = buffer.read({ stream });
    await Promise.all(copies);
    expect(await found).toEqual(new Uint32Array(1024).fill(3));
  });

  it("reports free memory", async () => {
    using device = open();
    const before = device.memoryInfo();
    using _buffer = device.allocate(64 * 2 ** 20);
    const after = device.memoryInfo();
    expect(after.total).toBe(before.total);
    expect(after.free).toBeLessThan(before.free);
  });
});
