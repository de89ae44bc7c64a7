// Describes what threads wait for.
import type { BarrierUse } from "./barriers.js";

export const barrierWait = ({ barrier, count }: BarrierUse): string =>
  count === undefined ? `barrier ${barrier}` : `barrier ${barrier} with ${count} threads`;

/** Describes a warp operation and the bits of its lanes. */
export const warpWait = (opcode: string, lanes: number): string => `\`${opcode}\` of lanes ${hex(lanes)}`;

/** Describes a wait for a phase of a barrier object. */
export const phaseWait = (opcode: string): string => `\`${opcode}\` of a phase that does not complete`;

/** Describes a wait for the other threads of a cluster. */
export const CLUSTER_WAIT = "the barrier of its cluster";

export const ACTIVE_MASK_WAIT = "`activemask`";

/** Describes the mistake of a lane that waits for lanes that do not include itself. */
export const strangerProblem = (lane: number, lanes: number): string =>
  `lane ${lane}, which is not among the lanes ${hex(lanes)} that it waits for`;

const hex = (lanes: number): string => `0x${(lanes >>> 0).toString(16)}`;
