// The nearest of many points, exactly: a k-d tree in typed arrays.

const LEAF = 12;
/** Twice the depth of a tree of 2^28 points. */
const STACK = 64;

/**
 * Points in any number of dimensions. `nearest` returns what comparing the distances to all points in their order would, to the bit: of
 * points at the same distance, the first.
 */
export class NearestPoint {
  readonly dimensions: number;
  readonly count: number;
  /** The points in the order of the leaves, and their indices. */
  readonly #points: Float64Array;
  readonly #indices: Int32Array;
  /** For each node: the least and the greatest coordinates of its points, its points, and its second child; the first one follows it. */
  readonly #boxes: Float64Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #seconds: Int32Array;
  readonly #nodes = new Int32Array(STACK);
  readonly #bounds = new Float64Array(STACK);

  /** @param points all coordinates of the first point, then those of the second one, and so on; at least one point */
  constructor(points: Float64Array, dimensions: number) {
    this.dimensions = dimensions;
    this.count = points.length / dimensions;
    const nodes = nodeCount(this.count);
    this.#boxes = new Float64Array(2 * dimensions * nodes);
    this.#starts = new Int32Array(nodes);
    this.#ends = new Int32Array(nodes);
    this.#seconds = new Int32Array(nodes);
    this.#indices = Int32Array.from({ length: this.count }, (_, index) => index);
    this.#build(points, 0, 0, this.count);
    this.#points = new Float64Array(points.length);
    for (let place = 0; place < this.count; place++) {
      const from = this.#indices[place]! * dimensions;
      this.#points.set(points.subarray(from, from + dimensions), place * dimensions);
    }
  }

  /** The index of the point that is nearest to the one at `start`. */
  nearest(query: Float64Array, start: number): number {
    const { dimensions } = this;
    const [points, indices, seconds] = [this.#points, this.#indices, this.#seconds];
    const [nodes, bounds] = [this.#nodes, this.#bounds];
    let least = Number.POSITIVE_INFINITY;
    let nearest = -1;
    let depth = 0;
    let node = 0;
    for (;;) {
      const second = seconds[node]!;
      if (second === 0) {
        const end = this.#ends[node]!;
        for (let place = this.#starts[node]!, at = place * dimensions; place < end; place++) {
          let distance = 0;
          for (let axis = 0; axis < dimensions; axis++) {
            const step = query[start + axis]! - points[at++]!;
            distance += step * step;
          }
          if (distance < least || (distance === least && indices[place]! < nearest)) {
            least = distance;
            nearest = indices[place]!;
          }
        }
      } else {
        // The nearer child comes first, the other one when nothing nearer was found by then.
        const toFirst = this.#bound(node + 1, query, start);
        const toSecond = this.#bound(second, query, start);
        const isFirst = toFirst <= toSecond;
        bounds[depth] = isFirst ? toSecond : toFirst;
        nodes[depth++] = isFirst ? second : node + 1;
        node = isFirst ? node + 1 : second;
        continue;
      }
      do {
        if (depth === 0) return nearest;
        node = nodes[--depth]!;
      } while (bounds[depth]! > least);
    }
  }

  /** The square of the distance to the box of a node. It is rounded as distances to points are, so it is never more than theirs. */
  #bound(node: number, query: Float64Array, start: number): number {
    const { dimensions } = this;
    const boxes = this.#boxes;
    let bound = 0;
    for (let axis = 0, at = 2 * dimensions * node; axis < dimensions; axis++, at += 2) {
      const value = query[start + axis]!;
      const least = boxes[at]!;
      const most = boxes[at + 1]!;
      const step = value < least ? least - value : value > most ? value - most : 0;
      bound += step * step;
    }
    return bound;
  }

  /** Makes a node of some of the points and those below it; returns the node after them. */
  #build(points: Float64Array, node: number, start: number, end: number): number {
    this.#starts[node] = start;
    this.#ends[node] = end;
    const axis = this.#measureBox(points, node, start, end);
    if (end - start <= LEAF) return node + 1;
    const { dimensions } = this;
    this.#indices
      .subarray(start, end)
      .sort((a, b) => points[a * dimensions + axis]! - points[b * dimensions + axis]! || a - b);
    const middle = (start + end) >> 1;
    const second = this.#build(points, node + 1, start, middle);
    this.#seconds[node] = second;
    return this.#build(points, second, middle, end);
  }

  /** Writes the box of a node, and returns its longest axis. */
  #measureBox(points: Float64Array, node: number, start: number, end: number): number {
    const { dimensions } = this;
    let longest = 0;
    let length = -1;
    for (let axis = 0; axis < dimensions; axis++) {
      let least = Number.POSITIVE_INFINITY;
      let most = Number.NEGATIVE_INFINITY;
      for (let place = start; place < end; place++) {
        const value = points[this.#indices[place]! * dimensions + axis]!;
        if (value < least) least = value;
        if (value > most) most = value;
      }
      const at = 2 * (dimensions * node + axis);
      this.#boxes[at] = least;
      this.#boxes[at + 1] = most;
      if (most - least > length) {
        length = most - least;
        longest = axis;
      }
    }
    return longest;
  }
}

/** The number of nodes of a tree. */
function nodeCount(points: number): number {
  if (points <= LEAF) return 1;
  const first = points >> 1;
  return 1 + nodeCount(first) + nodeCount(points - first);
}
