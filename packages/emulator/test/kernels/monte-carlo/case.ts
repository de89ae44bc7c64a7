import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(22);
const states = BigUint64Array.from(
  { length: 128 },
  () => (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32)),
);
const after = states.slice();
let hits = 0n;
for (let i = 0; i < after.length; i++) {
  for (let round = 0; round < 20; round++) {
    const state = BigInt.asUintN(64, after[i]! * 6364136223846793005n + 1442695040888963407n);
    after[i] = state;
    const [x, y] = [((state >> 33n) & 0xffffn) / 2n, (state >> 49n) & 0x7fffn];
    if (x * x + y * y < 1n << 30n) hits++;
  }
}

export default kernelCase({
  buffers: { hits: new BigUint64Array(1), states },
  launches: [
    { kernel: "circle", grid: 2, block: 64, args: [{ buffer: "hits" }, { buffer: "states" }, { s32: 20 }] },
  ],
  expected: { hits: BigUint64Array.of(hits), states: after },
});
