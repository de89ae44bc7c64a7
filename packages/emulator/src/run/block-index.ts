// The numbers of blocks, in the order in which they begin.
import type { Dimensions } from "./dimensions.js";
import type { LaunchPlan } from "./launch.js";

const productOf = ([x, y, z]: Dimensions): number => x * y * z;

/** The number of blocks of each cluster. */
export const clusterBlocks = ({ cluster }: Pick<LaunchPlan, "cluster">): number =>
  cluster === undefined ? 1 : productOf(cluster);

/** The index in the grid of a block by its number; the blocks of a cluster have consecutive numbers, in order of their ranks. */
export function blockIndex(
  { grid, cluster }: Pick<LaunchPlan, "grid" | "cluster">,
  number: number,
): Dimensions {
  const [x, y] = grid;
  if (cluster === undefined) return [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
  const size = productOf(cluster);
  const clusters: Dimensions = [x / cluster[0], y / cluster[1], grid[2] / cluster[2]];
  const first = blockIndex({ grid: clusters }, Math.floor(number / size));
  const within = blockIndex({ grid: cluster }, number % size);
  const along = (axis: 0 | 1 | 2) => first[axis] * cluster[axis] + within[axis];
  return [along(0), along(1), along(2)];
}
