import { type Contents, kernelCase, numbers, values } from "../../support/kernel-case.js";

const COUNT = 1500;
const BLOCK = 128;

/** Adds in the order of the tree, so that the roundings are the same. */
function tree<Value>(at: (i: number) => Value, add: (a: Value, b: Value) => Value, zero: Value): Value[] {
  return Array.from({ length: Math.ceil(COUNT / (2 * BLOCK)) }, (_, block) => {
    const value = (i: number) => (i < COUNT ? at(i) : zero);
    const sums = Array.from({ length: BLOCK }, (_, i) =>
      add(value(block * 2 * BLOCK + i), value(block * 2 * BLOCK + i + BLOCK)),
    );
    for (let step = BLOCK / 2; step >= 1; step /= 2) {
      for (let i = 0; i < step; i++) sums[i] = add(sums[i]!, sums[i + step]!);
    }
    return sums[0]!;
  });
}

const singles = values(COUNT, 5);
const doubles = Float64Array.from(values(COUNT, 6), (value) => value / 3);
const next = numbers(7);
const longs = BigInt64Array.from({ length: COUNT }, () => BigInt(next(2 ** 31)) * 3_000_000_019n);
const launch = (kernel: string, type: string, bytes: number) => ({
  kernel,
  grid: 6,
  block: BLOCK,
  sharedBytes: BLOCK * bytes,
  args: [{ buffer: type }, { buffer: `${type}-sums` }, { u32: COUNT }],
});
const buffers: Record<string, Contents> = { singles, doubles, longs };

export default kernelCase({
  buffers: {
    ...buffers,
    "singles-sums": new Float32Array(6),
    "doubles-sums": new Float64Array(6),
    "longs-sums": new BigInt64Array(6),
  },
  launches: [
    launch("reduce_f32", "singles", 4),
    launch("reduce_f64", "doubles", 8),
    launch("reduce_s64", "longs", 8),
  ],
  expected: {
    "singles-sums": Float32Array.from(
      tree(
        (i) => singles[i]!,
        (a, b) => Math.fround(a + b),
        0,
      ),
    ),
    "doubles-sums": Float64Array.from(
      tree(
        (i) => doubles[i]!,
        (a, b) => a + b,
        0,
      ),
    ),
    "longs-sums": BigInt64Array.from(
      tree(
        (i) => longs[i]!,
        (a, b) => BigInt.asIntN(64, a + b),
        0n,
      ),
    ),
  },
});
