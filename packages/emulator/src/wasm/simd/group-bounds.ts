// Where groups of four threads begin and end: in rows of a block, and in the range of threads that a segment runs.

import type { Label } from "../binary/code.js";
import type { Emitter } from "../emit/emitter.js";
import type { ThreadLocals } from "../emit/facts.js";
import { LANES } from "./vectors.js";

export class GroupBounds {
  readonly #scalar: Emitter;
  readonly #thread: ThreadLocals;
  readonly #last: number;

  /** @param last the local that holds the thread number at which the range ends */
  constructor(scalar: Emitter, thread: ThreadLocals, last: number) {
    this.#scalar = scalar;
    this.#thread = thread;
    this.#last = last;
  }

  /** Returns a local that says whether rows, or the range of threads, begin or end within groups. */
  unevenness(): number {
    const { code } = this.#scalar;
    const isUneven = code.local("i32");
    this.#scalar.global("ntidX");
    code.get(this.#thread.thread).op("i32.or").get(this.#last).op("i32.or");
    code
      .i32(LANES - 1)
      .op("i32.and")
      .set(isUneven);
    return isUneven;
  }

  /** Branches away when fewer than four threads are left in the group, the row or the range. */
  leaveUnlessWhole(isUneven: number, away: Label): void {
    const { code } = this.#scalar;
    const { thread, tidX } = this.#thread;
    code.get(isUneven).if();
    code
      .get(tidX)
      .i32(LANES - 1)
      .op("i32.and");
    code.get(thread).i32(LANES).op("i32.add").get(this.#last).op("i32.gt_u").op("i32.or");
    code.get(tidX).i32(LANES).op("i32.add");
    this.#scalar.global("ntidX");
    code.op("i32.gt_u").op("i32.or").brIf(away).end();
  }

  /** Sets a local to the number of threads up to the next group, the end of the row or the end of the range. */
  toNextGroup(count: number): void {
    const { code } = this.#scalar;
    const { thread, tidX } = this.#thread;
    const least = (push: () => void) => {
      push();
      code.get(count);
      push();
      code.get(count).op("i32.lt_u").op("select").set(count);
    };
    code
      .i32(LANES)
      .get(tidX)
      .i32(LANES - 1)
      .op("i32.and")
      .op("i32.sub")
      .set(count);
    least(() => code.get(this.#last).get(thread).op("i32.sub"));
    least(() => {
      this.#scalar.global("ntidX");
      code.get(tidX).op("i32.sub");
    });
  }

  /**
   * Branches away unless at least two groups of the row are left from a thread at which a group begins.
   *
   * @returns a local that holds the number of threads in whole groups that are left
   */
  enterRow(count: number, away: Label): number {
    const { code } = this.#scalar;
    const { thread, tidX } = this.#thread;
    const left = code.local("i32");
    code.get(this.#last).get(thread).op("i32.sub").set(left);
    this.#scalar.global("ntidX");
    code.get(tidX).op("i32.sub").tee(count).get(left).get(count).get(left).op("i32.lt_u").op("select");
    code
      .i32(-LANES)
      .op("i32.and")
      .tee(left)
      .i32(2 * LANES)
      .op("i32.lt_s")
      .brIf(away);
    code
      .get(tidX)
      .i32(LANES - 1)
      .op("i32.and")
      .brIf(away);
    return left;
  }
}
