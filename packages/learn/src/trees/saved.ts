// Boosted trees as bytes.
import type { Arena } from "../model/arena.js";
import {
  between,
  entryOf,
  packModel,
  SavedReader,
  savedBytes,
  savedOptions,
  whole,
} from "../model/format.js";
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
import { CHECKS, type TreesOptions } from "./options.js";

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

const NUMBERS = 13;
const LEAF_WORDS = LEAVES / 2;

export function packTrees(state: TreesState, { u32 }: Arena, places: TreesPlaces): Uint8Array<ArrayBuffer> {
  const { columns, form, label, trees, depth, bins, rate, lambda, sample, mean, unit, learned, splits } =
    state;
  const block = (place: number, length: number) => u32.subarray(place >> 2, (place >> 2) + length);
  return packModel("trees", {
    numbers: [
      ...[columns, TREE_FORMS.indexOf(form), LABEL_KINDS.indexOf(label), trees, depth, bins, rate, lambda],
      ...[TREE_SAMPLES.indexOf(sample), mean, unit, learned, splits],
    ],
    blocks: [
      block(places.columns, splits),
      block(places.thresholds, splits),
      block(places.nodes, trees * nodesOf(state)),
      block(places.leaves, trees * LEAF_WORDS),
    ],
  });
}

/** The most bytes of saved trees. */
export const mostTreesBytes = (shape: Omit<TreesShape, "capacity" | "sample">): number =>
  savedBytes(NUMBERS, 2 * mostSplits(shape) + shape.trees * (nodesOf(shape) + LEAF_WORDS));

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackTrees(bytes: unknown) {
  const reader = new SavedReader("trees", bytes, () => NUMBERS);
  const [
    columns,
    formIndex,
    kind,
    trees,
    depth,
    bins,
    rate,
    lambda,
    sampleIndex,
    mean,
    unit,
    learned,
    splits,
  ] = reader.numbers as number[];
  const form = entryOf("a form of trees", TREE_FORMS, formIndex!);
  const label = entryOf("a kind of label", LABEL_KINDS, kind!);
  const sample = entryOf("a sample", TREE_SAMPLES, sampleIndex!);
  whole("columns", columns!, 1, 4096);
  const options = {
    form,
    label,
    trees: trees!,
    depth: depth!,
    bins: bins!,
    rate: rate!,
    lambda: lambda!,
    sample,
  };
  savedOptions<TreesOptions>(options, CHECKS);
  whole("rows", learned!, 1, 2 ** 16);
  between("a mean", mean!, -4e38, 4e38);
  between("a unit", unit!, 0, 4e38);
  const state: TreesState = {
    columns: columns!,
    ...options,
    mean: mean!,
    unit: unit!,
    learned: learned!,
    splits: splits!,
  };
  whole("splits", splits!, 1, mostSplits(state));
  const splitColumns = reader.block(splits!);
  const thresholds = reader.block(splits!);
  const nodes = reader.block(trees! * nodesOf(state));
  const leaves = reader.block(trees! * LEAF_WORDS);
  reader.end();
  for (const column of splitColumns) whole("a column of a split", column, 0, columns! - 1);
  for (const split of nodes) whole("a split of a node", split, 0, splits! - 1);
  return { state, splitColumns, thresholds, nodes, leaves };
}
