// The options of a linear model.
import { type Checks, isNumber, isWhole } from "@mm-ptx/types/internal";
import type { ComputeOptions } from "../model/backend.js";

/** How a linear model is made. */
export interface LinearOptions extends ComputeOptions {
  /** The number of values in a row, up to 4,096. */
  readonly columns: number;
  /** The number of random features, from 2 to 1,024; default 128. One of them is constant. */
  readonly features?: number;
  /** Determines the features: an integer from 0 to 2^32 - 1; default 0. */
  readonly seed?: number;
  /** How strongly weights are drawn to 0, above 0; default 1. It makes the weights unique, even with more features than rows. */
  readonly ridge?: number;
  /**
   * The number of first rows whose means and deviations scale all rows, from 1 to 4,096; default 32. The model starts to learn once it has
   * them.
   */
  readonly warmup?: number;
}

/** How a saved linear model is loaded. */
export type LinearLoadOptions = ComputeOptions;

/** The checks of options that saved models have as well. */
export const CHECKS = {
  columns: isWhole(1, 4096),
  features: isWhole(2, 1024),
  seed: isWhole(0, 2 ** 32 - 1),
  ridge: isNumber(2 ** -20, 2 ** 20),
  warmup: isWhole(1, 4096),
} satisfies Checks;

export const DEFAULTS = { features: 128, seed: 0, ridge: 1, warmup: 32 };
