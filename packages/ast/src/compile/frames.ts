// Frames: the main program is the first, and each routine that runs inside it takes one more.

/** Represents the main program wherever routines are identified by index. */
export const MAIN_PROGRAM = -1;

/**
 * The numbers saved for each suspended frame: `routine`, `start`, `end`, `at`, `entrySize`, `argsStart`, `argCount`.
 */
const FIELDS = 7;

/** The current frame and its suspended callers. Kept between compiles. */
export class Frames {
  /** The routine that is running, or `MAIN_PROGRAM`. */
  routine = MAIN_PROGRAM;
  /** Its first byte in the code region, the byte after its last, and the current position. */
  start = 0;
  end = 0;
  at = 0;
  /** The number of values when it began, after its arguments were taken. */
  entrySize = 0;
  /** Its arguments, as values of the args region. */
  argsStart = 0;
  argCount = 0;
  /** The number of suspended frames. */
  depth = 0;

  readonly #suspended: number[] = [];

  /** Starts the main program. */
  begin(start: number, end: number): void {
    this.depth = 0;
    this.#set(MAIN_PROGRAM, start, end, 0, 0, 0);
  }

  /** Suspends the current frame and enters a routine, whose arguments follow those of the frame. */
  enter(routine: number, start: number, end: number, entrySize: number, argCount: number): void {
    const suspended = this.#suspended;
    let at = this.depth * FIELDS;
    suspended[at++] = this.routine;
    suspended[at++] = this.start;
    suspended[at++] = this.end;
    suspended[at++] = this.at;
    suspended[at++] = this.entrySize;
    suspended[at++] = this.argsStart;
    suspended[at] = this.argCount;
    this.depth++;
    this.#set(routine, start, end, entrySize, this.argsStart + this.argCount, argCount);
  }

  /** Returns to the caller. */
  leave(): void {
    const suspended = this.#suspended;
    this.depth--;
    let at = this.depth * FIELDS;
    const routine = suspended[at++]!;
    const start = suspended[at++]!;
    const end = suspended[at++]!;
    const resumeAt = suspended[at++]!;
    const entrySize = suspended[at++]!;
    const argsStart = suspended[at++]!;
    this.#set(routine, start, end, entrySize, argsStart, suspended[at]!);
    this.at = resumeAt;
  }

  #set(
    routine: number,
    start: number,
    end: number,
    entrySize: number,
    argsStart: number,
    argCount: number,
  ): void {
    this.routine = routine;
    this.start = start;
    this.end = end;
    this.at = start;
    this.entrySize = entrySize;
    this.argsStart = argsStart;
    this.argCount = argCount;
  }
}
