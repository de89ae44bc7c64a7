// A thread of a block: its frames, and what it waits for.
import type { ProgramFunction } from "../program/program.js";
import type { Dimensions } from "../run/launch.js";

/** A function, ready to run. Slots are 8 bytes of the register file each. */
export interface Code {
  readonly function: ProgramFunction;
  /** Index into `Program.functions`. */
  readonly index: number;
  /** One for each instruction, and one that returns. */
  readonly steps: readonly (() => void)[];
  /** The first slot of each register. */
  readonly slots: readonly number[];
  /** The words of a new frame: registers are 0, constants have their slots behind them. */
  readonly frame: Uint32Array;
}

/** A call that has not returned. */
export interface Frame {
  readonly code: Code;
  /** Its first slot. */
  readonly base: number;
  /** Where its variables begin, as an offset from the beginning of the thread's local memory. */
  readonly local: number;
  /** Where it goes on: index of an instruction. */
  pc: number;
  /** What is done when it returns, when the caller is the running frame again. */
  whenDone: ((done: Frame) => void) | undefined;
}

/** A warp operation that waits for the other lanes. */
export interface WarpWait {
  readonly kind: "warp";
  /** Lanes that have to come. */
  readonly mask: number;
  /** What is alike for lanes that wait for each other: the instruction with its modifiers. */
  readonly opcode: string;
  /** Computes the results of all lanes, which all wait, in their order. */
  readonly complete: (lanes: readonly Thread[]) => void;
  /** The lane's own registers; undefined for operations on memory. */
  readonly exchange: Exchange | undefined;
}

/** Where a lane has what a warp operation reads and writes, as bits. */
export interface Exchange {
  readonly read: (thread: Thread) => readonly bigint[];
  readonly write: (thread: Thread, values: readonly bigint[]) => void;
}

/** `activemask`, which waits until its warp can't go on otherwise. */
export interface ActiveMaskWait {
  readonly kind: "activemask";
  readonly complete: (lanes: readonly Thread[]) => void;
}

export interface BarrierWait {
  readonly kind: "barrier";
  readonly barrier: number;
  /** Threads that it waits for; undefined for all of the block. */
  readonly count: number | undefined;
  /** Of a reduction: what this thread brings, and who takes the results. */
  readonly reduction:
    | { readonly value: number; readonly take: (values: readonly number[]) => void }
    | undefined;
}

/** `bar.arrive`: the thread goes on with the next round. */
export interface ArrivedWait {
  readonly kind: "arrived";
}

export type Wait = WarpWait | ActiveMaskWait | BarrierWait | ArrivedWait;

export interface Thread {
  /** Its linear index in the block. */
  readonly index: number;
  readonly id: Dimensions;
  readonly warp: number;
  readonly lane: number;
  readonly frames: Frame[];
  wait: Wait | undefined;
  exited: boolean;
  /** Instructions that it has executed. */
  executed: number;
  /** The carry flag of `add.cc` and its like. */
  carry: number;
}
