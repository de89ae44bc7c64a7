// What a pipeline has done so far, and where the time went.

/** The parts of the work. Compiling, loading and launching are measured where they happen, often on several threads at once. */
export type Stage =
  | "signatures"
  | "stubs"
  | "packing"
  | "compile"
  | "load"
  | "launch"
  | "read"
  | "timing"
  | "results";

/** Totals of a pipeline. */
export interface PipelineStats {
  /** Programs that were taken, and those with a result or a failure; those that were screened are neither. */
  readonly taken: number;
  readonly done: number;
  readonly failed: number;
  /** Those of them that equal another one, and those from the results store. */
  readonly duplicates: number;
  readonly stored: number;
  /**
   * Programs that were not compiled because of what was predicted; those that were compiled all the same, by chance; and those of them that
   * turned out to be within all limits.
   */
  readonly screened: number;
  readonly explored: number;
  readonly misjudged: number;
  readonly packs: number;
  /** Packs that failed and were split. */
  readonly splits: number;
  /** Milliseconds in each stage; those of compiling, loading, launching, reading and timing are sums over all threads. */
  readonly milliseconds: Readonly<Record<Stage, number>>;
}

/** Counts while the pipeline runs. */
export class Counts implements PipelineStats {
  taken = 0;
  done = 0;
  failed = 0;
  duplicates = 0;
  stored = 0;
  screened = 0;
  explored = 0;
  misjudged = 0;
  packs = 0;
  splits = 0;
  readonly milliseconds: Record<Stage, number> = {
    signatures: 0,
    stubs: 0,
    packing: 0,
    compile: 0,
    load: 0,
    launch: 0,
    read: 0,
    timing: 0,
    results: 0,
  };
}
