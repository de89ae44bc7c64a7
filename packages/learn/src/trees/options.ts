// The options of boosted trees.
import { isNumber, isOneOf, isWhole } from "@mm-ptx/types/internal";
import type { ComputeOptions } from "../model/backend.js";
import { LABEL_KINDS, type LabelKind } from "../model/labels.js";
import { checkTable, type Table } from "../table.js";
import { LEVELS, TREE_FORMS, TREE_SAMPLES, type TreeForm, type TreeSample } from "./layout.js";

/** How boosted trees are made. */
export interface TreesOptions extends ComputeOptions {
  /**
   * `oblivious` trees have one split for all nodes of a level and predict twice as fast. In `general` trees, each node has its own split,
   * which ranks better where columns matter only for some of the rows. Default `oblivious`.
   */
  readonly form?: TreeForm;
  /** `value` predicts labels; `best tenth` predicts how likely a row is to be among the highest tenth of the labels. Default `value`. */
  readonly label?: LabelKind;
  /** From 1 to 1,024; default 100. */
  readonly trees?: number;
  /** The levels of each tree, from 1 to 4; default 4. */
  readonly depth?: number;
  /** The most bins of a column, from 2 to 256; default 32. */
  readonly bins?: number;
  /** The share of its error that each tree corrects, above 0 and up to 1; default 0.1. */
  readonly rate?: number;
  /** How many additional rows with an error of 0 each leaf has, above 0; default 3. */
  readonly lambda?: number;
  /**
   * The rows from which a tree learns its splits. With `half`, each tree learns them from a random half, and the next one from the other
   * half; the values of its leaves are always learned from all rows. This finds interactions that no single column shows, and follows noise
   * less. `all` is a little better for labels without noise. Default `half`.
   */
  readonly sample?: TreeSample;
}

/** How saved trees are loaded. */
export interface TreesLoadOptions extends ComputeOptions {
  /** The table that `fit` learns from; without one, the model predicts only. */
  readonly rows?: Table;
}

/** The checks of options that saved models have as well. */
export const CHECKS = {
  form: isOneOf(TREE_FORMS),
  label: isOneOf(LABEL_KINDS),
  trees: isWhole(1, 1024),
  depth: isWhole(1, LEVELS),
  bins: isWhole(2, 256),
  rate: isNumber(2 ** -10, 1),
  lambda: isNumber(2 ** -10, 2 ** 20),
  sample: isOneOf(TREE_SAMPLES),
};

export const DEFAULTS = {
  ...{
    form: "oblivious",
    label: "value",
    trees: 100,
    depth: 4,
    bins: 32,
    rate: 0.1,
    lambda: 3,
    sample: "half",
  },
};

export const LOAD_CHECKS = { rows: (value: unknown) => void checkTable(value) };
export const LOAD_DEFAULTS = { rows: undefined };
