// Faulting kernels, each on an isolated device, so that the device under test stays usable.
import { u64 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { CudaDevice, PtxCompiler } from "../../src/index.js";
import { POKE, WAIT } from "./support/kernels.js";
import { onGpu } from "./support/places.js";

const ONE = { grid: 1, block: 1 };

onGpu("failures", () => {
  it("of a kernel lose the device, name the launch, and leave a fresh one", async () => {
    using device = CudaDevice.open(0, { isolate: true });
    const before = device.allocate(16);
    const kernel = device.load(POKE).kernel("poke");
    device.stream.launch(kernel, ONE, [u64(64)]);
    await expect(device.synchronize()).rejects.toMatchObject({
      code: "ILLEGAL_ADDRESS",
      number: 700,
      resultName: "CUDA_ERROR_ILLEGAL_ADDRESS",
    });
    await expect(before.read()).rejects.toMatchObject({
      code: "DEVICE_LOST",
      message: expect.stringContaining("poke"),
    });
    using after = device.allocateUint32(1);
    const again = device.load(POKE).kernel("poke");
    device.stream.launch(again, ONE, [after]);
    expect(await after.read()).toEqual(Uint32Array.of(1));
  });

  it("to end are a TIMEOUT if a time limit is set", async () => {
    using device = CudaDevice.open(0, { isolate: true, timeoutMs: 1000 });
    using flag = device.allocateUint32(1);
    await flag.fill(0);
    device.stream.launch(device.load(WAIT).kernel("wait"), ONE, [flag]);
    await expect(device.synchronize()).rejects.toMatchObject({ code: "TIMEOUT" });
    using fresh = device.allocateUint32(1);
    await fresh.fill(1, { width: 4 });
    expect(await fresh.read()).toEqual(Uint32Array.of(1));
  });

  it("of memory that is not available report the available memory", () => {
    using device = CudaDevice.open(0);
    const { total } = device.memoryInfo();
    expect(() => device.allocate(2 * total)).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^(OUT_OF_MEMORY|INVALID_ARGUMENT)$/) }),
    );
    device.allocate(16).dispose();
  });

  it("of machine code for another device are NO_BINARY_FOR_GPU", async () => {
    using device = CudaDevice.open(0);
    const other = device.arch.startsWith("sm_7") ? "sm_90" : "sm_75";
    using compiler = new PtxCompiler({ arch: other, cache: false });
    const { cubin } = await compiler.compile(POKE);
    expect(() => device.load(cubin)).toThrowError(expect.objectContaining({ code: "NO_BINARY_FOR_GPU" }));
  });
});
