// The functions that the demo approximates: in each kernel, evolution writes y, the part that is hard to compute.
import { exp2, log2 } from "@mm-ptx/types/internal/floats";
import { GELU_KERNEL, PLAIN_KERNEL, PRODUCT_KERNEL } from "./kernels.js";

/** A program that is known already, as a formula. */
export interface KnownProgram {
  readonly label: string;
  readonly formula: string;
}

/** A function to approximate. */
export interface ActivationTarget {
  readonly name: string;
  readonly title: string;
  /** What the kernel computes, and what y should be. */
  readonly output: string;
  readonly y: string;
  /** Annotated PTX with one site that reads x and writes y. */
  readonly kernel: string;
  /** Arguments are from -range to range. */
  readonly range: number;
  /** The value that y should have. */
  exact(x: number): number;
  /** By how much the output changes for each unit of y. */
  slope(x: number): number;
  readonly operators: readonly string[];
  readonly known: readonly KnownProgram[];
}

const LOG2_E = Math.LOG2E;
const LN_2 = Math.LN2;
const TWO_OVER_SQRT_PI = 1.1283791670955126;
const SQRT_HALF = Math.SQRT1_2;

const exp = (x: number): number => exp2(x * LOG2_E);
const sigmoid = (x: number): number => (x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)));

function tanh(x: number): number {
  const decay = exp(-2 * Math.abs(x));
  return ((x < 0 ? -1 : 1) * (1 - decay)) / (1 + decay);
}

/** The error function in f64: its series, and beyond 3 its continued fraction (Abramowitz and Stegun 7.1.5, 7.1.14). */
export function erf(x: number): number {
  const a = Math.abs(x);
  const sign = x < 0 ? -1 : 1;
  const square = a * a;
  if (a < 3) {
    let [power, sum] = [a, a];
    for (let n = 1; n < 200; n++) {
      power *= -square / n;
      const term = power / (2 * n + 1);
      sum += term;
      if (Math.abs(term) < 1e-18) break;
    }
    return sign * TWO_OVER_SQRT_PI * sum;
  }
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / 2 / (a + fraction);
  return sign * (1 - ((TWO_OVER_SQRT_PI / 2) * exp(-square)) / (a + fraction));
}

const ARITHMETIC = ["add", "sub", "mul", "fma", "min", "max", "neg", "abs"];
const OPERATORS = [...ARITHMETIC, "tanh", "ex2", "rcp", "rsqrt"];

/** The functions, the flagship first. */
export const ACTIVATION_TARGETS: readonly ActivationTarget[] = [
  {
    name: "gelu",
    title: "GELU",
    output: "0.5 x (1 + y)",
    y: "erf(x / √2)",
    kernel: GELU_KERNEL,
    range: 8,
    exact: (x) => erf(x * SQRT_HALF),
    slope: (x) => 0.5 * x,
    operators: OPERATORS,
    known: [
      { label: "PyTorch's tanh form", formula: "tanh(x * fma(0.035677407, x * x, 0.7978846))" },
      { label: "the same, rearranged", formula: "tanh(x * (0.035677407 * fma(x, x, 22.363861)))" },
      { label: "sigmoid form", formula: "tanh(x * 0.851)" },
    ],
  },
  {
    name: "erf",
    title: "erf",
    output: "y",
    y: "erf(x)",
    kernel: PLAIN_KERNEL,
    range: 4,
    exact: erf,
    slope: () => 1,
    operators: OPERATORS,
    known: [
      { label: "PyTorch's tanh form of GELU", formula: "tanh(x * fma(0.10091089, x * x, 1.1283792))" },
      { label: "tanh(2x/√π)", formula: "tanh(x * 1.1283792)" },
    ],
  },
  {
    name: "silu",
    title: "SiLU",
    output: "x y",
    y: "σ(x)",
    kernel: PRODUCT_KERNEL,
    range: 8,
    exact: sigmoid,
    slope: (x) => x,
    operators: OPERATORS,
    known: [{ label: "1 / (1 + 2^(-x log2 e))", formula: "rcp(1 + ex2(x * -1.442695))" }],
  },
  {
    name: "softplus",
    title: "softplus",
    output: "y",
    y: "ln(1 + e^x)",
    kernel: PLAIN_KERNEL,
    range: 8,
    exact: (x) => LN_2 * log2(1 + exp(x)),
    slope: () => 1,
    operators: [...OPERATORS, "lg2"],
    known: [{ label: "ln 2 log2(1 + 2^(x log2 e))", formula: "lg2(1 + ex2(x * 1.442695)) * 0.6931472" }],
  },
  {
    name: "tanh",
    title: "tanh without tanh.approx",
    output: "y",
    y: "tanh(x)",
    kernel: PLAIN_KERNEL,
    range: 8,
    exact: tanh,
    slope: () => 1,
    operators: [...ARITHMETIC, "ex2", "rcp", "rsqrt"],
    known: [{ label: "1 - 2 / (1 + 2^(2x log2 e))", formula: "fma(-2, rcp(1 + ex2(x * 2.88539)), 1)" }],
  },
];
