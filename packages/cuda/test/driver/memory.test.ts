// Buffers, pools and host memory over a fake driver: the sizes and addresses that are passed to it.

import { describe, expect, it } from "vitest";
import { CudaDevice } from "../../src/index.js";
import { fakeDevice, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);

suite("a buffer", () => {
  it.each([
    ["allocateFloat32", Float32Array],
    ["allocateFloat64", Float64Array],
    ["allocateInt32", Int32Array],
    ["allocateUint32", Uint32Array],
  ] as const)("%s counts elements", async (name, elements) => {
    const { device, fake } = fakeDevice();
    using buffer = device[name](10);
    expect(buffer.length).toBe(10);
    expect(fake.call("cuMemAlloc").arguments.bytes).toBe(`${10 * elements.BYTES_PER_ELEMENT}`);
    const values = new elements(10).map((_: number, i: number) => i);
    await buffer.copyFrom(values);
    expect(await buffer.read()).toEqual(values);
    expect(buffer.readSync()).toEqual(values);
  });

  it("is copied to and from in all ways, at offsets", async () => {
    const { device } = fakeDevice();
    using stream = device.createStream();
    using buffer = device.allocate(16);
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i);
    buffer.copyFromSync(bytes.buffer);
    await buffer.copyFrom(new Uint16Array([0xffff]), { offset: 3, stream });
    const part = new Uint8Array(4);
    await buffer.copyTo(part, { offset: 2, stream });
    expect([...part]).toEqual([2, 255, 255, 5]);
    const whole = new ArrayBuffer(16);
    buffer.copyToSync(new DataView(whole, 8), { offset: 8 });
    expect([...new Uint8Array(whole, 8)]).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    using other = device.allocate(20);
    await other.fill(0);
    await other.copyFrom(buffer, { offset: 4 });
    expect([...other.readSync()]).toEqual([0, 0, 0, 0, ...buffer.readSync()]);
    using small = device.allocate(2);
    await other.copyTo(small, { offset: 6 });
    expect([...small.readSync()]).toEqual([2, 255]);
  });

  it("is filled by patterns of 1, 2 and 4 bytes", async () => {
    const { device } = fakeDevice();
    using buffer = device.allocate(12);
    await buffer.fill(0x11);
    await buffer.fill(0x2233, { offset: 2, byteLength: 4, width: 2 });
    await buffer.fill(0x44556677, { offset: 8, width: 4 });
    expect(Buffer.from(await buffer.read()).toString("hex")).toBe("111133223322111177665544");
  });

  it("has parts and views, which share its memory until the last one is disposed", async () => {
    const { device, fake } = fakeDevice();
    const buffer = device.allocateFloat32(8);
    const part = buffer.part(8, 16);
    const words = part.as(Uint32Array);
    expect([part.address - buffer.address, part.length, words.length]).toEqual([8n, 4, 4]);
    await part.copyFrom(new Float32Array([1, 1, 1, 1]));
    expect([...(await words.read())]).toEqual([0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000]);
    buffer.dispose();
    part.dispose();
    part.dispose();
    expect([...words.readSync()]).toHaveLength(4);
    expect(fake.calls("cuMemFree")).toHaveLength(0);
    words.dispose();
    await device.synchronize();
    device.memoryInfo();
    expect(fake.calls("cuMemFree")).toHaveLength(1);
    expect(thrownBy(() => part.part(0))).toMatchObject({ code: "DISPOSED" });
  });

  it("may be empty", async () => {
    const { device, fake } = fakeDevice();
    using buffer = device.allocateFloat32(0);
    await buffer.fill(1);
    await buffer.copyFrom(new Uint8Array(0));
    expect(await buffer.read()).toEqual(new Float32Array(0));
    expect(buffer.readSync()).toEqual(new Float32Array(0));
    expect(fake.calls("cuMemAlloc")).toHaveLength(0);
  });

  it("can be beyond 4 GiB", async () => {
    const { device, fake } = fakeDevice({}, ["memory 34359738368"]);
    using buffer = device.allocate(2 ** 33 + 16);
    await buffer.part(2 ** 33).copyFrom(new Uint8Array(16));
    expect(fake.call("cuMemAlloc").arguments.bytes).toBe("8589934608");
    const { destination } = fake.call("cuMemcpyHtoDAsync").arguments;
    expect(BigInt(destination!) - buffer.address).toBe(2n ** 33n);
  });

  it("of more than the available size reports how much is free", () => {
    const { device } = fakeDevice({}, ["memory 4096", "fail cuMemAlloc 1 2"]);
    expect(thrownBy(() => device.allocate(4097))).toMatchObject({
      code: "OUT_OF_MEMORY",
      message: "expected at most the 4096 bytes of the device, found 4097",
    });
    expect(thrownBy(() => device.allocate(4000))).toMatchObject({
      code: "OUT_OF_MEMORY",
      number: 2,
      message: expect.stringContaining("for 4000 bytes, of 4096 free and 4096 in all, returned"),
    });
    device.allocate(4000).dispose();
  });
});

