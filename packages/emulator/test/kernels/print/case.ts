import { kernelCase } from "../../support/kernel-case.js";

export default kernelCase({
  buffers: {},
  launches: [{ kernel: "print", grid: 2, block: 4, args: [{ f32: 1.5 }] }],
  expected: {},
  prints: [
    "block 0 thread  0: 0.000 first a beef0 -5000000000 %\n",
    "block 0 thread  2: 3.000 later c beef2 -5000000000 %\n",
    "block 1 thread  0: 0.000 first a beef0 -5000000000 %\n",
    "block 1 thread  2: 3.000 later c beef2 -5000000000 %\n",
  ],
});
