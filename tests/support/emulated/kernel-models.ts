// The kernels of tests/kernels as loops on the CPU, written from their CUDA: inputs, launches and expected
// results, with the sites as functions. Values of f32 are their bits.

import { type KernelCase, numbers } from "../../../packages/emulator/test/support/kernel-case.js";
import type { Random } from "../../../packages/stack/dist/random/index.js";
import { edgeBits } from "./edge-values.js";
import type { Site } from "./site.js";
import { f32, floatOf, wordOf } from "./words.js";

/** A case, and the values of module variables before and after. */
export interface ModelCase extends KernelCase {
  readonly globals?: Readonly<Record<string, Uint32Array<ArrayBuffer>>>;
  readonly expectedGlobals?: Readonly<Record<string, Uint32Array<ArrayBuffer>>>;
}

export type Model = (sites: Readonly<Record<string, Site>>, random: Random) => ModelCase;

const list = (count: number, make: (index: number) => number): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: count }, (_, index) => make(index));
/** Arbitrary f32, including edge values. */
const floats = (count: number, random: Random) => list(count, () => Number(edgeBits("F32", random)));
/** Finite values of moderate magnitude. */
const moderate = (random: Random): number => (random.below(2 ** 16) - 2 ** 15) / 2 ** 10;
const ONE_BLOCK = { grid: 1, block: 64 };
const COUNT = 50;

const called: Model = ({ curve }, random) => {
  const width = 7;
  const values = floats(32 * width, random);
  const at = (row: number, k: number) => curve!({ x: values[row * width + k]!, order: k }).x!;
  const rows = list(32, (row) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum = f32.add(sum, at(row, k));
    return sum;
  });
  const ends = list(32, (row) => f32.sub(at(row, 0), at(row, width - 1)));
  const launch = (kernel: string) => ({
    ...{ kernel, grid: 1, block: 32 },
    args: [{ buffer: "values" }, { buffer: kernel }, { u32: width }],
  });
  return {
    buffers: { values, rows: list(32, () => 0), ends: list(32, () => 0) },
    launches: [launch("rows"), launch("ends")],
    expected: { rows, ends },
  };
};

const elementwise: Model = ({ combine }, random) => {
  const [x, y, sum] = [floats(COUNT, random), floats(COUNT, random), floats(COUNT, random)];
  const done = [...x].map((each, i) => combine!({ "x[i]": each, "y[i]": y[i]!, total: sum[i]! }));
  return {
    buffers: { x, y, sum, result: list(COUNT, () => 0) },
    launches: [
      {
        ...{ kernel: "elementwise", ...ONE_BLOCK },
        args: [...["x", "y", "sum", "result"].map((buffer) => ({ buffer })), { u32: COUNT }],
      },
    ],
    expected: { sum: list(COUNT, (i) => done[i]!.total!), result: list(COUNT, (i) => done[i]!.z!) },
  };
};

const globals: Model = ({ blend }, random) => {
  const [values, weights] = [floats(64, random), list(16, () => wordOf(moderate(random)))];
  const blended = [...values].map((mine, i) => {
    const neighbour = values[i - (i % 32) + ((i + 1) % 32)]!;
    return blend!({ mine, neighbour, weight: weights[i % 16]! }).result!;
  });
  return {
    buffers: { values, results: list(64, () => 0) },
    launches: [
      {
        ...{ kernel: "visit", grid: 2, block: 32, sharedBytes: 32 * 4 },
        args: [{ buffer: "values" }, { buffer: "results" }],
      },
    ],
    expected: { results: list(64, (i) => f32.add(blended[i]!, weights[i % 2 === 0 ? 0 : 15]!)) },
    globals: { weights },
    expectedGlobals: { visits: Uint32Array.of(64) },
    prints: [`block 0 begins with ${printed(floatOf(blended[0]!))}\n`],
  };
};

