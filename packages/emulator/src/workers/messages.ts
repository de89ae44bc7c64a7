// What the caller and its workers say to each other. A worker gets the memory once, each kernel once, and then launches.
import type { Program } from "../program/program.js";
import type { Fault } from "../run/fault.js";
import type { LaunchPlan } from "../run/launch.js";
import type { Areas } from "../wasm/areas.js";
import type { Capabilities } from "../wasm/capabilities.js";

/** The first message: what all launches share. */
export interface MemoryMessage {
  readonly kind: "memory";
  readonly memory: WebAssembly.Memory;
  readonly pageTable: number;
  /** Of `Control`. */
  readonly control: SharedArrayBuffer;
}

/** A kernel, which the worker translates as the caller did. */
export interface KernelMessage {
  readonly kind: "kernel";
  /** By which later messages name it. */
  readonly id: number;
  readonly program: Program;
  readonly addresses: readonly number[];
  /** Index into the program's functions. */
  readonly kernel: number;
  readonly machine: Capabilities;
  /** Kernels that are not launched any more, by their ids. */
  readonly forget: readonly number[];
}

/** A launch that the worker takes part in. */
export interface LaunchMessage extends Pick<LaunchPlan, "grid" | "block" | "dynamicSharedBytes"> {
  readonly kind: "launch";
  readonly id: number;
  /** This worker's own, for one block that has begun and more of them. */
  readonly areas: readonly Areas[];
  /** How many take part. */
  readonly workers: number;
  /** That all threads together may execute. */
  readonly instructions: number;
}

export type ToWorker = MemoryMessage | KernelMessage | LaunchMessage;

/** The kernel is translated. */
export interface ReadyMessage {
  readonly kind: "ready";
}

/** What a worker did of a launch. */
export interface EndMessage {
  readonly kind: "end";
  /** Milliseconds that it ran blocks. */
  readonly busy: number;
  /** Why it stopped, and at which block; undefined when no block was left. */
  readonly stopped: { readonly block: number; readonly fault: Fault } | undefined;
}

/** The worker can't go on: an error in words. */
export interface BrokenMessage {
  readonly kind: "broken";
  readonly problem: string;
}

export type FromWorker = ReadyMessage | EndMessage | BrokenMessage;
