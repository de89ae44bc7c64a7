// Instructions that work on objects in memory, such as barrier objects, and that JavaScript carries out for one thread at
// a time. The interpreter and translated kernels call the same procedures.
import type { OperationSpace } from "../program/operation.js";

/** How a procedure accesses memory. */
export type ProcedureAccess = "load" | "store" | "atomic";

/** The thread and the memory on which a procedure works. */
export interface ProcedureHost {
  /** Linear memory. */
  readonly view: DataView;
  /**
   * The offset in linear memory of bytes at an address, which has to be a multiple of their number.
   * @throws the engine's fault when they are not all inside an allocation
   */
  place(address: bigint, space: OperationSpace, bytes: number, access: ProcedureAccess): number;
  /** Whether an offset is in shared memory. */
  isShared(offset: number): boolean;
  /**
   * Records for the check for races that the thread makes what it did visible through the object at an offset, or that
   * it sees what others did before they released it.
   */
  synchronize?(kind: "release" | "acquire", offset: number): void;
  /** What to throw when the thread does something invalid. */
  trap(detail: string): unknown;
}

/**
 * Carries out an instruction of a thread.
 *
 * @param sources the bits of its sources, with vectors expanded to their items; for addresses, the sum in the brackets.
 * Absent sources are undefined.
 * @returns the bits of its results, with vectors expanded
 */
export type Procedure = (host: ProcedureHost, sources: readonly (bigint | undefined)[]) => readonly bigint[];
