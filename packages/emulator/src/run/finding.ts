// Findings of checks, as data for reports.
import type { CheckName } from "./checks.js";
import type { Dimensions } from "./dimensions.js";
import type { AccessKind } from "./fault.js";
import type { TextPlace, ThreadPlace } from "./launch-fault.js";

/** The kinds of findings. */
export type FindingKind =
  | "OUT_OF_BOUNDS"
  | "MISALIGNED"
  | "USE_AFTER_FREE"
  | "RACE"
  | "SAME_VALUE_WRITES"
  | "UNINITIALIZED"
  | "DEADLOCK"
  | "INVALID_SYNC"
  | "DIVERGENT_BARRIER"
  | "EXITED_THREADS"
  | "LEAK"
  | "API_ERROR";

/** How serious a finding is: a warning is allowed on a GPU, or usually harmless there. */
export type Severity = "error" | "warning";

/** A place in the program that runs kernels, such as the line that allocates a buffer. */
export interface HostFrame {
  /** A path or a URL. */
  readonly file: string;
  /** The line, counted from 1; undefined if it is unknown. */
  readonly line?: number | undefined;
  /** The column, counted from 1; undefined if it is unknown. */
  readonly column?: number | undefined;
  /** Where in the file it is, for machine code whose line is unknown. */
  readonly offset?: number | undefined;
  /** The name of the function; undefined if it has none. */
  readonly function?: string | undefined;
}

/** The allocation that a finding is about. */
export interface FoundAllocation {
  /** A description such as `buffer 2` or ``variable `table` ``. */
  readonly label: string;
  readonly address: bigint;
  /** The size in bytes. */
  readonly byteLength: number;
  /** Bytes from its start to the first access; negative if the access is before it. Undefined for leaks. */
  readonly distance?: number | undefined;
  readonly freed: boolean;
  /** The calls that made it, the innermost first; empty if they are not known. */
  readonly madeAt: readonly HostFrame[];
}

/** A thread of a launch. */
export interface ThreadId {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** Something that a check found, and how often. */
export interface Finding {
  readonly kind: FindingKind;
  readonly check: CheckName;
  readonly severity: Severity;
  /** What was expected and what was found the first time. */
  readonly message: string;
  /** The kernel's name in the PTX; undefined for leaks and failed calls. */
  readonly kernel: string | undefined;
  readonly occurrences: number;
  /** The instruction; undefined for leaks, deadlocks and failed calls. */
  readonly place: TextPlace | undefined;
  /** The first threads, in the order in which they were found. */
  readonly threads: readonly ThreadId[];
  /** The number of different threads of a launch, counted up to 65,536. */
  readonly threadCount: number;
  /** The number of different blocks of a launch. */
  readonly blockCount: number;
  /** The address of the first access: a generic address, or an offset in the space. */
  readonly address?: bigint | undefined;
  /** The size of the access, in bytes. */
  readonly bytes?: number | undefined;
  readonly space?: string | undefined;
  readonly access?: AccessKind | undefined;
  readonly allocation?: FoundAllocation | undefined;
  /** The calls of the program that lead to a failed call of the CUDA runtime, the innermost first. */
  readonly calledAt?: readonly HostFrame[] | undefined;
  /** The other side of a race, whose access came first. */
  readonly other?: (ThreadPlace & { readonly access: AccessKind }) | undefined;
  /** The waiting threads of a deadlock. */
  readonly waiting?: readonly (ThreadPlace & { readonly detail: string })[] | undefined;
}

/** The check and the severity of each kind. */
export const FINDING_KINDS: Readonly<
  Record<FindingKind, { readonly check: CheckName; readonly severity: Severity; readonly title: string }>
> = {
  OUT_OF_BOUNDS: { check: "memory", severity: "error", title: "access out of bounds" },
  MISALIGNED: { check: "memory", severity: "error", title: "misaligned access" },
  USE_AFTER_FREE: { check: "memory", severity: "error", title: "access to freed memory" },
  RACE: { check: "races", severity: "error", title: "race" },
  SAME_VALUE_WRITES: { check: "races", severity: "warning", title: "unordered writes of the same value" },
  UNINITIALIZED: { check: "uninitialized", severity: "error", title: "read of an unwritten value" },
  DEADLOCK: { check: "sync", severity: "error", title: "deadlock" },
  INVALID_SYNC: { check: "sync", severity: "error", title: "invalid synchronization" },
  DIVERGENT_BARRIER: { check: "sync", severity: "error", title: "divergent barrier" },
  EXITED_THREADS: { check: "sync", severity: "warning", title: "barrier after threads have exited" },
  API_ERROR: { check: "api", severity: "error", title: "failed call of the CUDA runtime" },
  LEAK: { check: "leaks", severity: "error", title: "leak" },
};

/** A call of the CUDA runtime that has failed. */
export function failedCall(message: string, calledAt: readonly HostFrame[]): Finding {
  const { check, severity } = FINDING_KINDS.API_ERROR;
  return {
    ...{ kind: "API_ERROR", check, severity, message, calledAt },
    ...{ kernel: undefined, place: undefined, occurrences: 1, threads: [], threadCount: 0, blockCount: 0 },
  };
}
