// Centroids that fill the unit cube evenly.
import { Draws } from "../draws.js";
import { NearestPoint } from "./nearest.js";

/** Digits below this do not change a number. */
const LEAST_DIGIT = 2 ** -52;

/**
 * Points of a Halton sequence, whose digits are permuted at random (Owen, "A randomized Halton algorithm in R", arXiv 1706.02808): `count`
 * points with coordinates from 0 to 1, one point after the other. As centroids they are as good as those of k-means (Mouret, "Fast
 * generation of centroids for MAP-Elites", GECCO 2023 Companion).
 */
export function haltonPoints(count: number, dimensions: number, seed: number): Float64Array {
  const points = new Float64Array(count * dimensions);
  const draws = new Draws();
  primes(dimensions).forEach((base, axis) => {
    draws.start(seed, 0, axis);
    const digits: Float64Array[] = [];
    for (let scale = 1 / base; scale > LEAST_DIGIT; scale /= base) {
      digits.push(Float64Array.from(permutation(base, draws), (digit) => digit * scale));
    }
    for (let index = 0; index < count; index++) {
      let value = 0;
      let rest = index;
      for (const values of digits) {
        value += values[rest % base]!;
        rest = Math.floor(rest / base);
      }
      points[index * dimensions + axis] = value;
    }
  });
  return points;
}

/** Random points with coordinates from 0 to 1. */
export function randomPoints(count: number, dimensions: number, seed: number): Float64Array {
  const draws = new Draws();
  draws.start(seed, 1, 0);
  return Float64Array.from({ length: count * dimensions }, () => draws.fraction());
}

/**
 * Moves centroids to the means of the points that are nearest to each (Lloyd's method), until none moves or for some rounds. Centroids
 * without points stay.
 */
export function moveToMeans(
  centroids: Float64Array,
  points: Float64Array,
  dimensions: number,
  rounds: number,
): Float64Array {
  const means = centroids.slice();
  const owners = new Int32Array(points.length / dimensions).fill(-1);
  const sums = new Float64Array(means.length);
  const counts = new Float64Array(means.length / dimensions);
  for (let round = 0; round < rounds; round++) {
    const tree = new NearestPoint(means, dimensions);
    sums.fill(0);
    counts.fill(0);
    let hasMoved = false;
    for (let point = 0; point < owners.length; point++) {
      const owner = tree.nearest(points, point * dimensions);
      hasMoved ||= owner !== owners[point];
      owners[point] = owner;
      counts[owner] = counts[owner]! + 1;
      for (let axis = 0; axis < dimensions; axis++) {
        const at = owner * dimensions + axis;
        sums[at] = sums[at]! + points[point * dimensions + axis]!;
      }
    }
    if (!hasMoved) break;
    for (let at = 0; at < means.length; at++) {
      const count = counts[Math.floor(at / dimensions)]!;
      if (count > 0) means[at] = sums[at]! / count;
    }
  }
  return means;
}

/** The numbers from 0 to `count` - 1 in random order. */
function permutation(count: number, draws: Draws): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = draws.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
