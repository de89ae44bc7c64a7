// Frames: the main program is the first, each routine that runs inside it one more.

/** Names the main program where routines are named by their index. */
export const MAIN_PROGRAM = -1;

/** What each suspended frame keeps: `routine`, `start`, `end`, `at`, `entrySize`, `argsStart`, `argCount`. */
const FIELDS = 7;

/** The running frame, and its suspended callers. Kept between compiles. */
export class Frames {
  /** The routine that runs, or `MAIN_PROGRAM`. */
  routine = MAIN_PROGRAM;
  /** Its first byte in the code region, the byte behind its last, and where it stands. */
  start = 0;
  end = 0;
  at = 0;
  /** How many values there were when it began, its arguments taken. */
  entrySize = 0;
  /** Its arguments, as values of the args region. */
  argsStart = 0;
  argCount = 0;
  /** Frames suspended. */
  depth = 0;

  private readonly suspended: number[] = [];

  /** Starts the main program. */
  begin(start: number, end: number): void {
    this.depth = 0;
    this.set(MAIN_PROGRAM, start, end, 0, 0, 0);
  }

  /** Suspends the running frame and enters a routine, whose arguments lie behind those of the frame. */
  enter(routine: number, start: number, end: number, entrySize: number, argCount: number): void {
    const { suspended } = this;
    let at = this.depth * FIELDS;
    suspended[at++] = this.routine;
    suspended[at++] = this.start;
    suspended[at++] = this.end;
    suspended[at++] = this.at;
    suspended[at++] = this.entrySize;
    suspended[at++] = this.argsStart;
    suspended[at] = this.argCount;
    this.depth++;
    this.set(routine, start, end, entrySize, this.argsStart + this.argCount, argCount);
  }

  /** Goes on with the caller. */
  leave(): void {
    const { suspended } = this;
    this.depth--;
    let at = this.depth * FIELDS;
    const routine = suspended[at++]!;
    const start = suspended[at++]!;
    const end = suspended[at++]!;
    const resumeAt = suspended[at++]!;
    const entrySize = suspended[at++]!;
    const argsStart = suspended[at++]!;
    this.set(routine, start, end, entrySize, argsStart, suspended[at]!);
    this.at = resumeAt;
  }

  private set(
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
