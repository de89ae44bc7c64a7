import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(35);
const WORDS = 5;
const a = Uint32Array.from({ length: 64 * WORDS }, () => next(2 ** 32));
const b = Uint32Array.from({ length: 64 }, () => next(2 ** 32));
const byte = (word: number, i: number) => (word >>> (8 * i)) & 255;
const signed = (word: number, i: number) => (byte(word, i) << 24) >> 24;
const half = (word: number, i: number) => (word >>> (16 * i)) & 0xffff;
const signedHalf = (word: number, i: number) => (half(word, i) << 16) >> 16;
const sum = (of: (i: number) => number) => of(0) + of(1) + of(2) + of(3);
const pack = (width: number, of: (i: number) => number) =>
  Array.from({ length: 32 / width }, (_, i) => (of(i) & (2 ** width - 1)) << (width * i)).reduce(
    (x, y) => x | y,
  );

const dots = Array.from({ length: 64 }, (_, i) => {
  const row = a.subarray(i * WORDS, (i + 1) * WORDS);
  const total = row.reduce((s, word, k) => (s + sum((n) => signed(word, n) * signed(b[k]!, n))) | 0, 0);
  const low = signedHalf(row[0]!, 0) * signed(b[1]!, 0) + signedHalf(row[0]!, 1) * signed(b[1]!, 1) + 3;
  const high = signedHalf(row[0]!, 0) * signed(b[1]!, 2) + signedHalf(row[0]!, 1) * signed(b[1]!, 3) + 3;
  return [total, (sum((n) => byte(row[0]!, n) * byte(b[0]!, n)) + 7 + low + high) | 0];
});

function video(x: number, y: number): number {
  return (
    pack(8, (i) => byte(x, i) + byte(y, i)) ^
    pack(8, (i) => Math.abs(byte(x, i) - byte(y, i))) ^
    pack(16, (i) => Math.max(signedHalf(x, i), signedHalf(y, i))) ^
    (Math.abs((x | 0) - (y | 0)) + 9) ^
    pack(8, (i) => (byte(x, i) > byte(y, i) ? 255 : 0))
  );
}

export default kernelCase({
  buffers: { a, b, c: new Int32Array(128), d: new Uint32Array(64) },
  launches: [
    {
      kernel: "dot",
      grid: 2,
      block: 32,
      args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "c" }, { s32: WORDS }],
    },
    { kernel: "video", grid: 1, block: 64, args: [{ buffer: "a" }, { buffer: "b" }, { buffer: "d" }] },
  ],
  expected: { c: Int32Array.from(dots.flat()), d: b.map((word, i) => video(a[i]!, word)) },
});
