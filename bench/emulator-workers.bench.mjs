// Two workers compared with one thread: the same launches on a device with `workers: 2` and on one without.
// The goals are 1/1.8 of the time for kernels that compute, and no more time for launches that are too short
// to be shared.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { f32, s32, u32 } from "@mm-ptx/types/device";
import { pinBusiest } from "./lib/emulated/pin.mjs";

const PTX = new URL("lib/emulated/kernels.ptx", import.meta.url);
const [THREADS, WIDTH, HEIGHT, SIZE, FEW] = [2 ** 20, 1024, 512, 512, 2 ** 12];
const TURNS = 8;
const WORKERS = 2;
const SHARED = 1 / 1.8;
const SHORT = 1.25;
/** The kernel that runs while the device's threads are pinned to processors. */
const LONG = "mandel";

const LAUNCHES = {
  mandel: {
    ...{ what: "Mandelbrot, with divergent threads", budget: SHARED, rounds: 3 },
    shape: { grid: [WIDTH / 16, HEIGHT / 16], block: [16, 16] },
    args: ({ z }) => [
      ...[WIDTH, HEIGHT].map(s32),
      ...[-2, -1, 3 / WIDTH, 2 / HEIGHT].map(f32),
      ...[s32(256), z],
    ],
  },
  chain: {
    ...{ what: "100 instructions of f32 in a chain", budget: SHARED, rounds: 10 },
    shape: { grid: THREADS / 256, block: 256 },
    args: ({ x, z }) => [s32(THREADS), x, z],
  },
  matmul: {
    ...{ what: "matrix product in tiles", budget: SHARED, rounds: 6 },
    shape: { grid: [SIZE / 16, SIZE / 16], block: [16, 16] },
    args: ({ x, y, z }) => [s32(SIZE), x, y, z],
  },
  philox: {
    ...{ what: "short launch, which is not shared", budget: SHORT, rounds: 200 },
    shape: { grid: FEW / 256, block: 256 },
    args: ({ z }) => [s32(FEW), u32(1), u32(2), z],
  },
};

export async function run() {
  if (availableParallelism() < WORKERS) return [];
  const [alone, shared] = await Promise.all([1, WORKERS].map(opened));
  await pinBusiest(async () => {
    for (let round = 0; round < 6; round++) await shared.launch(LONG);
  }, WORKERS);
  const rows = [];
  for (const [name, { what, budget, rounds }] of Object.entries(LAUNCHES)) {
    let [ours, yardstick] = [Infinity, Infinity];
    // The first turn only warms up the engine.
    for (let turn = -1; turn < TURNS; turn++) {
      for (let round = 0; round < rounds; round++) {
        const one = await alone.launch(name);
        const two = await shared.launch(name);
        if (turn < 0) continue;
        yardstick = Math.min(yardstick, one);
        ours = Math.min(ours, two);
      }
    }
    const ratio = ours / yardstick;
    rows.push({
      name: `emulator, two workers: ${what} (yardstick: one thread)`,
      ...{ ours, yardstick, ratio, budget, reference: undefined, unit: "ms", pass: ratio <= budget },
    });
  }
  alone.device.dispose();
  shared.device.dispose();
  return rows;
}

/** A device with this number of workers, and a function that times a launch on it. */
async function opened(workers) {
  const device = EmulatedDevice.open({ engine: "webassembly", workers });
  const module = device.load(readFileSync(PTX, "utf8"));
  const [x, y] = [device.allocate(4 * THREADS), device.allocate(4 * THREADS)];
  const z = device.allocate(16 * THREADS);
  const values = Float32Array.from({ length: THREADS }, (_, i) => (i % 1000) / 1000);
  await Promise.all([x.copyFrom(values), y.copyFrom(values)]);
  const launch = async (name) => {
    const { shape, args } = LAUNCHES[name];
    const begin = performance.now();
    device.stream.launch(module.kernel(name), shape, args({ x, y, z }));
    await device.synchronize();
    return performance.now() - begin;
  };
  return { device, launch };
}
