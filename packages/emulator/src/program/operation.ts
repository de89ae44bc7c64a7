// The meaning of an opcode, decoded once: name, modifiers, types, and what the instruction does besides computing its
// results. Everything after the front end uses this and never parses the opcode again.
import type { PtxType } from "./types.js";

/** The threads that a thread waits for, or acts together with, at an instruction. */
export type Waiting =
  /** The threads of its block, at a numbered barrier. */
  | "barrier"
  /** The lanes of its warp that a mask names, or all of them. */
  | "lanes"
  /** The lanes that are at the same instruction at that time. */
  | "active"
  /** The completion of a phase of a memory barrier object. */
  | "phase"
  /** No particular thread: other threads get a turn. */
  | "turn";

/** How an instruction decides what its thread does next. */
export type Flow = "jump" | "call" | "return" | "exit" | "trap";

/**
 * What an instruction does besides computing its results from its operands, and what holds for those results. The rows
 * of the instruction table state it. `reads`, `writes`, `takesCarry`, `givesCarry`, `waits` and `flow` are exact: an
 * instruction without one of them does not do it. The others are guarantees: an instruction without one may still
 * satisfy it.
 */
export interface Traits {
  /** Its results, or the values that it stores, depend on the contents of memory. */
  readonly reads: boolean;
  /** It changes memory. */
  readonly writes: boolean;
  /** It reads and modifies a memory location in one indivisible step. */
  readonly atomic: boolean;
  /**
   * It takes part in the order of accesses that several threads observe (PTX ISA, Memory Consistency Model: strong
   * operations).
   */
  readonly strong: boolean;
  /** It depends on the carry flag. */
  readonly takesCarry: boolean;
  /** It sets the carry flag. */
  readonly givesCarry: boolean;
  /** JavaScript carries it out, in the same way for both engines: see ../procedures. */
  readonly procedure: boolean;
  readonly waits: Waiting | undefined;
  /** All threads of a warp that execute it execute the same instruction, whether its text says `.aligned` or not. */
  readonly aligned: boolean;
  readonly flow: Flow | undefined;
  /**
   * It changes nothing but its results, and executing it again with the same operands gives the same results anywhere.
   */
  readonly repeatable: boolean;
  /** Executing it again takes less time than saving and restoring its result. */
  readonly cheap: boolean;
  /** Its results are unchanged bits of its sources or of memory, so NaNs keep their payloads. */
  readonly moves: boolean;
  /**
   * Its result is one of its sources, so it is written if that source is: reading an unwritten one is not a mistake
   * yet.
   */
  readonly copies: boolean;
  /** NaNs among its f32 results are canonical, and with `.ftz` none of the results is subnormal. */
  readonly canonical: boolean;
  /** It multiplies and adds with a single rounding. */
  readonly fuses: boolean;
  /** It approximates an elementary function of an f32, which its mnemonic names. */
  readonly elementary: boolean;
  /**
   * For an atomic operation whose order among equal operations does not affect what they leave in memory, the function
   * that it computes: `add`. Integers only.
   */
  readonly commutes: string | undefined;
}

/** The state space of an operand; `generic` when the opcode does not name one. */
export type OperationSpace = "generic" | "global" | "const" | "shared" | "local" | "param";

/** The size of a warp's matrices: m by k times k by n. */
export interface MatrixShape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/**
 * An opcode as an instance of a row of the instruction table. Instructions with the same opcode share one.
 */
export interface Operation {
  /** The opcode as written, for messages: `fma.rn.ftz.f32`. */
  readonly opcode: string;
  /** The mnemonic without modifiers: `add`, `cvt`, `bar`. */
  readonly name: string;
  /** The contents of the row's slots, for example `{ rnd: "rn", ftz: "ftz" }`. Empty slots are omitted. */
  readonly modifiers: Readonly<Record<string, string>>;
  /** The values of `modifiers`. */
  readonly words: ReadonlySet<string>;
  /**
   * The type suffixes in the order in which they are written: one for `add`, result and source for `cvt`, four for
   * `mma`.
   */
  readonly types: readonly PtxType[];
  /**
   * For each operand, the type in which it, or each element of a vector, is read or written; undefined for labels and
   * the like.
   */
  readonly operandTypes: readonly (PtxType | undefined)[];
  /** The number of results, which are the first operands. */
  readonly results: number;
  readonly space: OperationSpace;
  /** The shape of matrix instructions. */
  readonly shape: MatrixShape | undefined;
  readonly traits: Traits;
}

/**
 * The first operand that has to be written before the instruction: not the value that a lane gives to a shuffle, because no
 * other lane may take it.
 */
export const firstUsed = ({ traits, results }: Pick<Operation, "traits" | "results">): number =>
  results + (traits.waits === "lanes" && traits.moves && !traits.reads ? 1 : 0);

/** The traits of an instruction that only computes its results and guarantees nothing about them. */
export const NO_TRAITS: Traits = Object.freeze({
  ...{ reads: false, writes: false, atomic: false, strong: false, takesCarry: false, givesCarry: false },
  ...{
    procedure: false,
    waits: undefined,
    aligned: false,
    flow: undefined,
    repeatable: false,
    cheap: false,
    moves: false,
    copies: false,
    canonical: false,
  },
  ...{ fuses: false, elementary: false, commutes: undefined },
});
