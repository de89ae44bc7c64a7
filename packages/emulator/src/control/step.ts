// An instruction of a graph in its context.
import type { Operation } from "../program/operation.js";
import type { Instruction, ProgramFunction } from "../program/program.js";
import { registersOf } from "./registers.js";

/** A function of the translator that generates code; only the translator knows its arguments. */
export type Generate = (...args: never[]) => void;

/** One inlined call of a function. The first context is the kernel itself. */
export interface Context {
  readonly function: number;
  readonly body: ProgramFunction;
  /** Added to the function's register numbers. */
  readonly registerBase: number;
  /** Offset of its variables in the thread's local memory. */
  readonly frameBase: number;
  /** Those of its `.param` variables that are variables of its caller. */
  readonly aliases: ReadonlyMap<number, Place>;
}

/** A variable of a function in one of its contexts. */
export interface Place {
  readonly context: Context;
  readonly variable: number;
}

/** An instruction in its context. */
export interface Step {
  readonly source: Instruction;
  /** The operation of `source`. */
  readonly operation: Operation;
  readonly context: Context;
  /** Index into the function's instructions. */
  readonly index: number;
  /** Registers that it reads, including results that stay as they are when its guard is false. */
  readonly reads: readonly number[];
  /** Registers that it writes. */
  readonly writes: readonly number[];
  /**
   * What generates its code, for one thread and for four at once; null when nothing does. The translator chooses when
   * it first needs them.
   */
  emit: Generate | null | undefined;
  vectorEmit: Generate | null | undefined;
}

/** An instruction in its context. */
export function newStep(source: Instruction, context: Context, index: number): Step {
  const { reads, writes } = registersOf(source, context.registerBase);
  const { operation } = source;
  return { source, operation, context, index, reads, writes, emit: undefined, vectorEmit: undefined };
}
