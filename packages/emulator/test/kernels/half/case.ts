import { kernelCase, values } from "../../support/kernel-case.js";

const N = 64;
const singles = values(N, 36).map((value, i) => value * 2 ** ((i % 37) - 18));

/** The nearest f16, found by trying neighbours: `bits` without the sign are in the order of the values. */
const f16 = (bits: number): number => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
};
function toF16(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  let [low, high] = [0, 0x7c00];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (f16(middle) <= size) low = middle;
    else high = middle;
  }
  const above = high === 0x7c00 ? 65536 : f16(high);
  const [down, up] = [size - f16(low), above - size];
  return sign | (down < up || (down === up && low % 2 === 0) ? low : high);
}
const words = Float32Array.from({ length: 1 });
const bits = new Uint32Array(words.buffer);
const truncated = (value: number) => {
  words[0] = value;
  return bits[0]! >>> 16;
};
function toBf16(value: number): number {
  words[0] = value;
  return (bits[0]! + 0x7fff + ((bits[0]! >>> 16) & 1)) >>> 16;
}
const fromBf16 = (half: number) => {
  bits[0] = half << 16;
  return words[0]!;
};

const x = Uint16Array.from(values(2 * N, 37), (value) => toF16(4 * value));
const y = Uint16Array.from(values(2 * N, 38), (value) => toF16(2 * value));

export default kernelCase({
  buffers: {
    x,
    y,
    singles,
    rounded: new Uint16Array(N),
    back: new Float32Array(N),
    brains: new Uint16Array(2 * N),
    differences: new Float32Array(N),
    compared: new Uint32Array(N),
  },
  launches: [
    {
      kernel: "halves",
      grid: 1,
      block: N,
      args: ["x", "y", "singles", "rounded", "back"].map((buffer) => ({ buffer })),
    },
    {
      kernel: "brains",
      grid: 1,
      block: N,
      args: ["singles", "brains", "differences", "compared"].map((buffer) => ({ buffer })),
    },
  ],
  expected: {
    y: y.map((value, i) => {
      const product = toF16(f16(value) * f16(x[i]!));
      return f16(product) >= -f16(x[i]!) ? product : x[i]! ^ 0x8000;
    }),
    rounded: Uint16Array.from(singles, toF16),
    back: singles.map((_, i) => f16(toF16(f16(x[2 * i]!) + f16(x[2 * i + 1]!)))),
    brains: Uint16Array.from([...singles].flatMap((value) => [toBf16(value), truncated(value)])),
    differences: singles.map((value) => fromBf16(toBf16(value)) - fromBf16(truncated(value))),
    compared: Uint32Array.from(
      singles,
      (value) =>
        Number(fromBf16(toBf16(value)) > fromBf16(truncated(value))) |
        (Number(f16(toF16(value)) < 0.25) << 1),
    ),
  },
});
