// The options of a multilayer perceptron.
import { type Check, type Checks, isNumber, isOneOf, isWhole, unexpected } from "@mm-ptx/types/internal";
import type { ComputeOptions } from "../model/backend.js";
import type { Activation } from "./layout.js";

/** How a multilayer perceptron is made. */
export interface MlpOptions extends ComputeOptions {
  /** The number of values in a row, up to 4,096. */
  readonly columns: number;
  /** The widths of one or two hidden layers, from 1 to 256 each; default `[64, 64]`. */
  readonly hidden?: readonly number[];
  /** Default `tanh`. */
  readonly activation?: Activation;
  /** The learning rate of Adam, from 1e-6 to 0.1; default 0.003. */
  readonly rate?: number;
  /** The largest number of rows in a step, from 1 to 4,096; default 256. */
  readonly batch?: number;
  /** Determines the initial weights and the batches of `fit`: an integer from 0 to 2^32 - 1; default 0. */
  readonly seed?: number;
}

/** How a saved multilayer perceptron is loaded. */
export type MlpLoadOptions = ComputeOptions;

export const MOST_WIDTH = 256;
export const ACTIVATIONS: readonly Activation[] = ["tanh", "relu"];

/** The checks of options that saved models have as well. */
export const CHECKS = {
  columns: isWhole(1, 4096),
  activation: isOneOf(ACTIVATIONS),
  rate: isNumber(1e-6, 0.1),
  batch: isWhole(1, 4096),
  seed: isWhole(0, 2 ** 32 - 1),
} satisfies Checks;

const isWidth = isWhole(1, MOST_WIDTH);
export const areWidths: Check = (value, name) =>
  Array.isArray(value) && (value.length === 1 || value.length === 2)
    ? value
        .map((width, index) => isWidth(width, `${name}[${index}]`))
        .find((problem) => problem !== undefined)
    : unexpected(name, "a list of one or two widths", value);

export const DEFAULTS = { hidden: [64, 64], activation: "tanh", rate: 0.003, batch: 256, seed: 0 };
