// A kernel as it is translated once, before any launch: its module, and the facts that the engine needs to run it.
import type { Graph } from "../control/graph.js";
import type { ProgramFunction } from "../program/program.js";
import type { ValueType } from "../program/types.js";
import type { Checks } from "./checks/checks.js";
import type { ShadowShape } from "./checks/layout.js";
import type { ElementaryFunctions } from "./elementary/signature.js";
import type { ModuleFrame } from "./frame.js";
import type { Host } from "./host.js";
import type { Segment } from "./segment-base.js";
import type { Chain } from "./warp/chain.js";

/** A translated kernel. */
export interface Translation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kernel: ProgramFunction;
  readonly frame: ModuleFrame;
  readonly graph: Graph;
  /** The first segment is the kernel's beginning. `resumes` gives the segment after each wait. */
  readonly segments: readonly Segment[];
  readonly resumes: readonly number[];
  /** For waits that others follow, the function that carries them out for whole warps. */
  readonly chains: readonly (Chain | undefined)[];
  /** For each register, where its values begin in a frame. */
  readonly slots: ReadonlyMap<number, number>;
  /** Registers that have one value only, which waits read without a slot. */
  readonly constants: ReadonlyMap<number, bigint>;
  readonly types: readonly ValueType[];
  readonly frameBytes: number;
  /** Local memory of a thread, in bytes. */
  readonly localBytes: number;
  /** The JavaScript functions for it; undefined when it does not need any. */
  readonly host: Host | undefined;
  /** The elementary functions; undefined when it does not call any. */
  readonly elementary: ElementaryFunctions | undefined;
  /** Whether it calls functions that only the calling thread provides: all built-in functions but `__assertfail`. */
  readonly usesHost: boolean;
  /** The checks that it makes besides those of every access. */
  readonly checks: Checks;
  /** The shape of shadow memory; undefined without the check for races. */
  readonly shadow: ShadowShape | undefined;
  /** Whether its threads may wait for each other in loops. */
  readonly takesTurns: boolean;
}
