// The constants of AST programs: how they are drawn, and how they move.
import { type Check, isList, isListOf, isNumber, isOneOf, isRecord } from "@mm-ptx/types/internal";
import type { Draws } from "../draws.js";
import { invalid, readOptions } from "../options.js";

/** A distribution that constants are drawn from. */
export interface ConstantSource {
  /**
   * `normal`: nearly a normal distribution, with mean 0. `uniform`, `integers`: from `from` to `to`. `magnitude`: either sign, and sizes
   * from `from` to `to`, which are above 0, whose logarithms are nearly uniform. `values`: one of `values`.
   */
  readonly kind: "integers" | "magnitude" | "normal" | "uniform" | "values";
  /** The standard deviation of `normal`. */
  readonly deviation?: number;
  readonly from?: number;
  readonly to?: number;
  readonly values?: readonly number[];
  /** How often this distribution is used, relative to the others; 1 by default. */
  readonly weight?: number;
}

/** The constants of programs. */
export interface ConstantsOptions {
  /** The share of constants among random operands that are no operators, from 0 to 1; 0.3 by default. */
  readonly share?: number;
  /** By default integers from 1 to 9, a normal distribution with deviation 2, and magnitudes from 0.01 to 100. */
  readonly sources?: readonly ConstantSource[];
}

const LARGEST = 3.4e38;
const isF32 = isNumber(-LARGEST, LARGEST);

const SOURCE: Check = isRecord(
  { kind: isOneOf(["integers", "magnitude", "normal", "uniform", "values"]) },
  {
    deviation: isNumber(0, LARGEST),
    from: isF32,
    to: isF32,
    values: isListOf("numbers that f32 can hold", (value) => isF32(value, "") === undefined),
    weight: isNumber(0, 1e6),
  },
);

const DEFAULTS: Required<ConstantsOptions> = {
  share: 0.3,
  sources: [
    { kind: "integers", from: 1, to: 9 },
    { kind: "normal", deviation: 2 },
    { kind: "magnitude", from: 0.01, to: 100 },
  ],
};

/** @throws SearchError INVALID_ARGUMENT */
export function readConstants(options: unknown): Required<ConstantsOptions> {
  if (options === undefined) return DEFAULTS;
  const { share = DEFAULTS.share, sources = DEFAULTS.sources } = readOptions<ConstantsOptions>(
    options,
    { share: isNumber(0, 1), sources: isList(SOURCE) },
    { noun: "option", of: "constants" },
  );
  if (sources.length === 0) throw invalid("at least one source of constants", sources);
  for (const { kind, deviation, from, to, values, weight } of sources) {
    if (weight !== undefined && !(weight > 0)) throw invalid("weights of constants above 0", weight);
    if (kind === "normal" && deviation === undefined)
      throw invalid("`deviation` of a normal distribution", deviation);
    if (kind === "values" && !values?.length) throw invalid("`values` of constants", values);
    if (kind === "normal" || kind === "values") continue;
    if (from === undefined || to === undefined || from > to)
      throw invalid("`from` up to `to` of constants", from);
    if (kind === "magnitude" && !(from > 0)) throw invalid("magnitudes above 0", from);
  }
  return { share, sources };
}

const TRIES = 4;
const QUIET_BIT = 0x7f800000;

/** Draws and moves constants. The functions return the bits of finite f32. */
export class AstConstants {
  readonly #sources: readonly ConstantSource[];
  /** The sum of the weights up to each source, over that of all. */
  readonly #bounds: Float64Array;
  readonly #float = new Float32Array(1);
  readonly #bits = new Uint32Array(this.#float.buffer);

  constructor(sources: readonly ConstantSource[]) {
    this.#sources = sources;
    this.#bounds = new Float64Array(sources.length);
    const total = sources.reduce((sum, { weight = 1 }) => sum + weight, 0);
    let sum = 0;
    sources.forEach(({ weight = 1 }, index) => {
      sum += weight;
      this.#bounds[index] = sum / total;
    });
  }

  draw(draws: Draws): number {
    const bounds = this.#bounds;
    let chosen = 0;
    if (bounds.length > 1) {
      const fraction = draws.fraction();
      while (chosen < bounds.length - 1 && fraction >= bounds[chosen]!) chosen++;
    }
    const { kind, deviation = 1, from = 0, to = 0, values } = this.#sources[chosen]!;
    if (kind === "normal") return this.#finite(deviation * normal(draws), 0);
    if (kind === "uniform") return this.#finite(from + (to - from) * draws.fraction(), from);
    if (kind === "integers")
      return this.#finite(Math.ceil(from) + draws.below(Math.floor(to) - Math.ceil(from) + 1), from);
    if (kind === "magnitude") return this.#magnitude(from, to, draws);
    return this.#finite(values![draws.below(values!.length)]!, 0);
  }

  /** A step whose size is between a millionth of the constant's and the constant's own. */
  step(bits: number, draws: Draws): number {
    this.#bits[0] = bits;
    const value = this.#float[0]!;
    const size = STEPS[draws.below(STEPS.length)]!;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const moved = this.#finite(value + (Math.abs(value) < 1e-30 ? 1 : value) * size * normal(draws), value);
      if (moved !== bits) return moved;
    }
    return this.draw(draws);
  }

  /** The other sign, the double or the half, a product with a small number, or another constant. */
  jump(bits: number, draws: Draws): number {
    this.#bits[0] = bits;
    const value = this.#float[0]!;
    const kind = draws.below(6);
    if (value === 0 || kind === 0) return this.draw(draws);
    if (kind === 1) return this.#finite(-value, value);
    if (kind === 2) return this.#finite(value * 2, value);
    if (kind === 3) return this.#finite(value / 2, value);
    if (kind === 4) return this.#finite(1 / value, value);
    return this.#finite(value + (draws.below(2) === 0 ? 1 : -1), value);
  }

  /** A near fraction with a small denominator, most often a whole number. */
  round(bits: number, draws: Draws): number {
    this.#bits[0] = bits;
    const value = this.#float[0]!;
    const denominator = DENOMINATORS[draws.below(DENOMINATORS.length)]!;
    const rounded = Math.round(value * denominator) / denominator;
    // Small constants are rounded to the reciprocal of a whole number.
    if (rounded === 0 && value !== 0) return this.#finite(1 / Math.round(1 / value), value);
    return this.#finite(rounded, value);
  }

  /** The bits of a number rounded to f32, or those of `otherwise` if the number is too large or no number. */
  #finite(value: number, otherwise: number): number {
    this.#float[0] = value;
    if ((this.#bits[0]! & QUIET_BIT) === QUIET_BIT) this.#float[0] = otherwise;
    return this.#bits[0]!;
  }

  #magnitude(from: number, to: number, draws: Draws): number {
    // Bits of positive f32, taken as integers, are nearly a logarithm of the number.
    this.#float[0] = from;
    const least = this.#bits[0]!;
    this.#float[0] = to;
    const most = this.#bits[0]!;
    const size = least + draws.below(most - least + 1);
    return (size | (draws.below(2) << 31)) >>> 0;
  }
}

const STEPS = [1, 0.5, 0.1, 0.1, 0.03, 0.01, 0.001, 1e-4];
const DENOMINATORS = [1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10];

/** Nearly a standard normal distribution: the sum of four uniform numbers, with mean 0 and variance 1. */
function normal(draws: Draws): number {
  const sum = draws.fraction() + draws.fraction() + draws.fraction() + draws.fraction();
  return (sum - 2) * 1.7320508075688772;
}
