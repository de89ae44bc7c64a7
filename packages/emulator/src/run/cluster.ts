// Clusters: groups of neighbouring blocks that run at the same time (PTX ISA, Cluster of Cooperative Thread Arrays).
import { demangle } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { ProgramFunction } from "../program/program.js";
import type { Dimensions } from "./dimensions.js";
import type { LaunchPlan } from "./launch.js";

/** The most blocks of a cluster on GPUs of compute capability 9.0; more than 8 are not portable. */
export const MOST_CLUSTER_BLOCKS = 16;

const productOf = ([x, y, z]: Dimensions): number => x * y * z;
const shown = (size: Dimensions): string => size.join(" x ");

/** The number of blocks of each cluster. */
export const clusterBlocks = ({ cluster }: Pick<LaunchPlan, "cluster">): number =>
  cluster === undefined ? 1 : productOf(cluster);

/**
 * The size of the clusters of a launch; undefined if it has none.
 *
 * @param asked the size that the launch asks for
 * @throws EmulatorError INVALID_ARGUMENT if the kernel or the grid does not allow it
 */
export function clusterOf(
  kernel: ProgramFunction,
  asked: Dimensions | undefined,
  grid: Dimensions,
): Dimensions | undefined {
  const directive = (name: string) => kernel.directives.find((one) => one.name === name)?.values;
  const values = directive(".reqnctapercluster");
  const required: Dimensions | undefined = values && [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
  const wrong = (expected: string, found: string) =>
    new EmulatorError(
      "INVALID_ARGUMENT",
      `expected ${expected} for kernel ${quoted(demangle(kernel.name))}, found ${found}`,
    );
  if (required !== undefined && asked !== undefined && required.some((size, axis) => size !== asked[axis]))
    throw wrong(`clusters of ${shown(required)} blocks`, shown(asked));
  const cluster = asked ?? required;
  if (cluster === undefined) {
    if (directive(".explicitcluster") !== undefined) throw wrong("a launch with clusters", "one without");
    return undefined;
  }
  const most = Math.min(directive(".maxclusterrank")?.[0] ?? Infinity, MOST_CLUSTER_BLOCKS);
  if (productOf(cluster) > most) throw wrong(`at most ${most} blocks in a cluster`, `${productOf(cluster)}`);
  if (grid.some((blocks, axis) => blocks % cluster[axis]! !== 0))
    throw wrong(`a grid of whole clusters of ${shown(cluster)} blocks`, shown(grid));
  return cluster;
}

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
  return [0, 1, 2].map((axis) => first[axis]! * cluster[axis]! + within[axis]!) as unknown as Dimensions;
}
