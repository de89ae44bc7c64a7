// What threads wait for, in words: both engines tell a deadlock alike.

/** @param count of threads that the barrier is for; undefined for all of the block */
export const barrierWait = (barrier: number, count: number | undefined): string =>
  count === undefined ? `barrier ${barrier}` : `barrier ${barrier} with ${count} threads`;

/** A warp operation, and the bits of the lanes that it is for. */
export const warpWait = (opcode: string, lanes: number): string => `\`${opcode}\` of lanes ${hex(lanes)}`;

export const ACTIVE_MASK_WAIT = "`activemask`";

/** Why a lane can't wait for lanes that it is not one of. */
export const strangerProblem = (lane: number, lanes: number): string =>
  `lane ${lane}, which is not among the lanes ${hex(lanes)} that it waits for`;

const hex = (lanes: number): string => `0x${(lanes >>> 0).toString(16)}`;
