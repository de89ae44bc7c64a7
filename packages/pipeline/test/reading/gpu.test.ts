// The calls that scores make of a GPU, over a fake driver, which computes nothing.
import { CudaDevice } from "@mm-ptx/cuda";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeDriver, HAS_FAKE_DRIVER } from "../../../cuda/test/driver/support/fake-driver.js";
import { output, outputHash, reduction, squaredError } from "../../src/index.js";
import { openReduction } from "../../src/reading/open.js";

function fakeDevice() {
  const fake = new FakeDriver();
  const device = CudaDevice.open(0);
  onTestFinished(async () => {
    await device[Symbol.asyncDispose]();
    try {
      fake.expectClean();
    } finally {
      fake.remove();
    }
  });
  return { fake, device };
}

/** A parameter block: addresses in 8 bytes, numbers in 4. */
function block(...values: readonly (bigint | number)[]): string {
  const words = values.map((value) => {
    const word = Buffer.alloc(typeof value === "bigint" ? 8 : 4);
    if (typeof value === "bigint") word.writeBigUInt64LE(value);
    else word.writeUInt32LE(value);
    return word.toString("hex");
  });
  return words.join("");
}

/** The addresses that a parameter block begins with. */
const addressesIn = (parameters: string, count: number): bigint[] => {
  const bytes = Buffer.from(parameters, "hex");
  return Array.from({ length: count }, (_, i) => bytes.readBigUInt64LE(8 * i));
};

const PTX = `.version 6.4
.target sm_75
.address_size 64
.visible .entry mine(.param .u64 values, .param .u64 scores, .param .u32 stride)
{
	ret;
}
`;

describe.skipIf(!HAS_FAKE_DRIVER)("on a GPU", () => {
  it("an error against a target uploads the target once and launches a block for each program and part", async () => {
    const { fake, device } = fakeDevice();
    const length = 70_000;
    const plan = [output(Float32Array, length)];
    using open = await openReduction(squaredError(new Float32Array(length)), device, plan);
    const stride = 280_064;
    using buffer = device.allocate(3 * stride);
    for (const count of [3, 2]) expect(await open.scores([{ buffer, stride }], count)).toHaveLength(count);

    expect(fake.calls("cuModuleLoadDataEx").length + fake.calls("cuModuleLoadData").length).toBe(1);
    const launches = fake.calls("cuLaunchKernel");
    expect(launches.map(({ arguments: { grid } }) => grid)).toEqual(["3,2,1", "2,2,1"]);
    for (const { arguments: given } of launches) {
      expect(given).toMatchObject({ block: "128,1,1", shared: "0" });
      const [, scores] = addressesIn(given.parameters!, 2);
      // The target follows a gap that aligns it.
      const target = addressesIn(given.parameters!.slice(64), 1)[0]!;
      expect(given.parameters).toBe(block(buffer.address, scores!, stride, length, 0, 0, target));
    }
    expect(new Set(launches.map(({ arguments: given }) => given.parameters)).size).toBe(1);
  });

  it("a hash launches once for each output, and shares modules and memory", async () => {
    const { fake, device } = fakeDevice();
    const plan = [output(Float32Array, 5), output(Float64Array, 40_000), output(Uint8Array, 3)];
    using open = await openReduction(outputHash(), device, plan);
    using buffer = device.allocate(1_000_000);
    const strides = [256, 320_000, 256];
    const memory = strides.map((stride) => ({ buffer, stride }));
    expect(await open.scores(memory, 2)).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{16}$/)));

    const launches = fake.calls("cuLaunchKernel").map(({ arguments: given }) => given);
    const [, scores] = addressesIn(launches[0]!.parameters!, 2);
    expect(launches.map(({ grid }) => grid)).toEqual(["2,1,1", "2,2,1", "2,1,1"]);
    expect(launches.map(({ parameters }) => parameters)).toEqual([
      block(buffer.address, scores!, 256, 5, 0, 0),
      block(buffer.address, scores!, 320_000, 80_000, 1, 5),
      block(buffer.address, scores!, 256, 3, 3, 80_005),
    ]);
    expect(fake.calls("cuModuleLoadDataEx").length + fake.calls("cuModuleLoadData").length).toBe(2);
  });

  it("a kernel of the caller's finds zeros and runs on the stream that is asked for", async () => {
    const { fake, device } = fakeDevice();
    const reading = reduction({
      ptx: PTX,
      kernel: "mine",
      grid: (alternatives) => alternatives,
      block: [4, 2],
      args: ({ outputs: [values], scores, strides }) => [values!, scores, u32(strides[0]!)],
      scores: Uint32Array,
    });
    using open = await openReduction(reading, device, [output(Float32Array, 5)]);
    using stream = device.createStream();
    using buffer = device.allocate(1024);
    fake.forget();
    expect(await open.scores([{ buffer, stride: 256 }], 4, { stream })).toEqual([0, 0, 0, 0]);
    const launch = fake.call("cuLaunchKernel").arguments;
    const handle = `0x${stream.handle.toString(16)}`;
    expect(launch).toMatchObject({ grid: "4,1,1", block: "4,2,1", stream: handle });
    const names = fake
      .calls()
      .map(({ name }) => name)
      .filter((name) => /^cuMem(set|cpy)|^cuLaunchKernel$/.test(name));
    expect(names).toEqual(["cuMemsetD8Async", "cuLaunchKernel", "cuMemcpyDtoHAsync"]);
    expect(fake.call("cuMemsetD8Async").arguments.stream).toBe(handle);
    expect(fake.call("cuMemcpyDtoHAsync").arguments.stream).toBe(handle);
  });
});