/** The text of `%f`. */
function printed(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  if (Object.is(value, -0) || (value < 0 && value >= -5e-7)) return "-0.000000";
  const rounded = value.toFixed(6);
  // C rounds a value halfway between two texts to the even one, `toFixed` away from zero. With 60 digits a text is exact.
  const exact = value.toFixed(60);
  const halfway = exact.endsWith("5".padEnd(54, "0"));
  return halfway && Number(exact.at(-55)) % 2 === 0 ? exact.slice(0, -54) : rounded;
}

/** Halves that are not NaN. */
const half = (random: Random): number => (random.below(2) << 15) | random.below(0x7c00);

const halves: Model = ({ pairs, single }, random) => {
  const pair = () => (half(random) | (half(random) << 16)) >>> 0;
  const [x, y] = [list(COUNT, pair), list(COUNT, pair)];
  const z = list(COUNT, (i) => pairs!({ a: x[i]!, b: y[i]! }).b!);
  const largest = Uint16Array.from(z, (b) => single!({ low: b & 0xffff, high: b >>> 16 }).top!);
  return {
    buffers: { x, y, z: list(COUNT, () => 0), largest: new Uint16Array(COUNT) },
    launches: [
      {
        ...{ kernel: "halves", ...ONE_BLOCK },
        args: [...["x", "y", "z", "largest"].map((buffer) => ({ buffer })), { u32: COUNT }],
      },
    ],
    expected: { z, largest },
  };
};

const inlined: Model = ({ activation }, random) => {
  const [forget, input, output, state] = [1, 2, 3, 4].map(() => floats(COUNT, random));
  const active = (x: number) => activation!({ x }).y!;
  // nvcc fuses the product and the sum.
  const next = list(COUNT, (i) => f32.fma(active(forget![i]!), state![i]!, active(input![i]!)));
  const hidden = list(COUNT, (i) => f32.mul(next[i]!, active(output![i]!)));
  const names = ["forget", "input", "output", "state", "hidden"];
  return {
    buffers: {
      ...{ forget: forget!, input: input!, output: output!, state: state! },
      hidden: list(COUNT, () => 0),
    },
    launches: [
      {
        ...{ kernel: "cell", ...ONE_BLOCK },
        args: [...names.map((buffer) => ({ buffer })), { u32: COUNT }],
      },
    ],
    expected: { state: next, hidden },
  };
};

const lineInfo: Model = ({ bound }, random) => {
  const values = floats(3 * COUNT, random);
  const limit = moderate(random);
  return {
    buffers: { values },
    launches: [
      {
        ...{ kernel: "clamp_all", grid: 2, block: 32 },
        args: [{ buffer: "values" }, { f32: limit }, { u32: 3 * COUNT }],
      },
    ],
    expected: { values: list(3 * COUNT, (i) => bound!({ x: values[i]!, limit: wordOf(limit) }).x!) },
  };
};

const manySites: Model = ({ force, kick, drift, measure }, random) => {
  const [positions, velocities] = [floats(COUNT, random), floats(COUNT, random)];
  const dt = moderate(random);
  const reports = list(COUNT, (i) => {
    let x = positions[i]!;
    let v = velocities[i]!;
    let report = 0;
    for (let step = 0; step < 50; step++) {
      const a = force!({ x, step }).a!;
      v = kick!({ v, a, dt: wordOf(dt) }).v!;
      x = drift!({ x, v, dt: wordOf(dt) }).x!;
      report = measure!({ report, x, v }).report!;
    }
    return report;
  });
  return {
    buffers: { positions, velocities, reports: list(COUNT, () => 0) },
    launches: [
      {
        ...{ kernel: "integrate", ...ONE_BLOCK },
        args: [
          ...["positions", "velocities", "reports"].map((buffer) => ({ buffer })),
          ...[{ f32: dt }, { u32: COUNT }],
        ],
      },
    ],
    expected: { reports },
  };
};

/** Whole numbers from 0 to 8 as f16. */
const WHOLE_HALVES = [0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800];

