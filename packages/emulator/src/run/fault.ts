// What stopped a launch, as plain data. The engines make these; ./fault-message.js makes errors of them.
import type { Dimensions } from "./launch.js";

/** A place in a launch: which thread, at which instruction. */
export interface FaultPlace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
  /** Index into `Program.functions`. */
  readonly function: number;
  /** Index into `ProgramFunction.instructions`. */
  readonly instruction: number;
}

/** Why a launch stopped. */
export type Fault =
  | ({
      readonly kind: "OUT_OF_BOUNDS" | "MISALIGNED" | "USE_AFTER_FREE";
      /** In the window of `space`. */
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
      /** The loop that was running, as indices of its first and last instruction; undefined when it is not known. */
      readonly loop: { readonly function: number; readonly first: number; readonly last: number } | undefined;
    };
