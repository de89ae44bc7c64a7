// Frames: the main program is the first, each routine that runs inside it one more, with the arguments it was given.
import { Values } from "./values.js";

/** Names the main program where routines are named by their index. */
export const MAIN_PROGRAM = -1;

const NO_WORDS = new Uint32Array(0);

/** The running frame, and its suspended callers. Kept between compiles. */
export class Frames {
  /** The words of the running frame, and the next one. */
  words: Uint32Array = NO_WORDS;
  at = 0;
  /** The routine that runs, or `MAIN_PROGRAM`. */
  routine = MAIN_PROGRAM;
  /** How many values there were when the frame began, its arguments taken. */
  entrySize = 0;
  /** The arguments of all frames; those of the running one are the last. */
  readonly args = new Values(64);
  argsStart = 0;
  argCount = 0;
  /** Frames suspended. */
  depth = 0;

  private readonly callerWords: Uint32Array[] = [];
  /** `at`, `routine`, `entrySize`, `argsStart` and `argCount` of each caller. */
  private readonly callers: number[] = [];

  /** Starts with the main program. */
  reset(words: Uint32Array): void {
    this.depth = 0;
    this.begin(words, MAIN_PROGRAM, 0, 0, 0);
  }

  /** Suspends the running frame and enters a routine with the last `argCount` of `size` values, which it takes. */
  enter(routine: number, words: Uint32Array, values: Values, size: number, argCount: number): void {
    const { depth, callers } = this;
    this.callerWords[depth] = this.words;
    let at = depth * CALLER_FIELDS;
    callers[at++] = this.at;
    callers[at++] = this.routine;
    callers[at++] = this.entrySize;
    callers[at++] = this.argsStart;
    callers[at] = this.argCount;
    this.depth++;
    const argsStart = this.argsStart + this.argCount;
    this.args.reserve(argsStart + argCount);
    this.args.copy(argsStart, values, size - argCount, argCount);
    this.begin(words, routine, size - argCount, argsStart, argCount);
  }

  /** Goes on with the caller. */
  leave(): void {
    const depth = --this.depth;
    const { callers } = this;
    let at = depth * CALLER_FIELDS;
    this.words = this.callerWords[depth]!;
    this.at = callers[at++]!;
    this.routine = callers[at++]!;
    this.entrySize = callers[at++]!;
    this.argsStart = callers[at++]!;
    this.argCount = callers[at]!;
  }

  private begin(
    words: Uint32Array,
    routine: number,
    entrySize: number,
    argsStart: number,
    argCount: number,
  ): void {
    this.words = words;
    this.at = 0;
    this.routine = routine;
    this.entrySize = entrySize;
    this.argsStart = argsStart;
    this.argCount = argCount;
  }
}

const CALLER_FIELDS = 5;