const mma: Model = ({ epilogue }, random) => {
  const steps = 3;
  const matrix = (rows: number, columns: number) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.below(17) - 8));
  const [left, right] = [matrix(16, 16 * steps), matrix(16 * steps, 8)];
  const bias = list(8, () => wordOf(moderate(random)));
  const half = (value: number): number => WHOLE_HALVES[Math.abs(value)]! | (value < 0 ? 0x8000 : 0);
  const pair = (low: number, high: number): number => (half(low) | (half(high) << 16)) >>> 0;
  // A lane has row lane / 4, and column 2 * (lane % 4) and the next; its other registers are 8 rows below and
  // 8 columns to the right.
  const a = list(steps * 4 * 32, (index) => {
    const [lane, j, k] = [index % 32, Math.floor(index / 32) % 4, Math.floor(index / 128)];
    const row = left[(lane >> 2) + (j % 2) * 8]!;
    const column = 16 * k + (lane % 4) * 2 + (j >> 1) * 8;
    return pair(row[column]!, row[column + 1]!);
  });
  const b = list(steps * 2 * 32, (index) => {
    const [lane, j, k] = [index % 32, Math.floor(index / 32) % 2, Math.floor(index / 64)];
    const row = 16 * k + (lane % 4) * 2 + j * 8;
    return pair(right[row]![lane >> 2]!, right[row + 1]![lane >> 2]!);
  });
  const d = list(128, (index) => {
    const [row, column] = [index >> 3, index % 8];
    const sum = left[row]!.reduce((total, each, k) => total + each * right[k]![column]!, 0);
    return epilogue!({ sum: wordOf(sum), bias: bias[column]!, row, column }).sum!;
  });
  return {
    buffers: { a, b, bias, d: list(128, () => 0) },
    launches: [
      {
        ...{ kernel: "product", grid: 1, block: 32 },
        args: [...["a", "b", "bias", "d"].map((buffer) => ({ buffer })), { u32: steps }],
      },
    ],
    expected: { d },
  };
};

const philox: Model = ({ draw }, random) => {
  const means = list(COUNT, () => wordOf(moderate(random)));
  const seed = random.word();
  const samples = new Uint32Array(4 * COUNT);
  means.forEach((mean, i) => {
    let counter = 0;
    for (let k = 0; k < 4; k++) {
      const done = draw!({
        ...{ philox_key_x: seed, philox_key_y: 0, philox_ctr_x: counter, philox_ctr_y: 0, philox_ctr_z: i },
        ...{ philox_ctr_w: 0, mean },
      });
      counter = done.philox_ctr_x!;
      samples[4 * i + k] = done.sample!;
    }
  });
  return {
    buffers: { means, samples: list(4 * COUNT, () => 0) },
    launches: [
      {
        ...{ kernel: "noise", ...ONE_BLOCK },
        args: [{ buffer: "means" }, { buffer: "samples" }, { u32: seed }, { u32: COUNT }],
      },
    ],
    expected: { samples },
  };
};

const semiring: Model = ({ times, plus }, random) => {
  const size = 64;
  const [a, b] = [floats(size * size, random), floats(size * size, random)];
  // A sixteenth of the products is enough to compare.
  const rows = 4;
  const c = list(rows * size, (index) => {
    const [row, column] = [Math.floor(index / size), index % size];
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const { product } = times!({ left: a[row * size + k]!, right: b[k * size + column]! });
      sum = plus!({ sum, product: product! }).sum!;
    }
    return sum;
  });
  return {
    buffers: { a, b, c: list(size * size, () => 0) },
    launches: [
      {
        ...{ kernel: "semiring", grid: 1, block: 256 },
        args: [...["a", "b", "c"].map((buffer) => ({ buffer })), { u32: size }],
      },
    ],
    expected: { c },
  };
};

const shared: Model = ({ combine }, random) => {
  const values = floats(512, random);
  const reduced = (block: number): number => {
    const partial = [...values.subarray(block * 256, (block + 1) * 256)];
    for (let stride = 128; stride >= 1; stride /= 2) {
      for (let thread = 0; thread < stride; thread++) {
        const other = partial[thread + stride]!;
        partial[thread] = combine!({ acc: partial[thread]!, other }).acc!;
      }
    }
    return partial[0]!;
  };
  return {
    buffers: { values, results: list(2, () => 0) },
    launches: [
      { kernel: "reduce", grid: 2, block: 256, args: [{ buffer: "values" }, { buffer: "results" }] },
    ],
    expected: { results: list(2, reduced) },
  };
};

