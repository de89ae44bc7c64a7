// Clusters: groups of neighbouring blocks that run at the same time (PTX ISA, Cluster of Cooperative Thread Arrays).
import type { LaunchDimensions } from "@mm-ptx/types/device";
import { checkDimensions } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { ProgramFunction } from "../program/program.js";
import type { Dimensions } from "./dimensions.js";

/** The most blocks of a cluster on GPUs of compute capability 9.0; more than 8 are not portable. */
const MOST = 16;

const refuse = (message: string) => new EmulatorError("INVALID_ARGUMENT", message);
const shown = (size: Dimensions): string => size.join(" x ");

/**
 * The size of the clusters of a launch; undefined if it has none.
 *
 * @param asked the size that the launch requests
 * @throws EmulatorError INVALID_ARGUMENT if the kernel or the grid does not allow it
 */
export function clusterOf(
  { directives }: ProgramFunction,
  asked: LaunchDimensions | undefined,
  grid: Dimensions,
): Dimensions | undefined {
  const directive = (name: string) => directives.find((one) => one.name === name)?.values;
  const required = directive(".reqnctapercluster");
  const wanted = asked ?? (required as readonly [number] | undefined);
  if (wanted === undefined) {
    if (directive(".explicitcluster") === undefined) return undefined;
    throw refuse("expected `cluster` for a kernel with `.explicitcluster`");
  }
  const cluster = checkDimensions("cluster", wanted, [MOST, MOST, MOST], refuse);
  if (required !== undefined && cluster.some((size, axis) => size !== (required[axis] ?? 1)))
    throw refuse(`expected clusters of ${required.join(" x ")} blocks, found ${shown(cluster)}`);
  const most = Math.min(directive(".maxclusterrank")?.[0] ?? MOST, MOST);
  const blocks = cluster[0] * cluster[1] * cluster[2];
  if (blocks > most) throw refuse(`expected at most ${most} blocks in a cluster, found ${blocks}`);
  if (grid.some((size, axis) => size % cluster[axis]! !== 0))
    throw refuse(`expected a grid of clusters of ${shown(cluster)} blocks, found ${shown(grid)}`);
  return cluster;
}
