import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(30);
const sorted = (count: number) =>
  Array.from({ length: count }, () => next(65536) - 32768).sort((a, b) => a - b);
const [a, b] = [sorted(211), sorted(97)];
const words = (list: number[]) => Uint16Array.from(list);

export default kernelCase({
  buffers: { a: words(a), b: words(b), out: new Uint16Array(308) },
  launches: [
    {
      kernel: "merge",
      grid: 2,
      block: 32,
      args: [{ buffer: "a" }, { s32: 211 }, { buffer: "b" }, { s32: 97 }, { buffer: "out" }],
    },
  ],
  expected: { out: words([...a, ...b].sort((x, y) => x - y)) },
});
