// Each call of each function of the driver fails once, while a program uses every feature of a device: each
// time the program gets a `CudaError`, nothing hangs, and resources are freed where that is possible.

import { f32, u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { CudaDevice, CudaError } from "../../src/index.js";
import { PTX } from "./support/device.js";
import { type FakeCall, FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const DEVICES = "devices 2";
/** CUDA_ERROR_NOT_PERMITTED: it leaves the device usable. */
const REFUSED = 800;
/** CUDA_ERROR_LAUNCH_FAILED: it makes the device unusable. */
const BROKEN = 719;
/**
 * Functions whose failure leaks: the driver keeps what it refuses to free, and copies' blocks that may still
 * be written to.
 */
const LEAVES = /Destroy|Free|Unload|cuCtxSynchronize/;
/** The violation if a context is released before its streams are idle. */
const UNFINISHED = "context released with work in flight";

/** The timeout in milliseconds for all calls, in a soak under a sanitizer. */
const PATIENCE = 900_000;

const SHAPE = { grid: 2, block: 32 };

/** Uses every feature once, and continues after failures. @returns the failures */
async function program(): Promise<unknown[]> {
  const failures: unknown[] = [];
  const attempt = async <T>(step: () => T): Promise<Awaited<T> | undefined> => {
    try {
      return await step();
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  };
  await attempt(() => CudaDevice.count());
  await attempt(() => CudaDevice.list());
  const device = await attempt(() => CudaDevice.open(0));
  const peer = await attempt(() => CudaDevice.open(1));
  if (device !== undefined) {
    await attempt(() => device.memoryInfo());
    await attempt(() => device.priorities);
    const stream = await attempt(() => device.createStream({ priority: -1 }));
    const [start, end] = [
      await attempt(() => device.createEvent()),
      await attempt(() => device.createEvent()),
    ];
    const buffer = await attempt(() => device.allocateFloat32(64));
    const other = await attempt(() => device.allocate(256));
    const host = await attempt(() => device.allocateHost(256));
    const pool = await attempt(() => device.createPool({ releaseThreshold: 1024 }));
    const pooled = await attempt(() => pool?.allocate(256, { stream: stream! }));
    await attempt(() => pool?.usedBytes);
    await attempt(() => pool?.trim());
    await attempt(() => device.defaultPool().reservedBytes);
    await attempt(() => start && device.stream.record(start));
    await attempt(() => buffer?.copyFrom(new Float32Array(64)));
    await attempt(() => buffer?.fill(1, { width: 4 }));
    await attempt(() => buffer?.fill(1, { width: 2 }));
    await attempt(() => buffer?.fill(1));
    await attempt(() => other && buffer?.copyTo(other));
    await attempt(() => host && other?.copyTo(host.buffer));
    await attempt(() => host && pooled?.copyFrom(host.buffer, { stream: stream! }));
    await attempt(() => buffer?.readSync());
    const module = await attempt(() => device.load(PTX, { jit: true }));
    await attempt(() => module?.global("table").read());
    const kernel = await attempt(() => module?.kernel("scale"));
    await attempt(() => kernel?.setDynamicShared(50_000));
    await attempt(() => kernel?.maxActiveBlocks(128));
    await attempt(() => kernel?.suggestedBlockSize());
    const args = buffer === undefined ? undefined : [buffer, f32(2), u32(64)];
    await attempt(() => kernel && args && device.stream.launch(kernel, SHAPE, args));
    await attempt(() => kernel && args && device.stream.launch(kernel, { ...SHAPE, cluster: 2 }, args));
    await attempt(() => end && device.stream.record(end));
    await attempt(() => end && stream?.wait(end));
    await attempt(() => end?.synchronize());
    await attempt(() => device.stream.synchronizeSync());
    await attempt(() => start && end?.elapsedSince(start));
    const graph = await attempt(() =>
      stream?.capture(() => kernel && args && stream.launch(kernel, SHAPE, args)),
    );
    await attempt(() => stream && graph?.launch(stream));
    await attempt(() => stream?.synchronize());
    if (peer !== undefined) {
      await attempt(() => device.canAccessPeer(peer));
      await attempt(() => device.enablePeerAccess(peer));
      const far = await attempt(() => peer.allocate(256));
      await attempt(() => far && other?.copyFromPeer(far));
      await attempt(() => device.disablePeerAccess(peer));
    }
    await attempt(() => device.synchronize());
    for (const each of [graph, module, pooled, pool, host, buffer, other, start, end, stream])
      each?.dispose();
    await attempt(() => device.synchronize());
  }
  for (const each of [device, peer]) await attempt(() => each?.[Symbol.asyncDispose]());
  return failures;
}

/** The lookup of functions, and queries whose number depends on time. */
const UNCOUNTED = ["cuGetProcAddress", "cuStreamIsCapturing", "cuStreamQuery"];

/** How often each function was called. */
function countsOf(calls: readonly FakeCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of calls) if (!UNCOUNTED.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

describe.runIf(HAS_FAKE_DRIVER)("a program whose driver fails", { timeout: PATIENCE }, () => {
  it("runs without failures if nothing fails", async () => {
    using fake = new FakeDriver([DEVICES]);
    expect(await program()).toEqual([]);
    fake.expectClean();
  });

  it.each([
    ["is refused a call", REFUSED],
    ["loses its device", BROKEN],
  ])("%s, and gets an error each time", async (_, code) => {
    using fake = new FakeDriver([DEVICES]);
    await program();
    for (const [name, count] of countsOf(fake.calls())) {
      for (let nth = 1; nth <= Math.min(count, smoke(50)); nth++) {
        fake.order(DEVICES, `fail ${name} ${nth} ${code}`);
        fake.forget();
        const where = `call ${nth} of ${name}`;
        const failures = await program();
        expect(fake.calls(name).filter(({ result }) => result === code).length, where).toBe(1);
        // Failures of the last calls are not reported to anyone.
        if (!LEAVES.test(name) && !name.endsWith("Release"))
          expect(failures.length, where).toBeGreaterThan(0);
        const strange = failures.filter((error) => !(error instanceof CudaError));
        expect(strange, where).toEqual([]);
        const leaves = code === BROKEN || LEAVES.test(name);
        const violations = fake
          .violations()
          .filter((line) => !(leaves && line.startsWith("left: ")))
          // Only the close of a device calls it. If the wait itself fails, work may still run afterwards.
          .filter((line) => !(name === "cuCtxSynchronize" && line === UNFINISHED));
        expect(violations, where).toEqual([]);
      }
    }
  });
});
