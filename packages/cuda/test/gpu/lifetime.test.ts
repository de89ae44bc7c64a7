// Resources that are disposed while a device still uses them.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { STEP } from "./support/kernels.js";
import { onDevices, onGpu } from "./support/places.js";

const IMPORTS = `import { CudaDevice, u32 } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};`;
const LENGTH = 2 ** 16;
const SHAPE = { grid: LENGTH / 256, block: 256 };

onDevices("disposed resources", ({ open }) => {
  it("stays until the work that needs it is done", async () => {
    using device = open();
    for (let round = 0; round < 5; round++) {
      const module = device.load(STEP);
      const stream = device.createStream();
      const kept = device.allocateUint32(LENGTH);
      const gone = device.allocateUint32(LENGTH);
      await kept.fill(0, { stream });
      await gone.fill(1, { stream, width: 4 });
      const kernel = module.kernel("step");
      for (let i = 0; i < 20; i++) stream.launch(kernel, SHAPE, [gone, u32(3), u32(1), u32(LENGTH)]);
      const copied = kept.copyFrom(gone, { stream });
      gone.dispose();
      module.dispose();
      await copied;
      stream.dispose();
      let value = 1;
      for (let i = 0; i < 20; i++) value = (Math.imul(value, 3) + 1) >>> 0;
      expect((await kept.read()).every((found) => found === value)).toBe(true);
      kept.dispose();
    }
  });

  it("may be the device itself", async () => {
    const device = open();
    const buffer = device.allocateUint32(LENGTH);
    const filled = buffer.fill(7);
    device.dispose();
    device.dispose();
    await filled.catch((error) => expect(error).toMatchObject({ code: "DISPOSED" }));
    expect([device.disposed, buffer.disposed]).toEqual([true, true]);
    expect(() => device.allocate(16)).toThrowError(expect.objectContaining({ code: "DISPOSED" }));
  });
});

onGpu("worker threads", () => {
  it("share a device, each with its own resources", async () => {
    const script = (seed: number) => `${IMPORTS}
import { parentPort } from "node:worker_threads";
const device = CudaDevice.open(0);
const data = device.allocateUint32(${LENGTH});
await data.fill(${seed}, { width: 4 });
const kernel = device.load(${JSON.stringify(STEP)}).kernel("step");
for (let i = 0; i < 100; i++) device.stream.launch(kernel, ${JSON.stringify(SHAPE)}, [data, u32(1), u32(1), u32(${LENGTH})]);
const found = await data.read();
device.dispose();
parentPort.postMessage([found[0], found[${LENGTH - 1}]]);`;
    const found = await Promise.all(
      [0, 1000, 2000].map(async (seed) => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script(seed))}`));
        const [message] = await once(worker, "message");
        await once(worker, "exit");
        return message as unknown;
      }),
    );
    expect(found).toEqual([0, 1000, 2000].map((seed) => [seed + 100, seed + 100]));
  });
});

onGpu("a process", () => {
  it("ends with work in flight", () => {
    const script = `${IMPORTS}
const device = CudaDevice.open(0);
const data = device.allocateUint32(${LENGTH});
const kernel = device.load(${JSON.stringify(STEP)}).kernel("step");
for (let i = 0; i < 1000; i++) device.stream.launch(kernel, ${JSON.stringify(SHAPE)}, [data, u32(3), u32(1), u32(${LENGTH})]);
if (process.argv[1] === "exit") process.exit(0);`;
    for (const how of ["exit", "end"]) {
      const { status, signal, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "-e", script, how],
        { encoding: "utf8", timeout: 60_000 },
      );
      expect({ how, status, signal, stderr }).toEqual({ how, status: 0, signal: null, stderr: "" });
    }
  });
});
