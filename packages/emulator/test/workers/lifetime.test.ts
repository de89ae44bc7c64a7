// Workers start with the first launch that needs them and end with their device; if one dies, the launch
// fails, and the next one gets new workers.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it, vi } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { EmulatedDevice, type EmulatedDeviceOptions } from "../../src/index.js";
import { kernelText } from "../support/launching.js";
import { pageWorker, twoWorkers } from "../support/workers.js";

const BLOCK = 256;
/** Each thread gets the number of the next lane, plus the words of its block. */
const SHUFFLING = (added: number) =>
  kernelText(`
	.reg .b32 %r<8>; .reg .b64 %rd<4>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	shfl.sync.idx.b32 %r2, %r0, %r1, 31, -1;
	bar.sync 0;
	add.u32 %r2, %r2, ${added};
	mad.lo.u32 %r3, %r1, ${BLOCK}, %r0;
	mul.wide.u32 %rd0, %r3, 4;
	add.u64 %rd1, %a0, %rd0;
	st.global.u32 [%rd1], %r2;`);
const FOREVER = kernelText("$L:\n\tbra $L;");

async function shuffle(device: EmulatedDevice, blocks: number, added = 0): Promise<void> {
  const out = device.allocateUint32(blocks * BLOCK);
  const module = device.load(SHUFFLING(added));
  await device.stream.run(module.kernel("kernel"), { grid: blocks, block: BLOCK }, [out]);
  const wrong = (await out.read()).findIndex((value, i) => {
    const lane = Math.floor(i / BLOCK) % 32;
    return value !== (Math.floor((i % BLOCK) / 32) * 32 + lane + added) >>> 0;
  });
  expect(wrong).toBe(-1);
  module.dispose();
  out.dispose();
}

