// Which special registers a program may read without noticing that others run beside it in the same launch.
import { isPredefined } from "@mm-ptx/ptx";
import type { Axis } from "./question.js";

const words = (list: string): string[] => list.split(" ").map((name) => `%${name}`);

/** They have the same values in every launch of the same block. */
const STEADY: ReadonlySet<string> = new Set([
  ...words("tid ntid laneid nwarpid nsmid lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt"),
  ...words("total_smem_size aggr_smem_size dynamic_smem_size"),
  ...words("reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap"),
  ...words("reserved_smem_offset_0 reserved_smem_offset_1"),
]);
const GRID: ReadonlySet<string> = new Set(words("ctaid nctaid"));
const AXES: readonly (string | undefined)[] = ["x", "y", "z"];

/**
 * Why what is computed from a special register may differ in a launch of several alternatives, as part of a sentence;
 * `undefined` if it is always the same, or no special register at all.
 *
 * @param name with `%`, without its component
 * @param component the part after the dot, if there is one
 */
export function registerObstacle(
  name: string,
  component: string | undefined,
  axis: Axis,
): string | undefined {
  if (!name.startsWith("%") || STEADY.has(name)) return undefined;
  if (GRID.has(name)) {
    if (AXES.includes(component) && component !== axis) return undefined;
    const read = component === undefined ? name : `${name}.${component}`;
    return `reads \`${read}\`, which counts alternatives`;
  }
  return isPredefined(name) ? `reads \`${name}\`, which may differ from launch to launch` : undefined;
}
