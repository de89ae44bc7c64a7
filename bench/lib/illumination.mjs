// Problems with known maps for searches over vectors. Each says what its archive and its space are, and scores a vector.

import { cvtArchive, vectorSpace } from "@mm-ptx/search";

const LIMIT = 5.12;
const TAU = 2 * Math.PI;

/**
 * @typedef {object} Problem
 * @property {readonly string[]} measures
 * @property {() => import("@mm-ptx/search").VectorSpace} space
 * @property {(options?: object) => import("@mm-ptx/search").Archive} archive
 * @property {(x: Float32Array, start: number, measures: Float64Array, at: number) => number} score writes the measures, returns the objective
 */

/**
 * Where the end of an arm of links of length 1 is, with the least variance of its angles (Cully et al., "Robots that can adapt like animals",
 * Nature 2015): 10,000 cells around given points.
 *
 * @param {number} links
 * @returns {Problem}
 */
export function arm(links) {
  const ranges = ["x", "y"].map((name) => ({ name, min: -links, max: links }));
  return {
    measures: ["x", "y"],
    space: () => vectorSpace({ dimensions: links, bounds: [-Math.PI, Math.PI] }),
    archive: (options) => cvtArchive({ ranges, cells: 10_000, qdOffset: -10, ...options }),
    score(x, start, into, at) {
      let [sum, squares, angle, right, up] = [0, 0, 0, 0, 0];
      for (let link = 0; link < links; link++) {
        const value = x[start + link];
        sum += value;
        squares += value * value;
        angle += value;
        right += Math.cos(angle);
        up += Math.sin(angle);
      }
      into[at] = right;
      into[at + 1] = up;
      return (sum / links) ** 2 - squares / links;
    },
  };
}

/**
 * The Rastrigin function with its first two coordinates as measures, as in the examples of pymap_elites: 5,000 cells around given points.
 *
 * @param {number} dimensions
 * @returns {Problem}
 */
export function rastrigin(dimensions) {
  const ranges = ["first", "second"].map((name) => ({ name, min: -LIMIT, max: LIMIT }));
  return {
    measures: ["first", "second"],
    space: () => vectorSpace({ dimensions, bounds: [-LIMIT, LIMIT] }),
    archive: (options) => cvtArchive({ ranges, cells: 5000, qdOffset: -250, ...options }),
    score(x, start, into, at) {
      let sum = 10 * dimensions;
      for (let axis = 0; axis < dimensions; axis++) {
        const value = x[start + axis];
        sum += value * value - 10 * Math.cos(TAU * value);
      }
      into[at] = x[start];
      into[at + 1] = x[start + 1];
      return -sum;
    },
  };
}
