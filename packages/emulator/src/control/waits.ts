// Maps a wait step to the kind of wait that the scheduler knows.
import type { Waiting } from "../program/operation.js";
import type { Step } from "./step.js";

export type WaitKind = "warp" | "activemask" | "barrier" | "phase" | "turn";

const KINDS: Readonly<Record<Waiting, WaitKind>> = {
  barrier: "barrier",
  lanes: "warp",
  active: "activemask",
  phase: "phase",
  turn: "turn",
};

/** Whether a step is `bar.warp.sync`, the only warp operation that orders memory accesses. */
export const isWarpBarrier = ({ operation: { traits, results } }: Step): boolean =>
  traits.waits === "lanes" && results === 0 && !traits.reads && !traits.writes;

/** @param step one of a graph's waits */
export const waitKind = ({ operation }: Step): WaitKind => KINDS[operation.traits.waits!];
