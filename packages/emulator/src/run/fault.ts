// Why a launch stopped, as plain data. The engines produce faults; ./fault-error.js turns them into errors.
import type { Dimensions, InstructionPlace } from "./launch.js";

/** A place in a launch: a thread and an instruction. */
export interface FaultPlace extends InstructionPlace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** The reason why a launch stopped. */
export type Fault =
  | ({
      readonly kind: "OUT_OF_BOUNDS" | "MISALIGNED" | "USE_AFTER_FREE";
      /** An address in `space`. */
      readonly address: bigint;
      readonly bytes: number;
      readonly space: "generic" | "global" | "const" | "shared" | "local" | "param";
      readonly access: "load" | "store" | "atomic";
    } & FaultPlace)
  | ({ readonly kind: "TRAP" | "UNSUPPORTED"; readonly detail: string } & FaultPlace)
  | ({
      readonly kind: "RACE";
      readonly address: bigint;
      readonly space: "global" | "shared";
      readonly other: FaultPlace;
    } & FaultPlace)
  | ({ readonly kind: "UNINITIALIZED"; readonly what: string } & FaultPlace)
  | { readonly kind: "DEADLOCK"; readonly waiting: readonly (FaultPlace & { readonly detail: string })[] }
  | {
      readonly kind: "BUDGET" | "TIMEOUT" | "ABORTED";
      /** The loop that was running, by the indices of its first and last instruction; undefined if unknown. */
      readonly loop: { readonly function: number; readonly first: number; readonly last: number } | undefined;
    };