describe("workers", () => {
  it("start with the first launch, and end when the device is disposed and its work is done", async () => {
    const { options, started } = twoWorkers();
    const device = EmulatedDevice.open(options);
    const out = device.allocateUint32(BLOCK);
    const kernel = device.load(SHUFFLING(0)).kernel("kernel");
    expect(started).toHaveLength(0);
    device.stream.launch(kernel, { grid: 1, block: BLOCK }, [out]);
    const read = out.read();
    device.dispose();
    expect((await read)[40]).toBe(32);
    expect(started).toHaveLength(2);
    await Promise.all(started.map(async (worker) => worker.threadId === -1 || once(worker, "exit")));
  });

  it("can be those of a page", async () => {
    using device = EmulatedDevice.open({ engine: "webassembly", workers: 2, createWorker: pageWorker });
    await shuffle(device, 8);
    const forever = device.load(FOREVER).kernel("kernel");
    const options = { grid: 8, block: 1, limits: { timeoutMs: 50 } };
    await expect(device.stream.run(forever, options, [device.allocate(4)])).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });

  it("of a page that fail are WORKER_LOST", async () => {
    const createWorker = () => ({
      ...pageWorker(),
      addEventListener: (type: string, listener: (event: { message: string }) => void) => {
        if (type === "error") setTimeout(() => listener({ message: "" }));
      },
    });
    using device = EmulatedDevice.open({ engine: "webassembly", workers: 2, createWorker });
    await expect(shuffle(device, 8)).rejects.toMatchObject({
      code: "WORKER_LOST",
      message: "expected a worker that runs blocks, found one whose module cannot be loaded",
    });
  });

  it("that a bundle lacks are WORKER_LOST, and the message names the remedy", async () => {
    // As in a page whose bundler has left the URL of the worker's file alone.
    const urls: string[] = [];
    class PageWorker {
      constructor(url: URL) {
        urls.push(`${url}`);
      }
      postMessage(): void {}
      terminate(): void {}
      addEventListener(type: string, listener: (event: { message: string }) => void): void {
        if (type === "error") setTimeout(() => listener({ message: "" }));
      }
    }
    vi.stubGlobal("Worker", PageWorker);
    const builtins = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    try {
      using device = EmulatedDevice.open({ engine: "webassembly", workers: 2 });
      await expect(shuffle(device, 8)).rejects.toMatchObject({
        code: "WORKER_LOST",
        message:
          "expected a worker that runs blocks, found one whose module cannot be loaded; in a bundle, pass `createWorker`, which starts a worker with a bundle of `@mm-ptx/emulator/worker`",
      });
      expect(urls[0]).toMatch(/\/mm-ptx-emulator-worker\.js$/);
    } finally {
      builtins.mockRestore();
      vi.unstubAllGlobals();
    }
  });

  it("run many kernels of modules that come and go, in memory that grows", async () => {
    const { options, started } = twoWorkers();
    using device = EmulatedDevice.open(options);
    for (let added = 0; added < smoke(250); added++) {
      await shuffle(device, 1 + added * 64, added);
      if (added % 8 === 0) await shuffle(device, 3, 0);
    }
    expect(started).toHaveLength(2);
  });

  it("may run out of memory without being lost", async () => {
    const { options, started } = twoWorkers();
    using device = EmulatedDevice.open({ ...options, memoryBytes: 2 ** 20 });
    const most = device.allocate(device.memoryInfo().free - 2 ** 13);
    await expect(shuffle(device, 1)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    expect(started).toHaveLength(2);
    device.recover();
    most.dispose();
    await shuffle(device, 4);
    expect(started).toHaveLength(2);
  });

  it.each([
    ["ends at once", "process.exit(3)", "found one that exited with code 3"],
    ["throws", 'throw new Error("no luck")', "found no luck"],
    [
      "ends when it is asked for something",
      'require("node:worker_threads").parentPort.on("message", ({ kind }) => kind === "kernel" && process.exit(4))',
      "found one that exited with code 4",
    ],
  ])("that %s is WORKER_LOST", async (_, source, words) => {
    let made = 0;
    const good = twoWorkers().options.createWorker!;
    const createWorker = () => (++made === 2 ? new Worker(source, { eval: true }) : good());
    using device = EmulatedDevice.open({ engine: "webassembly", workers: 2, createWorker });
    const lost = shuffle(device, 4);
    await expect(lost).rejects.toMatchObject({
      code: "WORKER_LOST",
      message: expect.stringContaining(words),
    });
    // New workers take their place.
    device.recover();
    await shuffle(device, 4);
    expect(made).toBe(4);
  });

  it("that cannot be created are WORKER_LOST", async () => {
    const createWorker = () => {
      throw new Error("no workers available");
    };
    using device = EmulatedDevice.open({ engine: "webassembly", workers: 2, createWorker });
    await expect(shuffle(device, 4)).rejects.toMatchObject({ code: "WORKER_LOST" });
  });

  it("that die in a launch end it, and the others with it", async () => {
    const { options, started } = twoWorkers();
    using device = EmulatedDevice.open({ ...options, limits: { timeoutMs: Number.POSITIVE_INFINITY } });
    const launch = device.stream.run(device.load(FOREVER).kernel("kernel"), { grid: 8, block: 1 }, [
      device.allocate(4),
    ]);
    setTimeout(() => void started[0]!.terminate(), 100);
    await expect(launch).rejects.toMatchObject({ code: "WORKER_LOST" });
    await Promise.all(started.map(async (worker) => worker.threadId === -1 || once(worker, "exit")));
  });

  it("are requested by their number alone, and do not keep the process alive", () => {
    const index = new URL("../../dist/index.js", import.meta.url);
    const script = `
      import { EmulatedDevice } from ${JSON.stringify(index.href)};
      const device = EmulatedDevice.open({ engine: "webassembly", workers: 2 });
      const out = device.allocateUint32(${4 * BLOCK});
      device.stream.launch(device.load(${JSON.stringify(SHUFFLING(5))}).kernel("kernel"), { grid: 4, block: ${BLOCK} }, [out]);
      console.log((await out.read())[${BLOCK}]);`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(said).toBe("6\n");
  });

  it.each([0, 1.5, 257, "2"])("need a number from 1 to 256, not %s", (workers) => {
    const open = () => EmulatedDevice.open({ workers } as EmulatedDeviceOptions);
    expect(open).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("need memory that threads can share", () => {
    const shared = globalThis.SharedArrayBuffer;
    try {
      Object.assign(globalThis, { SharedArrayBuffer: undefined });
      expect(() => EmulatedDevice.open({ workers: 2 })).toThrowError(
        expect.objectContaining({ code: "UNSUPPORTED" }),
      );
      EmulatedDevice.open({ workers: 1 }).dispose();
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer: shared });
    }
  });
});
