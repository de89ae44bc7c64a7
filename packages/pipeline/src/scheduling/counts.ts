// What a pipeline has done so far, and where the time went.

/** The parts of the work. Compiling, loading and launching are measured where they happen, often on several threads at once. */
export type Stage = "signatures" | "stubs" | "packing" | "compile" | "load" | "launch" | "read" | "results";

/** Totals of a pipeline. */
export class Counts {
  taken = 0;
  done = 0;
  failed = 0;
  duplicates = 0;
  stored = 0;
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
    results: 0,
  };
}
