import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(48);
const word = () => next(2 ** 32);
const a = Uint32Array.from({ length: 64 }, (_, i) => (i === 0 ? 0 : word() >>> (i % 7)));
const b = Uint32Array.from({ length: 64 }, (_, i) => (i === 1 ? 0 : word() >>> (i % 5)));

const reverse = (bits: bigint, width: number) =>
  BigInt(`0b${[...bits.toString(2).padStart(width, "0")].reverse().join("")}`);
const ones = (bits: bigint) => [...bits.toString(2)].filter((bit) => bit === "1").length;
const u32 = (value: bigint) => Number(BigInt.asUintN(32, value));
const s32 = (value: number) => BigInt(value | 0);
const s24 = (value: number) => BigInt((value << 8) >> 8);

function words(x: number, y: number): number[] {
  const [p, q] = [BigInt(x), BigInt(y)];
  const [low, length] = [y & 31, (y >>> 8) & 15];
  const mask = 2 ** length - 1;
  const top = length === 0 ? 0n : (s32(x) >> BigInt(Math.min(low + length - 1, 31))) & 1n;
  const field = length === 0 ? 0 : u32((s32(x) >> BigInt(low)) & BigInt(mask)) | (top === 1n ? ~mask : 0);
  const placed = u32(BigInt(mask) << BigInt(low));
  const both = (q << 32n) | p;
  const left = u32((both << BigInt(y & 31)) >> 32n);
  const right = u32(both >> BigInt(Math.min(y & 63, 32)));
  const bytes = Array.from({ length: 4 }, (_, i) => {
    const byte = (both >> BigInt(8 * ((y >>> (4 * i)) & 7))) & 255n;
    return Number(byte) << (8 * i);
  }).reduce((r, s) => r | s);
  const ffs = (y & ~1) === 0 ? 0 : 32 - Math.clz32(y & ~1 & -(y & ~1));
  return [
    Number(reverse(p, 32)) ^ ones(q),
    Math.clz32(x & 0xffff) * 100 + ffs,
    left + right,
    bytes,
    field,
    (x & ~placed) | ((y << low) & placed),
    (x === 0 ? -1 : 31 - Math.clz32(x)) ^ ((x & y) | (~x & (y ^ 0x5a5a5a5a))),
    Number(
      BigInt.asUintN(
        32,
        ((s32(x) * s32(y)) >> 32n) +
          (p & 0xffffffn) * (q & 0xffffffn) +
          s24(x) * s24(y) +
          ((s32(x) + s32(y)) >> 1n),
      ),
    ),
  ];
}

const long = () => BigInt.asIntN(64, (BigInt(word()) << 32n) | BigInt(word())) >> BigInt(next(60));
const c = BigInt64Array.from({ length: 48 }, long);
const d = BigInt64Array.from({ length: 48 }, long);
const u64 = (value: bigint) => BigInt.asUintN(64, value);

function longs(x: bigint, given: bigint): bigint[] {
  const y = given | 1n;
  const [i, k] = [BigInt.asIntN(32, x), BigInt.asIntN(32, y) | 1n];
  const [s, t] = [BigInt.asIntN(16, x), BigInt.asIntN(16, y) | 1n];
  const leading = x < 0n ? 0 : 64 - (x === 0n ? 0 : x.toString(2).length);
  return [
    x / y,
    x % y,
    u64(x) / u64(y) + (u64(x) % 1000003n),
    ((x * y) >> 64n) ^ ((u64(x) * u64(y)) >> 64n),
    reverse(u64(x), 64) + BigInt(ones(u64(y)) + leading) + (x >> (y & 63n)) + (x << (y & 31n)),
    i / k + (i % k) + s / t + BigInt(x < y),
  ].map((value) => BigInt.asIntN(64, value));
}

export default kernelCase({
  buffers: { a, b, words: new Uint32Array(512), c, d, longs: new BigInt64Array(288) },
  launches: [
    { kernel: "words", grid: 1, block: 64, args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "words" }] },
    { kernel: "longs", grid: 1, block: 48, args: [{ buffer: "c" }, { buffer: "d" }, { buffer: "longs" }] },
  ],
  expected: {
    words: Uint32Array.from([...a].flatMap((x, i) => words(x, b[i]!))),
    longs: BigInt64Array.from([...c].flatMap((x, i) => longs(x, d[i]!))),
  },
});
