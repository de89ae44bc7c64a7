// The interface of the three hot loops: fetching the common instructions, walking common nodes, and printing common
// lines. Each loop stops before the first thing that it cannot handle; the passes handle it and call the loop again.

/** The position of printing. */
export interface Progress {
  /** The next line, as an index into the order of emission. */
  line: number;
  /** The offset after the last byte that was written. */
  at: number;
}

/** Fetches and runs the common instructions. */
export interface FetchLoop {
  /** Prepares for a program, once its registers and the workspace are ready. */
  begin(program: Uint32Array): void;
  /**
   * Runs instructions of a routine or of `MAIN_PROGRAM` from word `start` up to word `end`; returns the first word that
   * it did not run.
   */
  run(words: Uint32Array, start: number, end: number, routine: number): number;
}

export interface Loops extends FetchLoop {
  /** Walks from the entries on the visit stack, assigns registers and orders nodes. */
  walk(): void;
  /** Prints lines before `endLine`, for which there is room, and advances `progress`. */
  print(view: DataView, endLine: number, progress: Progress): void;
}
