import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(29);
const keys = Uint32Array.from({ length: 256 }, () => next(2 ** 32));

export default kernelCase({
  buffers: { keys, other: new Uint32Array(256) },
  launches: [
    {
      kernel: "radix_sort",
      grid: 1,
      block: 256,
      args: [{ buffer: "keys" }, { buffer: "other" }, { s32: 32 }],
    },
  ],
  expected: { keys: keys.slice().sort() },
});
