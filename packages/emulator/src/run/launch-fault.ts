// Descriptions of failed launches for users: lines of the text, the site and stub line they come from, and the memory
// nearby.
import type { SourceFrame } from "@mm-ptx/ptx";
import type { SourceLine, Span } from "@mm-ptx/types/core";
import type { Dimensions } from "./dimensions.js";
import type { AccessKind, RecordedFault } from "./fault.js";

/** A place in a module's text. */
export interface TextPlace {
  /** The name of the kernel or device function. */
  readonly function: string;
  /** The instruction, as written. */
  readonly instruction: string;
  /** The span in the text of the program. */
  readonly span: Span;
  /** The text that contains the line, counted from 1, if the program was linked from several texts. */
  readonly text?: number;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1. */
  readonly column: number;
  /** Where the line was written, in the kernel's text or in a stub; undefined for plain text. */
  readonly source: SourceLine | undefined;
  /**
   * Where the instruction was written in CUDA: the innermost inlined function first, this function last. Empty if the
   * PTX was compiled without `-lineinfo`.
   */
  readonly frames: readonly SourceFrame[];
  /** Whether `frames` is empty though the PTX has source lines: CUDA has added the function. */
  readonly isAdded?: true;
}

/** The place of a thread. */
export interface ThreadPlace extends TextPlace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** An allocation near an address, or a freed allocation at it. */
export interface NearAllocation {
  /** A description such as ``variable `table` ``. */
  readonly label: string;
  readonly address: bigint;
  /** The size in bytes. */
  readonly byteLength: number;
  /** Bytes from the start of the allocation to the address; negative if the address is before it. */
  readonly distance: number;
  readonly freed: boolean;
}

/** The failure of a launch, or a finding of a check, as data. */
export interface LaunchFault {
  readonly code: RecordedFault["kind"];
  readonly kernel: string;
  /** Undefined if no single thread caused the failure. */
  readonly place: ThreadPlace | undefined;
  /** The address of an invalid access. */
  readonly address?: bigint;
  /** The size of an invalid access, in bytes. */
  readonly bytes?: number;
  readonly space?: string;
  readonly access?: AccessKind;
  readonly near?: NearAllocation | undefined;
  /** Describes a trap, an unsupported instruction or an uninitialized read. */
  readonly detail?: string;
  /** The other thread of a race, whose access came first. */
  readonly other?: ThreadPlace;
  readonly otherAccess?: AccessKind;
  /** Whether both accesses of a race are stores of the same value. */
  readonly sameValue?: boolean;
  /** The waiting threads of a deadlock. */
  readonly waiting?: readonly (ThreadPlace & { readonly detail: string })[];
  /** The first and the last instruction of the loop that was running. */
  readonly loop?: { readonly first: TextPlace; readonly last: TextPlace };
}
