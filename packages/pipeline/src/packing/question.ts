// What is asked before programs are packed, and the answer.
import type { AnnotatedPtx } from "@mm-ptx/inject";

/** The dimension of the grid that counts alternatives. */
export type Axis = "y" | "z";

/** A kernel with the launch of one program. */
export interface PackQuestion {
  readonly annotated: AnnotatedPtx;
  /** The name of the `.entry` that is launched. */
  readonly entry: string;
  /** The names of all injections that programs fill. */
  readonly sites: readonly string[];
  /** The grid of one program. */
  readonly grid: readonly [number, number, number];
  /**
   * For each parameter, whether each alternative has its own part of the memory that it points to; empty if the kernel is only
   * compiled.
   */
  readonly perAlternative: readonly boolean[];
}

/** How programs can be packed, and why not as alternatives. The reason is part of an English sentence. */
export type PackAnswer =
  | { readonly kind: "alternatives"; readonly axis: Axis; readonly hasFirst: boolean }
  | {
      readonly kind: "kernels";
      readonly reason: string;
      /** Whether it is shown that the kernel writes to nothing but its outputs and variables of the module. */
      readonly keepsInputs: boolean;
    };

/** Alternatives that are wanted of a kernel. */
export interface AlternativesRequest {
  readonly annotated: AnnotatedPtx;
  /** The name of the `.entry` that is launched. */
  readonly entry: string;
  /** The dimension of the grid that counts alternatives. */
  readonly axis: Axis;
  /**
   * For each parameter, the bytes from one alternative to the next; `undefined` if all see the same. Empty if the kernel is only
   * compiled.
   */
  readonly strides: readonly (number | undefined)[];
  /** The number of alternatives of each injection; if they are paired, all numbers are equal. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether alternative i of each injection runs with i of the others, or each with each. */
  readonly combine: "cross" | "pairwise";
}

/** A kernel whose blocks run different alternatives. */
export interface AlternativesKernel {
  /** It has injections `NAME_0`, `NAME_1`, … in place of each that was counted; the entry keeps its name. */
  readonly annotated: AnnotatedPtx;
  /** Whether the entry has one more parameter at the end, of type u32: the first alternative of the launch. */
  readonly hasFirst: boolean;
}
