// Grows and evaluates trees in JavaScript.
import { type Arena, floatsAt } from "../model/arena.js";
import { finiteScore } from "../model/model.js";
import { allFinite } from "../options.js";
import {
  COUNT_UNIT,
  halvesOf,
  LEAVES,
  MOST_RESIDUAL,
  nodesOf,
  type TreesKernels,
  type TreesPlaces,
  type TreesShape,
} from "./layout.js";
import { binValues, chooseEdges, sortKeys } from "./sorting.js";

export class JavaScriptTrees implements TreesKernels {
  readonly #arena: Arena;
  readonly #places: TreesPlaces;
  readonly #shape: TreesShape;
  readonly #nodes: number;
  /** The values of a leaf's histogram, and the split that was found last. */
  readonly #size: number;
  #feature = 0;
  #bin = 0;

  constructor(arena: Arena, places: TreesPlaces, shape: TreesShape) {
    this.#arena = arena;
    this.#places = places;
    this.#shape = shape;
    this.#nodes = nodesOf(shape);
    this.#size = shape.columns * shape.bins;
  }

  sort(count: number): void {
    sortKeys(this.#arena, this.#places, count);
  }

  chooseEdges(column: number, count: number): void {
    chooseEdges(this.#arena, this.#places, this.#shape, column, count);
  }

  bin(column: number, count: number): void {
    binValues(this.#arena, this.#places, this.#shape, column, count);
  }

  grow(count: number, rate: number): void {
    const { trees, depth, form } = this.#shape;
    for (let tree = 0; tree < trees; tree++) {
      this.#begin(tree, count);
      for (let level = 0; level < depth; level++) {
        const half = 1 << level;
        for (let leaf = 0; leaf < half; leaf++) this.#total(leaf);
        if (form === "oblivious") this.#findSplit(0, half, tree, level);
        for (let leaf = 0; leaf < half; leaf++) {
          if (form === "general") this.#findSplit(leaf, leaf + 1, tree, half - 1 + leaf);
          if (level + 1 === depth) continue;
          this.#divide(leaf, leaf + half);
          this.#subtract(leaf, leaf + half);
        }
      }
      this.#settle(tree, count, rate);
    }
  }

  /** Limits the residuals, puts the rows that a tree learns its splits from into one leaf, and sums up its histogram. */
  #begin(tree: number, count: number): void {
    const { f64, i32 } = this.#arena;
    const places = this.#places;
    const residuals = places.residuals >> 2;
    const entries = places.entries >> 3;
    const order = places.order >> 2;
    const isHalf = this.#shape.sample === "half";
    let learned = 0;
    let word = 0;
    for (let row = 0; row < count; row++) {
      const residual = i32[residuals + row]!;
      f64[entries + row] = COUNT_UNIT + Math.max(-MOST_RESIDUAL, Math.min(MOST_RESIDUAL, residual));
      if (isHalf && (row & 31) === 0) word = halvesOf(tree >> 1, row) ^ -(tree & 1);
      i32[order + learned] = row;
      learned += 1 - (word & 1);
      word >>>= 1;
    }
    i32[places.segments >> 2] = 0;
    i32[(places.segments >> 2) + LEAVES] = learned;
    i32[places.slots >> 2] = 0;
    this.#sum(0, 0, learned);
  }

  /** The histogram of the rows from `start` to `end` of the order, in a slot. */
  #sum(slot: number, start: number, end: number): void {
    const { f64, i32, u8 } = this.#arena;
    const { columns, bins } = this.#shape;
    const { binned } = this.#places;
    const order = this.#places.order >> 2;
    const entries = this.#places.entries >> 3;
    const histogram = (this.#places.histograms >> 3) + slot * this.#size;
    f64.fill(0, histogram, histogram + this.#size);
    for (let index = start; index < end; index++) {
      const row = i32[order + index]!;
      const entry = f64[entries + row]!;
      const values = binned + row * columns;
      let at = histogram;
      for (let column = 0; column < columns; column++) {
        const place = at + u8[values + column]!;
        f64[place] = f64[place]! + entry;
        at += bins;
      }
    }
  }

  /** The sum of all entries of a leaf, which any column has. */
  #total(leaf: number): void {
    const { f64, i32 } = this.#arena;
    const histogram = (this.#places.histograms >> 3) + i32[(this.#places.slots >> 2) + leaf]! * this.#size;
    const edges = i32[this.#places.edgeCounts >> 2]!;
    let all = 0;
    for (let bin = 0; bin <= edges; bin++) all += f64[histogram + bin]!;
    f64[(this.#places.totals >> 3) + leaf] = all;
  }

  /**
   * Finds the split of the leaves from `first` to `end` with the largest gain, which is the first of equal ones, for a node. If none gains
   * anything, it is the last bin of the first column, which no row is above.
   */
  #findSplit(first: number, end: number, tree: number, node: number): void {
    const { f64, i32 } = this.#arena;
    const { columns, bins } = this.#shape;
    const slots = this.#places.slots >> 2;
    const histograms = this.#places.histograms >> 3;
    const gains = this.#places.gains >> 3;
    const totals = this.#places.totals >> 3;
    let best = 0;
    for (let leaf = first; leaf < end; leaf++) best += this.#gainOf(f64[totals + leaf]!);
    this.#feature = 0;
    this.#bin = bins - 1;
    for (let column = 0; column < columns; column++) {
      const edges = i32[(this.#places.edgeCounts >> 2) + column]!;
      f64.fill(0, gains, gains + edges);
      for (let leaf = first; leaf < end; leaf++) {
        const histogram = histograms + i32[slots + leaf]! * this.#size + column * bins;
        const all = f64[totals + leaf]!;
        let below = 0;
        for (let bin = 0; bin < edges; bin++) {
          below += f64[histogram + bin]!;
          const gain = this.#gainOf(below) + this.#gainOf(all - below);
          f64[gains + bin] = f64[gains + bin]! + gain;
        }
      }
      for (let bin = 0; bin < edges; bin++) {
        if (f64[gains + bin]! > best) {
          best = f64[gains + bin]!;
          this.#feature = column;
          this.#bin = bin;
        }
      }
    }
    i32[(this.#places.nodes >> 2) + tree * this.#nodes + node] = this.#feature * bins + this.#bin;
    i32[(this.#places.divisions >> 2) + 2 * node] = this.#feature;
    i32[(this.#places.divisions >> 2) + 2 * node + 1] = this.#bin;
  }

  /** The squared sum of residuals over their count and lambda. */
  #gainOf(entry: number): number {
    const count = countOf(entry);
    const sum = entry - count * COUNT_UNIT;
    return sum * sum * this.#arena.f64[(this.#places.reciprocals >> 3) + count]!;
  }

  /** Divides the rows of a leaf: those up to the edge stay. Both keep their order. */
  #divide(leaf: number, right: number): void {
    const { i32, u8 } = this.#arena;
    const { columns } = this.#shape;
    const { binned } = this.#places;
    const order = this.#places.order >> 2;
    const other = this.#places.otherOrder >> 2;
    const segments = this.#places.segments >> 2;
    const start = i32[segments + leaf]!;
    const end = i32[segments + LEAVES + leaf]!;
    let low = start;
    let high = 0;
    for (let index = start; index < end; index++) {
      const row = i32[order + index]!;
      if (u8[binned + row * columns + this.#feature]! > this.#bin) i32[other + high++] = row;
      else i32[order + low++] = row;
    }
    for (let index = 0; index < high; index++) i32[order + low + index] = i32[other + index]!;
    i32[segments + LEAVES + leaf] = low;
    i32[segments + right] = low;
    i32[segments + LEAVES + right] = end;
  }

  /** The histograms of the two halves of a leaf: that of the smaller is summed up, and the other is the rest. */
  #subtract(leaf: number, right: number): void {
    const { f64, i32 } = this.#arena;
    const histograms = this.#places.histograms >> 3;
    const segments = this.#places.segments >> 2;
    const slots = this.#places.slots >> 2;
    const sizeOf = (one: number) => i32[segments + LEAVES + one]! - i32[segments + one]!;
    const parent = i32[slots + leaf]!;
    const smaller = sizeOf(right) <= sizeOf(leaf) ? right : leaf;
    this.#sum(right, i32[segments + smaller]!, i32[segments + LEAVES + smaller]!);
    const from = histograms + parent * this.#size;
    const part = histograms + right * this.#size;
    for (let index = 0; index < this.#size; index++)
      f64[from + index] = f64[from + index]! - f64[part + index]!;
    i32[slots + leaf] = smaller === right ? parent : right;
    i32[slots + right] = smaller === right ? right : parent;
  }

  /** The values of the leaves, from all rows, and what these no longer need to reach. */
  #settle(tree: number, count: number, rate: number): void {
    const { f64, i16, i32, u8 } = this.#arena;
    const { columns, depth, form } = this.#shape;
    const { binned } = this.#places;
    const totals = this.#places.totals >> 3;
    const entries = this.#places.entries >> 3;
    const leafOf = this.#places.otherOrder >> 2;
    const residuals = this.#places.residuals >> 2;
    const divisions = this.#places.divisions >> 2;
    const leaves = (this.#places.leaves >> 1) + tree * LEAVES;
    f64.fill(0, totals, totals + LEAVES);
    for (let row = 0; row < count; row++) {
      const values = binned + row * columns;
      let leaf = 0;
      for (let level = 0; level < depth; level++) {
        const division = divisions + 2 * (form === "oblivious" ? level : (1 << level) - 1 + leaf);
        if (u8[values + i32[division]!]! > i32[division + 1]!) leaf |= 1 << level;
      }
      i32[leafOf + row] = leaf;
      f64[totals + leaf] = f64[totals + leaf]! + f64[entries + row]!;
    }
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const entry = f64[totals + leaf]!;
      const size = countOf(entry);
      const sum = entry - size * COUNT_UNIT;
      i16[leaves + leaf] = Math.floor(rate * sum * f64[(this.#places.reciprocals >> 3) + size]! + 0.5);
    }
    for (let row = 0; row < count; row++)
      i32[residuals + row] = i32[residuals + row]! - i16[leaves + i32[leafOf + row]!]!;
  }

  prepare(): void {}

  areFinite(rows: number): boolean {
    return allFinite(floatsAt(this.#arena, this.#places.block, rows * this.#shape.columns));
  }

  predict(rows: number, _splits: number, mean: number, unit: number): void {
    const { f32, i16, i32 } = this.#arena;
    const { columns, trees, depth, form } = this.#shape;
    const block = this.#places.block >> 2;
    const sums = this.#places.sums >> 2;
    const nodes = this.#places.nodes >> 2;
    const columnOf = this.#places.columns >> 2;
    const thresholds = this.#places.thresholds >> 2;
    const leaves = this.#places.leaves >> 1;
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let tree = 0; tree < trees; tree++) {
        let leaf = 0;
        for (let level = 0; level < depth; level++) {
          const node = form === "oblivious" ? level : (1 << level) - 1 + leaf;
          const split = i32[nodes + tree * this.#nodes + node]!;
          const value = f32[block + row * columns + i32[columnOf + split]!]!;
          if (value > f32[thresholds + split]!) leaf |= 1 << level;
        }
        sum += i16[leaves + tree * LEAVES + leaf]!;
      }
      f32[sums + row] = finiteScore(mean + sum * unit);
    }
  }
}

/** The number of rows in a sum of entries. */
const countOf = (entry: number): number => Math.floor(entry / COUNT_UNIT + 0.5);
