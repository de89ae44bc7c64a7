// Shows the progress of a launch and its running time: one line on a terminal, nothing elsewhere.

import { grouped } from "../view/lines.js";
import { colorsOf } from "./framework.js";

const INTERVAL_MS = 200;

export class Progress implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  /** The numbers of finished blocks and of all blocks. */
  blocks: readonly [done: number, total: number] | undefined;

  begin(what: string): void {
    const { stderr, env } = process;
    if (!stderr.isTTY) return;
    const started = performance.now();
    const { dim } = colorsOf(stderr, env);
    this.#timer = setInterval(() => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const [done, total] = this.blocks ?? [];
      const far = total === undefined ? "" : `, ${grouped(done ?? 0)} of ${grouped(total)} blocks`;
      stderr.write(`\r\x1b[2K${dim(`${what}${far}, ${seconds} s`)}`);
      this.#shown = true;
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Removes the line until it is written again. */
  clear(): void {
    if (this.#shown) process.stderr.write("\r\x1b[2K");
    this.#shown = false;
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
