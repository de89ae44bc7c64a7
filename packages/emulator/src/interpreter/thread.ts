// A thread of a block: its frames, and what it waits for.
import type { Operation } from "../program/operation.js";
import type { ProgramFunction } from "../program/program.js";
import type { Dimensions } from "../run/dimensions.js";

/** A compiled function. Each slot is 8 bytes of the register file. */
export interface Code {
  readonly function: ProgramFunction;
  /** Index into `Program.functions`. */
  readonly index: number;
  /** One step per instruction, plus one that returns. */
  readonly steps: readonly (() => void)[];
  /** The first slot of each register. */
  readonly slots: readonly number[];
  /** The words of a new frame: registers, which are 0, followed by constants. */
  readonly frame: Uint32Array;
}

/** A call that has not returned. */
export interface Frame {
  readonly code: Code;
  /** The frame's first slot. */
  readonly base: number;
  /** The start of its variables, as an offset from the start of the thread's local memory. */
  readonly local: number;
  /** The index of the instruction at which it continues. */
  pc: number;
  /** Called when it returns, after the caller's frame has become the running frame. */
  whenDone: ((done: Frame) => void) | undefined;
}

/** A warp operation that waits for the other lanes. */
export interface WarpWait {
  readonly kind: "warp";
  /** The lanes that take part. */
  readonly mask: number;
  /** Lanes that wait for each other have the same opcode. */
  readonly operation: Operation;
  /** Computes the results once all lanes wait; they are passed in lane order. */
  readonly complete: (lanes: readonly Thread[]) => void;
  /** Access to the lane's registers; undefined for operations on memory. */
  readonly exchange: Exchange | undefined;
}

/** Reads the operands and writes the results of a warp operation for a lane, as bits. */
export interface Exchange {
  readonly read: (thread: Thread) => readonly bigint[];
  readonly write: (thread: Thread, values: readonly bigint[]) => void;
}

/** `activemask`, which waits until its warp cannot continue otherwise. */
export interface ActiveMaskWait {
  readonly kind: "activemask";
  readonly complete: (lanes: readonly Thread[]) => void;
}

export interface BarrierWait {
  readonly kind: "barrier";
  readonly barrier: number;
  /** The number of threads to wait for; undefined for all threads of the block. */
  readonly count: number | undefined;
  /** For reductions: this thread's value, and a function that receives the values of all threads. */
  readonly reduction:
    | { readonly value: number; readonly take: (values: readonly number[]) => void }
    | undefined;
}

/** `bar.arrive`: the thread continues in the next round. */
export interface ArrivalWait {
  readonly kind: "arrival";
  readonly barrier: number;
  readonly count: number | undefined;
}

/** A wait for a phase of a barrier object. */
export interface PhaseWait {
  readonly kind: "phase";
  readonly operation: Operation;
  /**
   * Whether the phase is complete. If so, or if the thread waits `noLonger`, that becomes the result of the instruction.
   */
  readonly test: (noLonger: boolean) => boolean;
}

export type Wait = WarpWait | ActiveMaskWait | BarrierWait | ArrivalWait | PhaseWait;

export interface Thread {
  /** The linear index in the block. */
  readonly index: number;
  readonly id: Dimensions;
  readonly warp: number;
  readonly lane: number;
  readonly frames: Frame[];
  wait: Wait | undefined;
  exited: boolean;
  /** The number of executed instructions. */
  executed: number;
  /** The carry flag of `add.cc` and related instructions. */
  carry: number;
}
