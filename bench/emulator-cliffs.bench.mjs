// Kernels of kinds that are hard to translate, on the emulator, compared with the same kernels in scalar C++ on one
// core: CPU time, the minimum of rounds that alternate. Each launch takes a million elements.

import { readFileSync } from "node:fs";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { f32, s32 } from "@mm-ptx/types/device";
import { withKernelsInCpp } from "./lib/emulated/yardstick.mjs";

const PTX = new URL("lib/emulated/cliffs.ptx", import.meta.url);
const TURNS = 6;
const [COUNT, WIDTH, SIZE, SMALL] = [2 ** 20, 1024, 256, 64];
const LINE = { grid: COUNT / 256, block: 256 };
const square = (size, tile) => ({ grid: [size / tile, size / tile], block: [tile, tile] });
const FLAGS = ["-fno-tree-vectorize", "-ffp-contract=off"];

/** The kernels. `budget` is relative to the time in C++; `rounds` is the number of launches in a turn. */
const KERNELS = [
  { name: "sine", what: "sinf", budget: 6, rounds: 2, args: ({ angles, z }) => [s32(COUNT), angles, z] },
  {
    ...{ name: "sineWide", kernel: "sine", what: "sinf, an eighth of the arguments large" },
    ...{ budget: 6, rounds: 2, args: ({ wide, z }) => [s32(COUNT), wide, z] },
  },
  {
    name: "exponential",
    what: "expf",
    budget: 6,
    rounds: 2,
    args: ({ angles, z }) => [s32(COUNT), angles, z],
  },
  {
    name: "logarithm",
    what: "logf",
    budget: 6,
    rounds: 2,
    args: ({ positive, z }) => [s32(COUNT), positive, z],
  },
  { name: "power", what: "powf", budget: 6, rounds: 2, args: ({ positive, z }) => [s32(COUNT), positive, z] },
  {
    ...{
      name: "histogram",
      what: "histogram in shared memory",
      budget: 4,
      rounds: 3,
      shape: { grid: 64, block: 256 },
    },
    args: ({ words, counts }) => [s32(COUNT), words, counts],
  },
  {
    ...{ name: "histogramGlobal", what: "histogram in global memory", budget: 4, rounds: 3 },
    args: ({ words, counts }) => [s32(COUNT), words, counts],
  },
  {
    name: "gather",
    what: "gather",
    budget: 4,
    rounds: 3,
    args: ({ index, x, z }) => [s32(COUNT), index, x, z],
  },
  {
    ...{ name: "digits", what: "counts in a thread's own array", budget: 4, rounds: 2 },
    args: ({ words, counts }) => [s32(COUNT), words, counts],
  },
  { name: "saxpy", what: "saxpy", budget: 1.5, rounds: 8, args: ({ x, y }) => [s32(COUNT), f32(0.5), x, y] },
  { name: "reduction", what: "sum of a block", budget: 2, rounds: 4, args: ({ x, z }) => [s32(COUNT), x, z] },
  {
    ...{ name: "stencil", what: "stencil of 5 points", budget: 2, rounds: 6, shape: square(WIDTH, 16) },
    args: ({ x, z }) => [s32(WIDTH), s32(WIDTH), x, z],
  },
  {
    ...{ name: "gemm", what: "naive matrix product", budget: 1, rounds: 3, shape: square(SIZE, 16) },
    args: ({ x, y, z }) => [s32(SIZE), x, y, z],
  },
  {
    name: "shuffles",
    what: "sums of warps by shuffles",
    budget: 8,
    rounds: 6,
    args: ({ x, z }) => [s32(COUNT), x, z],
  },
  {
    ...{ name: "wmma64", kernel: "wmma", what: "wmma, 64 x 64 x 64", budget: 6, rounds: 20 },
    ...{
      shape: { grid: [SMALL / 16, SMALL / 16], block: 32 },
      args: ({ halves, z }) => [s32(SMALL), halves, halves, z],
    },
  },
  {
    ...{ name: "wmma256", kernel: "wmma", what: "wmma, 256 x 256 x 256", budget: 6, rounds: 1 },
    ...{
      shape: { grid: [SIZE / 16, SIZE / 16], block: 32 },
      args: ({ halves, z }) => [s32(SIZE), halves, halves, z],
    },
  },
  ...[SMALL, SIZE].map((size) => ({
    ...{ name: `wmmaDouble${size}`, kernel: "wmmaDouble", what: `wmma of f64, ${size} x ${size} x ${size}` },
    ...{ budget: 6, rounds: size === SMALL ? 20 : 1, shape: { grid: [size / 8, size / 8], block: 32 } },
    args: ({ doubles, products }) => [s32(size), doubles, doubles, products],
  })),
];

export function run() {
  return withKernelsInCpp(
    async (yardstick) => {
      const device = EmulatedDevice.open({ engine: "webassembly" });
      const module = device.load(readFileSync(PTX, "utf8"));
      const buffers = await inputs(device);
      const rows = [];
      for (const { name, kernel, what, budget, rounds, shape, args } of KERNELS) {
        const launch = async () => {
          const begin = process.cpuUsage();
          device.stream.launch(module.kernel(kernel ?? name), shape ?? LINE, args(buffers));
          await device.synchronize();
          const { user, system } = process.cpuUsage(begin);
          return user + system;
        };
        let [ours, theirs] = [Infinity, Infinity];
        // The first turn only warms up the engine.
        for (let turn = -1; turn < TURNS; turn++) {
          for (let round = 0; round < rounds; round++) {
            const time = await launch();
            if (turn >= 0) ours = Math.min(ours, time);
          }
          if (turn >= 0) theirs = Math.min(theirs, await yardstick(name, rounds));
        }
        const ratio = ours / theirs;
        rows.push({
          name: `emulator, ${what} (yardstick: scalar C++)`,
          ...{
            ours,
            yardstick: theirs,
            ratio,
            budget,
            reference: undefined,
            unit: "us",
            pass: ratio <= budget,
          },
        });
      }
      device.dispose();
      return rows;
    },
    { source: "cliffs.cpp", flags: FLAGS },
  );
}

/** The buffers of all kernels, with the values that the C++ kernels have. */
async function inputs(device) {
  const x = Float32Array.from({ length: COUNT }, (_, i) => (i % 1000) / 1000);
  const angles = x.map((value) => (value - 0.5) * 20);
  const words = Uint32Array.from(x, (_, i) => {
    const word = Math.imul(i, 2654435761);
    return word ^ (word >>> 15);
  });
  // Numbers of a half that are less than 2.
  const halves = Uint16Array.from({ length: SIZE * SIZE }, (_, i) => (i * 7919) % 0x4000);
  const values = {
    ...{ x, y: x, z: x, angles, words, halves, counts: new Uint32Array(COUNT) },
    doubles: Float64Array.from({ length: SIZE * SIZE }, (_, i) => (i % 1000) / 1000),
    products: new Float64Array(SIZE * SIZE),
    wide: angles.map((value, i) => (i % 8 === 0 ? value * 1e6 : value)),
    positive: x.map((value) => value * 8 + 0.01),
    index: words.map((word) => word % COUNT),
  };
  const filled = Object.entries(values).map(async ([name, from]) => {
    const buffer = device.allocate(from.byteLength);
    await buffer.copyFrom(from);
    return [name, buffer];
  });
  return Object.fromEntries(await Promise.all(filled));
}
