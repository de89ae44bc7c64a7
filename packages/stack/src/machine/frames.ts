// Frames: the main program is the first, and each routine that runs inside it takes one more.
import { MAIN_PROGRAM } from "../layout.js";
import { grown, ROOM } from "../room.js";

export class Frames {
  /** For each suspended frame, innermost last: its routine and the word of its next instruction. */
  suspended = new Int32Array(2 * ROOM.frames);
  /** The number of suspended frames. */
  depth = 0;
  /** The routine that is running, or `MAIN_PROGRAM`. */
  current = MAIN_PROGRAM;

  reset(): void {
    if (this.suspended.length > 2 * ROOM.frames) this.suspended = new Int32Array(2 * ROOM.frames);
    this.depth = 0;
    this.current = MAIN_PROGRAM;
  }

  /** Suspends the current frame, whose next instruction is at word `resumeAt`, and enters a routine. */
  enter(routine: number, resumeAt: number): void {
    if (2 * this.depth === this.suspended.length) this.suspended = grown(this.suspended, 2 * this.depth + 2);
    this.suspended[2 * this.depth] = this.current;
    this.suspended[2 * this.depth + 1] = resumeAt;
    this.depth++;
    this.current = routine;
  }

  /** Returns to the caller, which becomes `current`; returns the word of its next instruction. */
  leave(): number {
    this.depth--;
    this.current = this.suspended[2 * this.depth]!;
    return this.suspended[2 * this.depth + 1]!;
  }
}