const template: Model = ({ transform }, random) => {
  const scale = moderate(random);
  const next = numbers(random.word());
  const float = floats(COUNT, random);
  const short = Uint16Array.from({ length: COUNT }, () => next(2 ** 16));
  const byte = Uint8Array.from({ length: COUNT }, () => next(2 ** 8));
  const transformed = (value: number) => transform!({ value, scale: wordOf(scale) }).value!;
  /** Rounded toward zero and clamped to 32 bits, of which the low ones are stored. */
  const integer = (value: number, least: number, most: number): number => {
    const whole = Math.trunc(floatOf(transformed(wordOf(value))));
    return Number.isNaN(whole) ? 0 : Math.min(most, Math.max(least, whole));
  };
  const launch = (letter: string, name: string) => ({
    ...{ kernel: `_Z9transformI${letter}EvPKT_PS0_fj`, ...ONE_BLOCK },
    args: [{ buffer: name }, { buffer: `${name}-out` }, { f32: scale }, { u32: COUNT }],
  });
  return {
    buffers: {
      ...{ float, short, byte },
      ...{ "float-out": list(COUNT, () => 0), "short-out": new Uint16Array(COUNT) },
      "byte-out": new Uint8Array(COUNT),
    },
    launches: [launch("f", "float"), launch("s", "short"), launch("h", "byte")],
    expected: {
      "float-out": list(COUNT, (i) => transformed(float[i]!)),
      "short-out": short.map((bits) => integer((bits << 16) >> 16, -(2 ** 31), 2 ** 31 - 1)),
      "byte-out": byte.map((value) => integer(value, 0, 2 ** 32 - 1)),
    },
  };
};

const twoKernels: Model = ({ model, loss, rank }, random) => {
  const [x, wanted, y] = [floats(COUNT, random), floats(COUNT, random), floats(COUNT, random)];
  const weight = floats(1, random);
  const ranks = list(COUNT, () => random.word());
  const error = (predicted: number, i: number) => loss!({ predicted, wanted: wanted[i]! }).error!;
  return {
    buffers: { x, wanted, weight, y, ranks, errors: list(COUNT, () => 0) },
    launches: [
      {
        ...{ kernel: "forward", ...ONE_BLOCK },
        args: [...["x", "wanted", "weight", "errors"].map((buffer) => ({ buffer })), { u32: COUNT }],
      },
      {
        ...{ kernel: "score", ...ONE_BLOCK },
        args: [...["y", "wanted", "ranks"].map((buffer) => ({ buffer })), { u32: COUNT }],
      },
    ],
    expected: {
      errors: list(COUNT, (i) => error(model!({ x: x[i]!, w: weight[0]! }).y!, i)),
      ranks: list(COUNT, (i) => rank!({ rank: ranks[i]!, error: error(y[i]!, i), index: i }).rank!),
    },
  };
};

const unrolled: Model = ({ step }, random) => {
  const [coefficients, points] = [floats(8, random), floats(COUNT, random)];
  return {
    buffers: { coefficients, points, values: list(COUNT, () => 0) },
    launches: [
      {
        ...{ kernel: "series", ...ONE_BLOCK },
        args: [...["coefficients", "points", "values"].map((buffer) => ({ buffer })), { u32: COUNT }],
      },
    ],
    expected: {
      values: list(COUNT, (i) =>
        coefficients.reduce((acc, coefficient, k) => step!({ acc, x: points[i]!, coefficient, k }).acc!, 0),
      ),
    },
  };
};

/** Models by folder. There is none for textures, which the emulator does not support. */
export const MODELS: Readonly<Record<string, Model>> = {
  ...{ called, elementwise, globals, half: halves, inlined, "line-info": lineInfo },
  ...{ "many-sites": manySites, mma, philox, semiring, shared, template },
  ...{ "two-kernels": twoKernels, unrolled },
};
