import { kernelCase } from "../../support/kernel-case.js";

const BLOCKS = 5;
const CHAIN = 96;
const THREADS = 64;
const sum = BLOCKS * ((THREADS * (THREADS - 1)) / 2);

// Threads wait for later ones, so they have to take turns.
export default kernelCase({
  buffers: {
    ...{ lock: new Uint32Array(1), sum: new Uint32Array(1), most: new Uint32Array(1) },
    ...{ chained: new Int32Array(2 * CHAIN), counts: new Uint32Array(BLOCKS), out: new Uint32Array(BLOCKS) },
  },
  launches: [
    {
      ...{ kernel: "locked", grid: BLOCKS, block: THREADS },
      args: [{ buffer: "lock" }, { buffer: "sum" }, { buffer: "most" }],
    },
    { kernel: "chain", grid: 2, block: CHAIN, args: [{ buffer: "chained" }] },
    {
      ...{ kernel: "counted", grid: BLOCKS, block: THREADS },
      args: [{ buffer: "counts" }, { buffer: "out" }],
    },
  ],
  expected: {
    lock: Uint32Array.of(0),
    sum: Uint32Array.of(sum),
    most: Uint32Array.of(sum),
    chained: Int32Array.from({ length: 2 * CHAIN }, (_, i) => CHAIN - (i % CHAIN)),
    counts: new Uint32Array(BLOCKS).fill(THREADS - 1),
    out: new Uint32Array(BLOCKS).fill(THREADS - 1),
  },
  hasRace: true,
});
