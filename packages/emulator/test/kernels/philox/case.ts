import { kernelCase } from "../../support/kernel-case.js";

const N = 100;
const word = (value: bigint) => value & 0xffffffffn;

function philox(i: number): number[] {
  let [x, y, z, w] = [BigInt(i), 0n, 0x12345678n, word(~BigInt(i))];
  let [k0, k1] = [0xcafef00dn, 0x00c0ffeen];
  for (let round = 0; round < 10; round++) {
    const [p, q] = [0xd2511f53n * x, 0xcd9e8d57n * z];
    [x, y, z, w] = [(q >> 32n) ^ y ^ k0, word(q), (p >> 32n) ^ w ^ k1, word(p)];
    [k0, k1] = [word(k0 + 0x9e3779b9n), word(k1 + 0xbb67ae85n)];
  }
  return [x, y, z, w].map(Number);
}

export default kernelCase({
  buffers: { out: new Uint32Array(4 * N) },
  launches: [
    {
      kernel: "philox",
      grid: 2,
      block: 64,
      args: [{ buffer: "out" }, { u32: 0xcafef00d }, { u32: 0x00c0ffee }, { u32: N }],
    },
  ],
  expected: { out: Uint32Array.from(Array.from({ length: N }, (_, i) => philox(i)).flat()) },
});
