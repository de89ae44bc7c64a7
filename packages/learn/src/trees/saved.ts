// Boosted trees as bytes.
import { isNumber, isWhole } from "@mm-ptx/types/internal";
import { type Arena, wordsAt } from "../model/arena.js";
import { between, packModel, type SavedForm, SavedReader, savedBytes } from "../model/format.js";
import { LABEL_KINDS, type LabelKind } from "../model/labels.js";
import {
  LEAVES,
  mostSplits,
  nodesOf,
  TREE_FORMS,
  TREE_SAMPLES,
  type TreeForm,
  type TreeSample,
  type TreesPlaces,
  type TreesShape,
} from "./layout.js";
import { CHECKS } from "./options.js";

/** What a model is besides its trees. */
export interface TreesState {
  readonly columns: number;
  readonly form: TreeForm;
  readonly label: LabelKind;
  readonly trees: number;
  readonly depth: number;
  readonly bins: number;
  readonly rate: number;
  readonly lambda: number;
  readonly sample: TreeSample;
  /** The mean of the labels, and what one unit of a leaf is. */
  mean: number;
  unit: number;
  /** The number of rows that were learned. */
  learned: number;
  /** The number of different splits. */
  splits: number;
}

const MOST = 4e38;
const FORM: SavedForm = {
  kind: "trees",
  checks: {
    columns: isWhole(1, 4096),
    ...CHECKS,
    mean: isNumber(-MOST, MOST),
    unit: isNumber(0, MOST),
    learned: isWhole(1, 2 ** 16),
    splits: isWhole(1, 2 ** 32),
  },
  words: { form: TREE_FORMS, label: LABEL_KINDS, sample: TREE_SAMPLES },
};
const LEAF_WORDS = LEAVES / 2;

export function packTrees(state: TreesState, arena: Arena, places: TreesPlaces): Uint8Array<ArrayBuffer> {
  return packModel(FORM, state, [
    wordsAt(arena, places.columns, state.splits),
    wordsAt(arena, places.thresholds, state.splits),
    wordsAt(arena, places.nodes, state.trees * nodesOf(state)),
    wordsAt(arena, places.leaves, state.trees * LEAF_WORDS),
  ]);
}

/** The most bytes of saved trees. */
export const mostTreesBytes = (shape: Omit<TreesShape, "capacity" | "sample">): number =>
  savedBytes(FORM, 2 * mostSplits(shape) + shape.trees * (nodesOf(shape) + LEAF_WORDS));

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackTrees(bytes: unknown) {
  const reader = new SavedReader<TreesState>(FORM, bytes);
  const { state } = reader;
  const { columns, trees, splits } = state;
  between("splits", splits, 1, mostSplits(state));
  const splitColumns = reader.block(splits);
  const thresholds = reader.block(splits);
  const nodes = reader.block(trees * nodesOf(state));
  const leaves = reader.block(trees * LEAF_WORDS);
  reader.end();
  let [lastColumn, last] = [0, -MOST];
  new Float32Array(thresholds.slice().buffer).forEach((threshold, split) => {
    const column = splitColumns[split]!;
    between("a column of a split", column, lastColumn, columns - 1);
    if (column > lastColumn) last = -MOST;
    // No row is above the last split of the first column if that is infinite.
    between("a threshold", threshold, last, column > 0 ? MOST : Number.POSITIVE_INFINITY);
    [lastColumn, last] = [column, threshold];
  });
  for (const split of nodes) between("a split of a node", split, 0, splits - 1);
  return { state, splitColumns, thresholds, nodes, leaves };
}
