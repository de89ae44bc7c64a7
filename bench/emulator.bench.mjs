// Kernels from nvcc on the emulator, translated to WebAssembly, compared with the same kernels in C++ (-O2
// -mfma), with one function call per thread, on one core. Both alternate, and the minimum time per thread
// counts. The launches are realistic, with 65,536 to 262,144 threads.

import { readFileSync } from "node:fs";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { f32, s32, u32 } from "@mm-ptx/types/device";
import { withKernelsInCpp } from "./lib/emulated/yardstick.mjs";

const PTX = new URL("lib/emulated/kernels.ptx", import.meta.url);
const TURNS = 8;
const [THREADS, WIDTH, HEIGHT, SIZE] = [2 ** 18, 512, 256, 256];
const LINE = { grid: THREADS / 256, block: 256 };

/** The kernels. `budget` is relative to the time in C++; `rounds` is the number of launches in a turn. */
const KERNELS = [
  { name: "saxpy", what: "saxpy", budget: 1.3, rounds: 40, threads: THREADS, shape: LINE },
  {
    name: "chain",
    what: "100 instructions of f32 in a chain",
    budget: 0.6,
    rounds: 8,
    threads: THREADS,
    shape: LINE,
  },
  { name: "philox", what: "Philox 4x32", budget: 0.9, rounds: 12, threads: THREADS, shape: LINE },
  {
    ...{
      name: "mandel",
      what: "Mandelbrot, with divergent threads",
      budget: 1.3,
      rounds: 3,
      threads: WIDTH * HEIGHT,
    },
    shape: { grid: [WIDTH / 16, HEIGHT / 16], block: [16, 16] },
  },
  {
    ...{ name: "matmul", what: "matrix product in tiles", budget: 0.5, rounds: 8, threads: SIZE * SIZE },
    shape: { grid: [SIZE / 16, SIZE / 16], block: [16, 16] },
  },
  {
    name: "reduce",
    what: "sum of a block in 9 barriers",
    budget: 3,
    rounds: 20,
    threads: THREADS,
    shape: LINE,
  },
];

export function run() {
  return withKernelsInCpp(async (yardstick) => {
    const device = EmulatedDevice.open({ engine: "webassembly" });
    const module = device.load(readFileSync(PTX, "utf8"));
    const [x, y] = [device.allocate(4 * THREADS), device.allocate(4 * THREADS)];
    const z = device.allocate(16 * THREADS);
    const values = Float32Array.from({ length: THREADS }, (_, i) => (i % 1000) / 1000);
    await Promise.all([x.copyFrom(values), y.copyFrom(values)]);
    const given = {
      saxpy: [s32(THREADS), f32(0.5), x, y],
      chain: [s32(THREADS), x, z],
      philox: [s32(THREADS), u32(1), u32(2), z],
      mandel: [...[WIDTH, HEIGHT].map(s32), ...[-2, -1, 3 / WIDTH, 2 / HEIGHT].map(f32), s32(256), z],
      matmul: [s32(SIZE), x, y, z],
      reduce: [s32(THREADS), x, z],
    };
    const rows = [];
    for (const { name, what, budget, rounds, threads, shape } of KERNELS) {
      const kernel = module.kernel(name);
      const launch = async () => {
        const begin = performance.now();
        device.stream.launch(kernel, shape, given[name]);
        await device.synchronize();
        return ((performance.now() - begin) * 1e6) / threads;
      };
      let ours = Infinity;
      let theirs = Infinity;
      // The first turn only warms up the engine.
      for (let turn = -1; turn < TURNS; turn++) {
        const times = [];
        for (let round = 0; round < rounds; round++) times.push(await launch());
        if (turn < 0) continue;
        ours = Math.min(ours, ...times);
        theirs = Math.min(theirs, await yardstick(name, rounds));
      }
      const ratio = ours / theirs;
      rows.push({
        name: `emulator, a thread of ${what} (yardstick: C++)`,
        ...{
          ours,
          yardstick: theirs,
          ratio,
          budget,
          reference: undefined,
          unit: "ns",
          pass: ratio <= budget,
        },
      });
    }
    device.dispose();
    return rows;
  });
}
