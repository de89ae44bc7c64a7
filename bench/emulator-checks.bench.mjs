// The checks of memory, races, uninitialized reads and synchronization, in WebAssembly, compared with the same launches
// without checks: CPU time, the minimum of rounds that alternate.

import { readFileSync } from "node:fs";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { f32, s32 } from "@mm-ptx/types/device";

const PTX = new URL("lib/emulated/checks.ptx", import.meta.url);
const ROUNDS = 6;
/** The duration of a round, in milliseconds. */
const LONG = 30;
const COUNT = 2 ** 18;
const LINE = { grid: COUNT / 256, block: 256 };
const FEW = { grid: 64, block: 256 };

const KERNELS = [
  {
    ...{ name: "matmul", what: "tiled product of 320 x 320 and 320 x 640", budget: 15 },
    ...{ shape: { grid: [20, 10], block: [32, 32] }, sizes: [204_800, 102_400, 204_800] },
    args: (buffers) => [...buffers, s32(320), s32(640)],
  },
  {
    ...{ name: "reduce", what: "sums of blocks", budget: 15, shape: FEW, sizes: [COUNT, 64] },
    args: (buffers) => [...buffers, s32(COUNT)],
  },
  {
    ...{ name: "histogram", what: "histogram in shared memory", budget: 15, shape: FEW, sizes: [COUNT, 256] },
    args: (buffers) => [...buffers, s32(COUNT)],
  },
  {
    ...{ name: "sort", what: "bitonic sort of blocks", budget: 15, shape: FEW, sizes: [64 * 512] },
    args: (buffers) => buffers,
  },
  {
    ...{ name: "stencil", what: "stencil of 7 points", budget: 15, shape: LINE, sizes: [COUNT, COUNT] },
    args: (buffers) => [...buffers, s32(COUNT)],
  },
  {
    ...{ name: "saxpy", what: "saxpy", budget: 15, shape: LINE, sizes: [COUNT, COUNT] },
    args: (buffers) => [f32(2), ...buffers, s32(COUNT)],
  },
];

export async function run() {
  const ptx = readFileSync(PTX, "utf8");
  const rows = [];
  for (const kernel of KERNELS) {
    const [checked, unchecked] = await times(ptx, kernel);
    const ratio = checked / unchecked;
    rows.push({
      name: `checked: ${kernel.what} (yardstick: without checks)`,
      ours: checked,
      yardstick: unchecked,
      ratio,
      budget: kernel.budget,
      reference: undefined,
      unit: "ms",
      pass: ratio <= kernel.budget,
    });
  }
  return rows;
}

/** The CPU times of a launch in milliseconds, with and without checks. */
async function times(ptx, { name, shape, sizes, args }) {
  const devices = [{ memory: true, races: true, uninitialized: true, sync: true }, undefined].map((check) =>
    EmulatedDevice.open({ engine: "webassembly", ...(check && { check }) }),
  );
  const launches = devices.map((device) => {
    const kernel = device.load(ptx).kernel(name);
    const buffers = sizes.map((size) => device.allocateFloat32(size));
    return () => device.stream.run(kernel, shape, args(buffers));
  });
  const best = [Infinity, Infinity];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, launch] of launches.entries()) {
      const count = Math.max(1, Math.min(50, Math.floor(LONG / best[i])));
      const before = process.cpuUsage();
      for (let n = 0; n < count; n++) await launch();
      const { user, system } = process.cpuUsage(before);
      best[i] = Math.min(best[i], (user + system) / 1000 / count);
    }
  }
  for (const device of devices) device.dispose();
  return best;
}
