// How much there is to do for a program of Stack PTX, which is known before it runs, because nothing in it depends on values.

import { meta, returnInstruction, routine } from "@mm-ptx/stack";
import { WORDS } from "./programs.js";

const TYPE = 0xffff;
const ROUTINE = routine(0).head & TYPE;
const RETURN = returnInstruction.head & TYPE;
const { head: META, payload: REVERSE } = meta(0, "reverse");
/** As many values are moved in the time that another instruction takes. */
const MOVED = 16;

/** Counts the steps of programs: instructions, of which those that reverse a stack count several times. */
export class Steps {
  readonly #routines: readonly Uint32Array[];
  readonly #mostFrames: number;
  readonly #reverse: number;
  /** The steps of each routine, by the number of frames around it. */
  readonly #known: (number | undefined)[][] = [];

  constructor(routines: readonly Uint32Array[], limits: { maxFrameDepth: number; stackSize: number }) {
    this.#routines = routines;
    this.#mostFrames = limits.maxFrameDepth;
    this.#reverse = 1 + Math.ceil(limits.stackSize / MOVED);
  }

  /**
   * At least as many as the program needs until it returns, or until it has run `executionLimit` instructions.
   *
   * @param frames around it
   */
  of(words: Uint32Array, executionLimit: number, frames = 0): number {
    let steps = 0;
    for (let at = 0; at < words.length; at += WORDS) {
      const type = words[at]! & TYPE;
      const payload = words[at + 1]!;
      if (type === RETURN) break;
      if (type === (META & TYPE) && payload === REVERSE) steps += this.#reverse;
      else steps += type === ROUTINE ? 1 + this.#inRoutine(payload, frames + 1) : 1;
    }
    return Math.min(steps + 1, executionLimit * this.#reverse);
  }

  #inRoutine(index: number, frames: number): number {
    const words = this.#routines[index];
    // Beyond the limit it is not run, and without such a routine the program fails.
    if (frames >= this.#mostFrames || words === undefined) return 0;
    this.#known[frames] ??= [];
    const known = this.#known[frames];
    known[index] ??= this.of(words, Number.POSITIVE_INFINITY, frames);
    return known[index];
  }
}
