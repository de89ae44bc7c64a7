import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(15);
const keys = new Uint32Array([...new Set(Array.from({ length: 600 }, () => next(2 ** 32)))].slice(0, 512));
const places = keys.map((_, i) => i);
const order = [0, 256].flatMap((base) =>
  [...places.subarray(base, base + 256)].sort((a, b) => keys[b]! - keys[a]!),
);

export default kernelCase({
  buffers: { keys, places },
  launches: [
    {
      kernel: "sort_shared",
      grid: 2,
      block: 128,
      args: [{ buffer: "keys" }, { buffer: "places" }, { s32: 1 }],
    },
  ],
  expected: { keys: Uint32Array.from(order, (i) => keys[i]!), places: Uint32Array.from(order) },
});
