import { kernelCase, values } from "../../support/kernel-case.js";

const [a, b] = [values(1000, 1), values(1000, 2)];

export default kernelCase({
  buffers: { a, b, c: new Float32Array(1000) },
  launches: [
    {
      kernel: "add",
      grid: 8,
      block: 128,
      args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "c" }, { u32: 1000 }],
    },
  ],
  expected: { c: a.map((value, i) => value + b[i]!) },
});