suite("bad input", () => {
  it.each([NaN, -1, 0.5, 2 ** 53, "8", null, undefined])("refuses %s as a size", (size) => {
    const { device } = fakeDevice();
    for (const run of [
      () => device.allocate(size as number),
      () => device.allocateFloat32(size as number),
      () => device.allocateHost(size as number),
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("makes no calls of the driver", async () => {
    const { device, fake } = fakeDevice();
    using buffer = device.allocateFloat32(4);
    const detached = new Uint8Array(8);
    structuredClone(detached, { transfer: [detached.buffer] });
    const others = { buffer: device.allocate(4) };
    others.buffer.dispose();
    device.memoryInfo();
    const before = fake.calls().length;
    const wrong: [run: () => Promise<unknown>, message: string][] = [
      [
        () => buffer.copyFrom(new Uint8Array(17)),
        "expected a source that fits a buffer of 16 bytes, found one of 17 bytes",
      ],
      [
        () => buffer.copyTo(new Uint8Array(9), { offset: 8 }),
        "expected a target that fits a buffer of 16 bytes from byte 8 on, found one of 9 bytes",
      ],
      [() => buffer.copyFrom(detached), "expected a source with memory, found a detached one"],
      [
        () => buffer.copyFrom([1, 2] as never),
        "expected a typed array, an ArrayBuffer or a buffer as source",
      ],
      [() => buffer.copyFrom(others.buffer), "expected an open buffer, found a disposed one"],
      [() => buffer.copyFrom(new Uint8Array(1), { offset: -1 }), "found -1"],
      [() => buffer.copyFrom(new Uint8Array(1), { ofset: 1 } as never), "did you mean `offset`?"],
      [() => buffer.copyFrom(new Uint8Array(1), { stream: {} as never }), "expected a stream of this device"],
      [() => buffer.fill(256), "found 256"],
      [() => buffer.fill(1, { width: 3 as never }), "expected `width` as 1, 2 or 4"],
      [() => buffer.fill(1, { width: 4, byteLength: 6 }), "as a multiple of 4"],
      [
        () => buffer.fill(1, { width: 4, offset: 2, byteLength: 4 }),
        "expected an address that is a multiple of 4",
      ],
      [() => buffer.read({ offset: 1 } as never), "unknown option `offset`: expected one of `stream`"],
    ];
    for (const [run, message] of wrong) {
      await expect(run()).rejects.toMatchObject({ message: expect.stringContaining(message) });
    }
    for (const run of [
      () => buffer.part(17),
      () => buffer.part(8, 9),
      () => buffer.part(0.5),
      () => buffer.as({} as never),
      () => buffer.copyToSync(buffer as never),
      () => buffer.copyFromSync(buffer as never),
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(fake.calls().slice(before)).toEqual([]);
  });

  it("refuses copies within memory that overlaps", async () => {
    const { device } = fakeDevice();
    using buffer = device.allocate(16);
    const [first, second, third] = [buffer.part(0, 8), buffer.part(7, 8), buffer.part(8, 8)];
    await buffer.fill(1);
    const error = { code: "INVALID_ARGUMENT", message: expect.stringContaining("does not overlap") };
    await expect(first.copyFrom(second)).rejects.toMatchObject(error);
    await expect(first.copyTo(second)).rejects.toMatchObject(error);
    await expect(second.copyFrom(first)).rejects.toMatchObject(error);
    await expect(buffer.copyFrom(third, { offset: 8 })).rejects.toMatchObject(error);
    await first.copyFrom(third);
    await buffer.copyFrom(third);
  });

  it("refuses a target that is detached when the copy is done", async () => {
    const { device } = fakeDevice();
    using buffer = device.allocate(8);
    const target = new Uint8Array(8);
    const copy = buffer.copyTo(target);
    structuredClone(target, { transfer: [target.buffer] });
    await expect(copy).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("refuses buffers and streams of another device", async () => {
    const { device } = fakeDevice();
    await using other = CudaDevice.open();
    using buffer = other.allocate(4);
    using own = device.allocate(4);
    await expect(own.copyFrom(buffer)).rejects.toMatchObject({
      message: "expected a buffer of this device, found one of another",
    });
    await expect(own.read({ stream: other.stream })).rejects.toMatchObject({
      message: "expected a stream of this device, found one of another",
    });
  });
});

suite("memory of the host", () => {
  it("is pinned, and copied by its address", async () => {
    const { device, fake } = fakeDevice();
    using host = device.allocateHost(64);
    expect(host).toMatchObject({ pinned: true, disposed: false });
    expect(host.buffer.byteLength).toBe(64);
    new Uint8Array(host.buffer).fill(7);
    using buffer = device.allocate(32);
    await buffer.copyFrom(new Uint8Array(host.buffer, 16, 32));
    const { address } = fake.call("cuMemHostAlloc").arguments;
    expect(BigInt(fake.call("cuMemcpyHtoDAsync").arguments.source!)).toBe(BigInt(address!) + 16n);
    await buffer.fill(9);
    await buffer.copyTo(new Uint8Array(host.buffer, 32, 32));
    expect([...new Uint8Array(host.buffer, 30, 4)]).toEqual([7, 7, 9, 9]);
    expect(fake.calls("cuMemHostAlloc")).toHaveLength(1);
  });

  it("is detached when it or the device is disposed", async () => {
    const { device, fake } = fakeDevice();
    const [first, second] = [device.allocateHost(8), device.allocateHost(8)];
    first.dispose();
    first.dispose();
    expect([first.buffer.byteLength, second.buffer.byteLength]).toEqual([0, 8]);
    await device[Symbol.asyncDispose]();
    expect([second.buffer.byteLength, second.disposed]).toEqual([0, true]);
    expect(fake.calls("cuMemFreeHost")).toHaveLength(2);
  });

  it("cannot be transferred", () => {
    const { device } = fakeDevice();
    using host = device.allocateHost(8);
    const clone = () => structuredClone(host.buffer, { transfer: [host.buffer] });
    // Newer versions of Node refuse to transfer what Node 20 copies.
    if (thrownBy(clone) === undefined) expect(clone().byteLength).toBe(8);
    for (const transfer of ["transfer", "transferToFixedLength"] as const) {
      const buffer = host.buffer as unknown as Record<typeof transfer, () => ArrayBuffer>;
      expect(thrownBy(() => buffer[transfer]())).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: "expected a buffer that can be transferred, found pinned memory",
      });
    }
    expect(host.buffer.byteLength).toBe(8);
  });

  it("may be empty", () => {
    const { device } = fakeDevice();
    using host = device.allocateHost(0);
    expect(host).toMatchObject({ pinned: false });
  });

  it("that the driver cannot allocate is an error with its size", () => {
    const { device } = fakeDevice({}, ["fail cuMemHostAlloc 1 2"]);
    expect(thrownBy(() => device.allocateHost(64))).toMatchObject({
      code: "OUT_OF_MEMORY",
      message: expect.stringContaining("`cuMemHostAlloc` for 64 bytes returned"),
    });
  });
});

suite("a pool", () => {
  it("allocates and frees memory in the order of a stream", async () => {
    const { device, fake } = fakeDevice();
    using pool = device.createPool({ releaseThreshold: 4096 });
    using stream = device.createStream();
    const buffer = pool.allocate(256, { stream });
    await buffer.fill(3, { stream });
    expect([pool.usedBytes, pool.reservedBytes].every(Number.isSafeInteger)).toBe(true);
    buffer.dispose();
    await stream.synchronize();
    expect(fake.call("cuMemFreeAsync").arguments.stream).toBe(fake.call("cuMemsetD8Async").arguments.stream);
    pool.trim(64);
    expect(fake.call("cuMemPoolTrimTo").arguments).toMatchObject({ bytes: "64" });
    expect(thrownBy(() => pool.allocate(0))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(thrownBy(() => device.createPool({ size: 1 } as never))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("stays alive while it has buffers", async () => {
    const { device, fake } = fakeDevice();
    const pool = device.createPool();
    const buffer = pool.allocate(256);
    pool.dispose();
    pool.dispose();
    expect(thrownBy(() => pool.allocate(1))).toMatchObject({ code: "DISPOSED" });
    await buffer.fill(1);
    expect(fake.calls("cuMemPoolDestroy")).toHaveLength(0);
    buffer.dispose();
    await device.synchronize();
    await expect.poll(() => fake.calls("cuMemPoolDestroy").length).toBe(1);
  });

  it("can be the device's own, which is not destroyed", () => {
    const { device, fake } = fakeDevice();
    using pool = device.defaultPool();
    pool.allocate(16).dispose();
    pool.dispose();
    expect(fake.calls("cuMemPoolDestroy")).toHaveLength(0);
  });
});
