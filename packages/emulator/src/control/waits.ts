// Maps a wait step to the kind of wait that the scheduler knows.
import type { Waiting } from "../program/operation.js";
import type { Step } from "./step.js";

export type WaitKind = "warp" | "activemask" | "barrier" | "turn";

const KINDS: Readonly<Record<Waiting, WaitKind>> = {
  barrier: "barrier",
  lanes: "warp",
  active: "activemask",
  turn: "turn",
};

/** @param step one of a graph's waits */
export const waitKind = ({ operation }: Step): WaitKind => KINDS[operation.traits.waits!];
