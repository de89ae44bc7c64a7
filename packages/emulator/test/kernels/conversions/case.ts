import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(52);
const special = [
  0,
  -0,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  2 ** 31,
  -(2 ** 31),
  3e9,
  -3e9,
  1e20,
  -1e20,
  Infinity,
  -Infinity,
  NaN,
  1e-40,
];
const some = (count: number) =>
  Array.from({ length: count }, () => (next(2 ** 32) / 2 ** 32 - 0.5) * 2 ** (next(40) - 4));
const f = Float32Array.from([...special, ...some(15)]);
const d = Float64Array.from([...special, ...some(15)].reverse());
const N = f.length;

const even = (v: number) => {
  const down = Math.floor(v);
  return v - down < 0.5 || (v - down === 0.5 && down % 2 === 0) ? down : down + 1;
};
const clamp = (v: number, low: number, high: number) =>
  Number.isNaN(v) ? 0 : Math.min(Math.max(v, low), high);
const s32 = (v: number) => clamp(v, -(2 ** 31), 2 ** 31 - 1) | 0;
const u32 = (v: number) => clamp(v, 0, 2 ** 32 - 1) | 0;
const s64 = (v: number) => {
  if (Number.isNaN(v)) return -(2n ** 63n);
  if (v >= 2 ** 63) return 2n ** 63n - 1n;
  return v < -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(v));
};
const bits = (v: number) => new Int32Array(Float32Array.of(v).buffer)[0]!;
/** As compilers do it, through 32 bits. */
const narrow = (v: number, width: number, signed: boolean) =>
  signed ? (s32(Math.trunc(v)) << (32 - width)) >> (32 - width) : u32(Math.trunc(v)) & (2 ** width - 1);

/** NaN becomes the least number of 32 bits if it comes from f64, and 0 if it comes from f32. */
const whole64 = (w: number, converted: number) => (Number.isNaN(w) ? -(2 ** 31) : converted);

function smaller(v: number, w: number): number {
  if (Number.isNaN(v)) return w;
  return Number.isNaN(w) ? v : Math.min(v, w);
}

function whole(v: number, w: number): number[] {
  const long = s64(v);
  return [
    s32(even(v)),
    s32(Math.trunc(v)),
    s32(Math.ceil(v)),
    s32(Math.floor(v)),
    u32(even(v)),
    whole64(w, s32(even(w))),
    whole64(w, u32(Math.trunc(w))),
    Number(BigInt.asIntN(32, long)),
    Number(long >> 32n),
    narrow(v, 8, true),
    narrow(v, 8, false),
    narrow(w, 16, true),
    Number(Number.isNaN(v) || Math.abs(v) === Infinity || v < 0 || Object.is(v, -0)),
    Number.isNaN(v) ? 0x7fffffff : bits(-Math.abs(v)),
    Number.isNaN(smaller(v, Math.fround(w))) ? 0x7fffffff : bits(smaller(v, Math.fround(w))),
    bits(Number.isNaN(v) ? 0 : Math.min(Math.max(v, 0), 1) + 0),
  ];
}

/** The f32 on one side of an exact value, which `compare` orders relative to an f32. */
function directed(nearest: number, compare: (to: number) => number, way: -1 | 0 | 1): number {
  const side = compare(nearest);
  if (side === 0 || way === 0) return nearest;
  const step = (up: boolean) => {
    const word = Int32Array.of(bits(nearest));
    if (nearest === 0) return up ? 2 ** -149 : -(2 ** -149);
    word[0]! += nearest > 0 === up ? 1 : -1;
    return new Float32Array(word.buffer)[0]!;
  };
  if (side > 0 && way > 0) return step(true);
  return side < 0 && way < 0 ? step(false) : nearest;
}
const order = (exact: number | bigint) => (to: number) => (exact > to ? 1 : exact < to ? -1 : 0);
/** Compares the sum of two f64, as rounded sum and rounding error, with a number. */
function orderOfSum(a: number, b: number): (to: number) => number {
  const sum = a + b;
  const rest = a - (sum - (sum - a)) + (b - (sum - a));
  return (to) => order(sum)(to) || Math.sign(rest);
}
const toward = (v: number | bigint, way: "z" | "u" | "d") =>
  way === "u" ? 1 : way === "d" ? -1 : v > 0 ? -1 : 1;
const long = BigInt64Array.from(
  { length: 32 },
  () => BigInt.asIntN(64, (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32))) >> BigInt(next(50)),
);
const g = Float64Array.from(some(32), (v, i) => (i === 0 ? 1e-42 : v));

function rounded(v: number, l: bigint): number[] {
  const unsigned = BigInt.asUintN(64, l);
  const f0 = Math.fround(v);
  const single = (way: "z" | "u" | "d") => directed(f0, order(v), toward(v, way));
  const whole = (of: bigint, way: "z" | "u" | "d") => directed(roundBig(of), order(of), toward(of, way));
  return [
    f0,
    single("z"),
    single("u"),
    single("d"),
    roundBig(l),
    whole(l, "z"),
    whole(l, "u"),
    whole(unsigned, "d"),
    NaN,
    NaN,
    NaN,
    NaN,
  ];
}

/** The f32 nearest to a whole number, with a single rounding. */
function roundBig(value: bigint): number {
  const size = value < 0n ? -value : value;
  const extra = BigInt(Math.max(size.toString(2).length - 24, 0));
  const rest = size & ((1n << extra) - 1n);
  let kept = size >> extra;
  const half = extra === 0n ? 1n : 1n << (extra - 1n);
  if (extra > 0n && (rest > half || (rest === half && kept % 2n === 1n))) kept++;
  return Number(value < 0n ? -(kept << extra) : kept << extra);
}

const results = Float32Array.from([...g].flatMap((v, i) => rounded(v, long[i]!)));
for (let i = 0; i < 32; i++) {
  const o = results.subarray(12 * i, 12 * i + 12);
  const x = o[0]!;
  o[8] = directed(Math.fround(x + Math.fround(1e-8)), orderOfSum(x, Math.fround(1e-8)), 1);
  const product = x * Math.fround(1.1);
  o[9] = directed(Math.fround(product), order(product), toward(product, "z"));
  // 3 times a candidate is exact in f64, so the products compare candidates with the quotient.
  o[10] = directed(Math.fround(x / 3), (to) => order(x)(3 * to), -1);
  o[11] = directed(Math.fround(Math.sqrt(Math.abs(x))), (to) => order(Math.abs(x))(to * to), 1);
}

export default kernelCase({
  buffers: { f, d, whole: new Int32Array(16 * N), g, long, rounded: new Float32Array(12 * 32) },
  launches: [
    { kernel: "whole", grid: 1, block: N, args: [{ buffer: "f" }, { buffer: "d" }, { buffer: "whole" }] },
    {
      kernel: "rounded",
      grid: 1,
      block: 32,
      args: [{ buffer: "g" }, { buffer: "long" }, { buffer: "rounded" }],
    },
  ],
  expected: {
    whole: Int32Array.from([...f].flatMap((v, i) => whole(v, d[i]!))),
    rounded: results,
  },
});
