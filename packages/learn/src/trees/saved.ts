// Boosted trees as bytes.
import type { Arena } from "../model/arena.js";
import { between, damaged, packModel, SavedReader, whole } from "../model/format.js";
import { LABEL_KINDS, type LabelKind } from "../model/labels.js";
import { LEAVES, LEVELS, type TreesPlaces } from "./layout.js";

/** What a model is besides its trees. */
export interface TreesState {
  readonly columns: number;
  readonly label: LabelKind;
  readonly trees: number;
  readonly depth: number;
  readonly bins: number;
  readonly rate: number;
  readonly lambda: number;
  /** The mean of the labels, and what one unit of a leaf is. */
  mean: number;
  unit: number;
  /** The number of rows that were learned. */
  learned: number;
}

const NUMBERS = 10;
const LEAF_WORDS = LEAVES / 2;

export function packTrees(state: TreesState, { u32 }: Arena, places: TreesPlaces): Uint8Array<ArrayBuffer> {
  const { columns, label, trees, depth, bins, rate, lambda, mean, unit, learned } = state;
  const block = (place: number, length: number) => u32.subarray(place >> 2, (place >> 2) + length);
  return packModel("trees", {
    numbers: [columns, LABEL_KINDS.indexOf(label), trees, depth, bins, rate, lambda, mean, unit, learned],
    blocks: [
      block(places.features, trees * LEVELS),
      block(places.thresholds, trees * LEVELS),
      block(places.leaves, trees * LEAF_WORDS),
    ],
  });
}

/** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
export function unpackTrees(bytes: unknown) {
  const reader = new SavedReader("trees", bytes, () => NUMBERS);
  const [columns, kind, trees, depth, bins, rate, lambda, mean, unit, learned] = reader.numbers as number[];
  const label = LABEL_KINDS[kind!];
  if (label === undefined) throw damaged("a kind of label", kind!);
  whole("columns", columns!, 1, 4096);
  whole("trees", trees!, 1, 1024);
  whole("levels", depth!, 1, LEVELS);
  whole("bins", bins!, 2, 256);
  whole("rows", learned!, 1, 2 ** 16);
  between("a rate", rate!, 2 ** -10, 1);
  between("lambda", lambda!, 2 ** -10, 2 ** 20);
  between("a mean", mean!, -4e38, 4e38);
  between("a unit", unit!, 0, 4e38);
  const features = reader.block(trees! * LEVELS);
  const thresholds = reader.block(trees! * LEVELS);
  const leaves = reader.block(trees! * LEAF_WORDS);
  reader.end();
  for (let index = 0; index < features.length; index++) {
    if (index % LEVELS < depth!) whole("a column of a split", features[index]!, 0, columns! - 1);
  }
  const state: TreesState = {
    ...{ columns: columns!, label, trees: trees!, depth: depth!, bins: bins! },
    ...{ rate: rate!, lambda: lambda!, mean: mean!, unit: unit!, learned: learned! },
  };
  return { state, features, thresholds, leaves };
}
