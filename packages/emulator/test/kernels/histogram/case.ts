import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(12);
const data = Uint8Array.from({ length: 4000 }, () => (next(16) * next(16)) & 255);
const counts = new Uint32Array(256);
for (const byte of data) counts[byte]!++;

export default kernelCase({
  buffers: { data, counts: new Uint32Array(256) },
  launches: [
    {
      kernel: "histogram",
      grid: 3,
      block: 160,
      args: [{ buffer: "data" }, { buffer: "counts" }, { u32: 4000 }],
    },
  ],
  expected: { counts },
});
