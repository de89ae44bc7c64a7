// The three hot loops behind one interface: fetching the common instructions, walking common nodes, printing common
// lines. Each does what it can and stops in front of what it cannot; the passes do that one thing and call it again.

/** Where printing stands. */
export interface Progress {
  /** The next line, as an index into the order of emission. */
  line: number;
  /** The byte behind the last one written. */
  at: number;
}

/** What fetches the common instructions. */
export interface FetchLoop {
  /** Starts a compile of a program, when its registers and the workspace are ready. */
  begin(program: Uint32Array): void;
  /** Runs instructions from word `start` on, before word `end`, of a routine or of `MAIN_PROGRAM`; returns the first word that it did not run. */
  run(words: Uint32Array, start: number, end: number, routine: number): number;
}

export interface Loops extends FetchLoop {
  /** Walks from the entries on the visit stack, giving registers and ordering nodes. */
  walk(): void;
  /** Prints lines before `endLine`, for which there is room, and moves `progress` on. */
  print(view: DataView, endLine: number, progress: Progress): void;
}
