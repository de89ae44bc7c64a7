// Arguments for trying f32 instructions: special values, and random ones of several kinds.

/** All instructions that can be interpreted, with their numbers of arguments. */
export const CATALOGUE: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ...["add", "sub", "mul"].flatMap((name) => [
      `${name}.f32`,
      `${name}.ftz.f32`,
      `${name}.rn.f32`,
      `${name}.rn.ftz.f32`,
    ]),
    ...["fma.rn"].flatMap((name) => [`${name}.f32`, `${name}.ftz.f32`]),
    ...["abs", "neg", "min", "max"].flatMap((name) => [`${name}.f32`, `${name}.ftz.f32`]),
    ...["div", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"].flatMap((name) => [
      `${name}.approx.f32`,
      `${name}.approx.ftz.f32`,
    ]),
    "tanh.approx.f32",
    "copysign.f32",
  ].map((ptx) => [ptx, arityOf(ptx)]),
);

function arityOf(ptx: string): number {
  const name = ptx.slice(0, ptx.indexOf("."));
  if (name === "fma") return 3;
  return ["add", "sub", "mul", "div", "min", "max", "copysign"].includes(name) ? 2 : 1;
}

const SIZES = [
  0x00000000, 0x00000001, 0x00000003, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x01000000, 0x33800000,
  0x34000000, 0x39800000, 0x3a000000, 0x3c23d70a, 0x3e800000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
  0x3fb504f3, 0x3fc00000, 0x3fc90fdb, 0x40000000, 0x40400000, 0x40490fdb, 0x41102cb4, 0x41200000, 0x42fc0000,
  0x42fd0000, 0x42fe0000, 0x42ff0000, 0x43000000, 0x43150000, 0x43160000, 0x439d1463, 0x4b000000, 0x4b800000,
  0x497fffff, 0x49800000, 0x49800001, 0x53800000, 0x5f000000, 0x7e7fffff, 0x7e800000, 0x7e800001, 0x7f000000,
  0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fffffff,
];

/** Zeros, subnormals, bounds of ranges, infinities and NaNs, of both signs, as bits. */
export const SPECIALS: readonly number[] = SIZES.flatMap((bits) => [bits, (bits | 0x80000000) >>> 0]);

/** Uniform u32 numbers by Marsaglia's xorshift128, which are the same for the same seed. */
export class Random {
  private state: [number, number, number, number];

  constructor(seed: number) {
    this.state = [seed | 1, 0x9e3779b9, 0x243f6a88, seed ^ 0xb7e15162];
    for (let i = 0; i < 20; i++) this.next();
  }

  next(): number {
    const [x, y, z, w] = this.state;
    const t = x ^ (x << 11);
    const next = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    this.state = [y, z, w, next];
    return next >>> 0;
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Bits of an f32: arbitrary, special, near 1, or with few bits set, which makes ties. */
  bits(): number {
    const sign = this.next() & 0x80000000;
    switch (this.below(8)) {
      case 0:
        return this.pick(SPECIALS);
      case 1:
      case 2:
        return this.next();
      case 3:
      case 4: {
        let mantissa = 0;
        for (let i = this.below(4); i > 0; i--) mantissa |= 1 << this.below(23);
        return (sign | ((90 + this.below(74)) << 23) | mantissa) >>> 0;
      }
      default:
        return (sign | ((117 + this.below(20)) << 23) | (this.next() >>> 9)) >>> 0;
    }
  }
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

export function bitsOf(x: number): number {
  if (Number.isNaN(x)) return 0x7fffffff;
  float[0] = x;
  return word[0]!;
}

export function floatOf(bits: number): number {
  word[0] = bits;
  return float[0]!;
}

export const hex = (bits: number): string => bits.toString(16).padStart(8, "0");
