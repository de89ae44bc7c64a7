// Nearest neighbours in JavaScript. Every operation is rounded to f32, in the order of assembly/neighbours.ts.
import type { Arena } from "../model/arena.js";
import {
  BLOCK_ROWS,
  MOST_DISTANCE,
  type NeighboursKernels,
  type NeighboursPlaces,
  type NeighboursShape,
  strideOf,
} from "./layout.js";

const f = Math.fround;

export class JavaScriptNeighbours implements NeighboursKernels {
  readonly #arena: Arena;
  readonly #shape: NeighboursShape;
  readonly #places: NeighboursPlaces;

  constructor(arena: Arena, places: NeighboursPlaces, shape: NeighboursShape) {
    this.#arena = arena;
    this.#places = places;
    this.#shape = shape;
  }

  find(count: number, queries: number): void {
    for (let query = 0; query < queries; query++) this.#find(count, query);
  }

  #find(count: number, index: number): void {
    const { f32, i32 } = this.#arena;
    const { columns, k } = this.#shape;
    const rows = this.#places.rows >> 2;
    const query = (this.#places.query >> 2) + index * columns;
    const nearest = (this.#places.nearest >> 2) + index * strideOf(k);
    const ages = (this.#places.ages >> 2) + index * strideOf(k);
    let found = 0;
    for (let age = 0; age < count; age++) {
      const lane = age % BLOCK_ROWS;
      const block = rows + (age - lane) * columns + lane;
      let distance = 0;
      for (let column = 0; column < columns; column++) {
        const difference = f(f32[query + column]! - f32[block + column * BLOCK_ROWS]!);
        distance = f(distance + f(difference * difference));
      }
      distance = Math.min(distance, MOST_DISTANCE);
      if (found === k && distance >= f32[nearest + k - 1]!) continue;
      let at = found < k ? found++ : k - 1;
      for (; at > 0 && f32[nearest + at - 1]! > distance; at--) {
        f32[nearest + at] = f32[nearest + at - 1]!;
        i32[ages + at] = i32[ages + at - 1]!;
      }
      f32[nearest + at] = distance;
      i32[ages + at] = age;
    }
  }
}
