import { kernelCase, numbers } from "../../support/kernel-case.js";

const COUNT = 20;
const item = new DataView(new ArrayBuffer(32));
item.setInt8(0, -3);
item.setInt16(2, -1234, true);
item.setFloat64(8, 98765.5, true);
for (const [i, value] of [2.5, 3, 4].entries()) item.setFloat32(16 + 4 * i, value, true);

const next = numbers(51);
const a = Int32Array.from({ length: 4 * COUNT }, () => next(2000) - 1000);
const b = Float64Array.from({ length: 2 * COUNT }, () => next(2000) / 4);
const c = Uint8Array.from({ length: 4 * COUNT }, () => next(256));
const d = Uint16Array.from({ length: 2 * COUNT }, () => next(65536));
const short = (i: number) => (d[i]! << 16) >> 16;
const rows = [
  [1, 2, 3],
  [4, 5, 6],
];

export default kernelCase({
  buffers: { out: new Int32Array(8 * COUNT), a, b, c, d, vectors: new Int32Array(4 * COUNT) },
  launches: [
    {
      kernel: "spaces",
      grid: 1,
      block: COUNT,
      args: [{ buffer: "out" }, { bytes: new Uint8Array(item.buffer) }, { s32: 2 }],
    },
    {
      kernel: "vectors",
      grid: 1,
      block: COUNT,
      args: ["a", "b", "c", "d", "vectors"].map((buffer) => ({ buffer })),
    },
  ],
  expected: {
    out: Int32Array.from(
      Array.from({ length: COUNT }, (_, i) => [
        i & 1 ? 100 * i : i + (i & 15) ** 2,
        [10, 20, 30, 40, 50][(i + 2) % 5]!,
        (i & 1 ? 400 : 300) + ["first", "second"][i & 1]!.charCodeAt(4),
        41 + (i === 0 ? 0 : rows[i & 1]![i % 3]!),
        -3 - 2468 + 98765,
        14,
        (i & 1 ? 1 : 2) + 4,
        i + ((i * 7) & 15) ** 2,
      ]).flat(),
    ),
    vectors: Int32Array.from(
      Array.from({ length: COUNT }, (_, i) => [
        a[4 * i + 3]! + c[4 * i]!,
        a[4 * i + 2]! - c[4 * i + 3]!,
        Math.trunc(b[2 * i]! + b[2 * i + 1]!),
        a[4 * i]! * short(2 * i) + a[4 * i + 1]! * short(2 * i + 1),
      ]).flat(),
    ),
  },
});
