// Detects whether a thread that yields repeatedly makes progress on its own. It does not if it returns to an
// instruction with unchanged registers; then it waits for a value that others write.
import type { Frame, Thread } from "./thread.js";

export class Spinning {
  /** Changes whenever the thread has made progress since its last turn. */
  progress = 0;
  /** Whether the thread has returned to the same state without progress. */
  isStuck = false;
  #frame: Frame | undefined;
  #pc = 0;
  #words = new Uint32Array(0);
  /**
   * Turns since the last snapshot, and the number of turns until the next one, which doubles each time (Brent, 1980).
   */
  #turns = 0;
  #most = 1;

  /** Called when the thread has yielded at a backward jump. @param u32 the registers of its block */
  turn({ frames }: Thread, u32: Uint32Array): void {
    const frame = frames.at(-1)!;
    const first = 2 * frame.base;
    const words = u32.subarray(first, first + frame.code.frame.length);
    const isBack =
      frame === this.#frame && frame.pc === this.#pc && words.every((word, i) => word === this.#words[i]);
    this.isStuck = isBack;
    if (!isBack) this.progress++;
    if (++this.#turns < this.#most) return;
    this.#frame = frame;
    this.#pc = frame.pc;
    this.#words = words.slice();
    this.#turns = 0;
    this.#most = isBack ? 1 : 2 * this.#most;
  }
}
