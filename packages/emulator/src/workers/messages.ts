// Messages between the caller and its workers. A worker receives the memory once, each kernel once, and then launches.
import type { Program } from "../program/program.js";
import type { Fault } from "../run/fault.js";
import type { LaunchPlan } from "../run/launch.js";
import type { WasmMemory } from "../run/memory.js";
import type { Areas } from "../wasm/areas.js";
import type { Capabilities } from "../wasm/capabilities.js";

/** The first message: what all launches share. */
export interface MemoryMessage {
  readonly kind: "memory";
  readonly memory: WasmMemory;
  readonly pageTable: number;
  /** The buffer of `Control`. */
  readonly control: SharedArrayBuffer;
}

/** A kernel, which the worker translates in the same way as the caller. */
export interface KernelMessage {
  readonly kind: "kernel";
  /** The id by which later messages refer to the kernel. */
  readonly id: number;
  readonly program: Program;
  readonly addresses: readonly number[];
  readonly stackBytes: number | undefined;
  /** Index into the program's functions. */
  readonly kernel: number;
  readonly machine: Capabilities;
  /** The ids of kernels that are no longer needed. */
  readonly forget: readonly number[];
}

/** A launch in which the worker takes part. */
export interface LaunchMessage
  extends Pick<LaunchPlan, "grid" | "block" | "dynamicSharedBytes" | "workspace"> {
  readonly kind: "launch";
  readonly id: number;
  /** This worker's memory areas: one for each block that it may run concurrently. */
  readonly areas: readonly Areas[];
  /** The number of workers that take part. */
  readonly workers: number;
  /** The most instructions that all threads may execute in total. */
  readonly instructions: number;
}

export type ToWorker = MemoryMessage | KernelMessage | LaunchMessage;

/** The kernel has been translated. */
export interface ReadyMessage {
  readonly kind: "ready";
}

/** A worker's part of a launch has ended. */
export interface EndMessage {
  readonly kind: "end";
  /** Milliseconds spent running blocks. */
  readonly busy: number;
  /** Why the worker stopped, and at which block; undefined if it stopped because no block was left. */
  readonly stopped: { readonly block: number; readonly fault: Fault } | undefined;
}

export type FromWorker = ReadyMessage | EndMessage;
