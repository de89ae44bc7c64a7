// The facts that emitters use: the kernel with its registers and its module, and the locals of a function.
import type { Step } from "../../control/step.js";
import type { ValueRange } from "../../control/value-ranges.js";
import type { Program, ProgramFunction } from "../../program/program.js";
import type { PtxType, ValueType } from "../../program/types.js";
import type { Checks } from "../checks/checks.js";
import type { ShadowCode } from "../checks/shadow-code.js";
import type { ModuleFrame } from "../frame.js";

/** The facts that all functions of a translated kernel share. */
export interface KernelFacts {
  readonly program: Program;
  readonly kernel: ProgramFunction;
  /** Offsets of the program's variables in linear memory. */
  readonly addresses: readonly number[];
  readonly pageTable: number;
  /** For each register, the type of its local. */
  readonly types: readonly ValueType[];
  /** For each register, its declared type. */
  readonly registerTypes: readonly PtxType[];
  /**
   * For each register, whether it is kept as f32 and receives only results of arithmetic, so that any NaN may represent
   * the canonical one.
   */
  readonly anyNaN: Uint8Array;
  /** For each register, whether it is kept as f32 and never holds a subnormal. */
  readonly flushed: Uint8Array;
  /** The known range of the value of a 32-bit register. */
  readonly rangeOf: (register: number) => ValueRange | undefined;
  /** Local memory of a thread, in bytes. */
  readonly localBytes: number;
  /** Called functions, by index into the program's functions. */
  readonly called: ReadonlyMap<number, CalledFunction>;
  readonly module: ModuleFrame;
  /** Whether f32x4.relaxed_madd rounds once. */
  readonly fusedMultiplyAdd: boolean;
  /** Whether other blocks run at the same time, so that atomic operations have to be atomic between CPU threads. */
  readonly concurrent: boolean;
  readonly checks: Checks;
  /** The layout of shadow memory; undefined without the check for races. */
  readonly shadow: ShadowCode | undefined;
  /** Chooses steps for which no code is generated; undefined when all are translated. */
  readonly isLeftOut: ((step: Step) => boolean) | undefined;
}

/** Locals of a function that are not registers. */
export interface ThreadLocals {
  /** The number of the thread in its block. */
  readonly thread: number;
  readonly tidX: number;
  readonly tidY: number;
  readonly tidZ: number;
  readonly fuel: number;
  /** The number of the thread's iterations in loops with turns; undefined when there are no such loops. */
  readonly rounds?: number | undefined;
  /** In a called function, where its frame begins in the thread's local memory. */
  readonly frame?: number;
}

/** A function that is called instead of inlined. */
export interface CalledFunction {
  readonly body: ProgramFunction;
  /** Its index in the module. It takes the thread's number, its index in x, y and z, and where its frame begins. */
  readonly index: number;
  /** The local memory that it and the functions inlined in it take, without the functions that it calls. */
  readonly frameBytes: number;
}
