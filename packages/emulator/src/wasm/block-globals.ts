// The globals of a module that differ between the blocks of a launch, and between launches.
import type { LaunchPlan } from "../run/launch.js";
import type { Areas } from "./areas.js";
import type { GlobalName } from "./frame.js";

/** The globals that code sets itself. */
type OwnGlobal = "fuel" | "clock" | "pending" | "found" | "group";

/** The values for a block of a launch, whose memory is at `areas`. */
export function blockGlobals(
  { grid, block, dynamicSharedBytes, workspace = 0 }: LaunchPlan,
  number: number,
  { shared, sharedBytes, local, params, frame, states, written, epochs }: Areas,
  others: { readonly localBytes: number; readonly shadow: number },
): Record<Exclude<GlobalName, OwnGlobal>, number> {
  const [nctaidX, nctaidY, nctaidZ] = grid;
  const [ntidX, ntidY, ntidZ] = block;
  const row = Math.floor(number / nctaidX);
  return {
    ...{ ctaidX: number % nctaidX, ctaidY: row % nctaidY, ctaidZ: Math.floor(row / nctaidY) },
    ...{ ntidX, ntidY, ntidZ, nctaidX, nctaidY, nctaidZ },
    ...{ frame, states, shared, sharedBytes, local, params, written, epochs, workspace },
    dynamicBytes: dynamicSharedBytes,
    ...others,
  };
}
