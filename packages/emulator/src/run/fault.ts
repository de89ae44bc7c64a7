// Faults of launches, as plain data. The engines produce faults; ./fault-error.js turns those that stop a launch into
// errors, and ./finding-report.js turns those that checks record into findings.
import type { Dimensions } from "./dimensions.js";

/** A place in a program. */
export interface InstructionPlace {
  /** Index into `Program.functions`. */
  readonly function: number;
  /** Index into `ProgramFunction.instructions`. */
  readonly instruction: number;
}

/** A place in a launch: a thread and an instruction. */
export interface FaultPlace extends InstructionPlace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** How an instruction accesses memory. */
export type AccessKind = "load" | "store" | "atomic";

/** A race between two accesses. */
export interface RaceFault extends FaultPlace {
  readonly kind: "RACE";
  /** The first byte that both accesses touch: a generic address, or an offset in shared memory. */
  readonly address: bigint;
  /** The size of the second access. */
  readonly bytes: number;
  readonly space: "global" | "shared";
  readonly access: AccessKind;
  /** The access that came first. */
  readonly other: FaultPlace;
  readonly otherAccess: AccessKind;
  /** Whether both are plain stores and wrote the same value. */
  readonly sameValue: boolean;
}

/** A read of something that was never written. */
export interface UninitializedFault extends FaultPlace {
  readonly kind: "UNINITIALIZED";
  /** Describes what was read. */
  readonly what: string;
  /** For shared memory, the offset of the access; undefined for registers. */
  readonly address?: bigint;
}

/** A synchronization that works here, and that a GPU may carry out differently. */
export interface BarrierFault extends FaultPlace {
  readonly kind: "DIVERGENT_BARRIER" | "EXITED_THREADS";
  readonly detail: string;
}

/** Faults that only checks find; they never stop a launch. */
export type CheckFault = RaceFault | UninitializedFault | BarrierFault;

/** A fault that a check records. */
export type RecordedFault = Fault | CheckFault;

/** The reason why a launch stopped. */
export type Fault =
  | ({
      readonly kind: "OUT_OF_BOUNDS" | "MISALIGNED" | "USE_AFTER_FREE";
      /** An address in `space`. */
      readonly address: bigint;
      readonly bytes: number;
      readonly space: "generic" | "global" | "const" | "shared" | "local" | "param";
      readonly access: AccessKind;
    } & FaultPlace)
  | ({
      readonly kind: "TRAP";
      readonly detail: string;
      /** Whether threads synchronize in a way that is not allowed. */
      readonly sync?: true;
    } & FaultPlace)
  | ({ readonly kind: "UNSUPPORTED"; readonly detail: string } & FaultPlace)
  | { readonly kind: "DEADLOCK"; readonly waiting: readonly (FaultPlace & { readonly detail: string })[] }
  | {
      readonly kind: "BUDGET" | "TIMEOUT" | "ABORTED";
      /** The loop that was running, by the indices of its first and last instruction; undefined if unknown. */
      readonly loop: { readonly function: number; readonly first: number; readonly last: number } | undefined;
    };
