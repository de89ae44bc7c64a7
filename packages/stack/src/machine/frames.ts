// Frames: the main program is the first, each routine that runs inside it one more.
import { MAIN_PROGRAM } from "../layout.js";

/** Suspended callers, innermost last. Kept between compiles. */
export class Frames {
  private readonly words: Uint32Array[] = [];
  private readonly resumeAt: number[] = [];
  private readonly routines: number[] = [];
  /** Frames suspended. */
  depth = 0;
  /** The routine that runs now, or -1 in the main program. */
  current = MAIN_PROGRAM;

  reset(): void {
    this.depth = 0;
    this.current = MAIN_PROGRAM;
  }

  /** Suspends the running frame, whose next instruction is at word `resumeAt`, and enters a routine. */
  enter(routine: number, words: Uint32Array, resumeAt: number): void {
    this.words[this.depth] = words;
    this.resumeAt[this.depth] = resumeAt;
    this.routines[this.depth] = this.current;
    this.depth++;
    this.current = routine;
  }

  /** Returns to the caller; its words and the next word's place are then in `callerWords` and `callerResumeAt`. */
  leave(): void {
    this.depth--;
    this.current = this.routines[this.depth]!;
  }

  /** The words of the frame that `leave` has just returned to. */
  get callerWords(): Uint32Array {
    return this.words[this.depth]!;
  }

  get callerResumeAt(): number {
    return this.resumeAt[this.depth]!;
  }
}
