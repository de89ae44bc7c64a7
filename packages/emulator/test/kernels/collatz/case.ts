import { kernelCase } from "../../support/kernel-case.js";

const N = 700;
const runs = Array.from({ length: N }, (_, i) => {
  let value = BigInt(i + 1);
  let [peak, steps] = [value, 0];
  while (value !== 1n && steps < 200) {
    value = value % 2n === 0n ? value / 2n : 3n * value + 1n;
    if (value > peak) peak = value;
    steps++;
  }
  return { peak, steps };
});

export default kernelCase({
  buffers: { lengths: new Uint32Array(N), peaks: new BigUint64Array(N) },
  launches: [
    {
      kernel: "collatz",
      grid: 6,
      block: 128,
      args: [{ buffer: "lengths" }, { buffer: "peaks" }, { u32: N }],
    },
  ],
  expected: {
    lengths: Uint32Array.from(runs, ({ steps }) => steps),
    peaks: BigUint64Array.from(runs, ({ peak }) => peak),
  },
});
