import { kernelCase } from "../../support/kernel-case.js";

const N = 96;
const every = Array.from({ length: N }, (_, i) => i);
const fold = <Value>(start: Value, step: (value: Value, i: number) => Value) => every.reduce(step, start);
const start = Uint32Array.of(5, 6, 7000, 0, 2 ** 32 - 1, 0, 77, 30, 20);
const words = Uint32Array.of(
  fold(5, (value, i) => value + i),
  fold(6, (value, i) => value - i),
  1000 - (N - 1),
  Math.max(...every.map((i) => (i * 7) % 101)),
  fold(-1, (value, i) => value & ~(1 << (i % 29))),
  fold(0, (value, i) => value | (1 << (i % 31))),
  fold(77, (value, i) => value ^ Math.imul(i, 2654435761)),
  fold(30, (value) => (value >= 36 ? 0 : value + 1)),
  fold(20, (value) => (value === 0 || value > 24 ? 24 : value - 1)),
);
const old: number[] = [];
const cell = Uint32Array.of(10, 11, 0, 1);
for (let i = 0; i < 40; i++) {
  old.push(cell[0]!, cell[1]!, cell[2]!, cell[3]!);
  cell[0]! += 3;
  cell[1] = i;
  if (cell[2] === i) cell[2] = i + 1;
  cell[3] = Math.imul(cell[3]!, 3) + i;
}

// Threads run in the order of their indices here; a GPU may return other old values.
export default kernelCase({
  hasRace: true,
  buffers: {
    u: start,
    s: Int32Array.of(4, -90),
    l: BigUint64Array.of(1n, 2n, 3n),
    f: Float32Array.of(0.5),
    d: Float64Array.of(0.5),
    cells: Uint32Array.of(10, 11, 0, 1),
    old: new Uint32Array(160),
  },
  launches: [
    { kernel: "words", grid: 3, block: 32, args: ["u", "s", "l", "f", "d"].map((buffer) => ({ buffer })) },
    { kernel: "values", grid: 1, block: 40, args: [{ buffer: "cells" }, { buffer: "old" }] },
  ],
  expected: {
    u: words,
    s: Int32Array.of(-(N - 1), 0),
    l: BigUint64Array.of(
      fold(1n, (value, i) => value + 0x100000001n * BigInt(i)),
      BigInt(N - 1) << 40n,
      fold(3n, (value, i) => value ^ BigInt.asUintN(64, 0x0123456789abcdefn * BigInt(i))),
    ),
    f: Float32Array.of(fold(0.5, (value, i) => value + 0.25 * i)),
    d: Float64Array.of(fold(0.5, (value, i) => value + 0.125 * i)),
    cells: cell,
    old: Uint32Array.from(old),
  },
});
