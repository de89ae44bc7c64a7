// How far a launch is, and for how long it has been running: one line on a terminal, nothing elsewhere.
import { colorsOf } from "@mm-ptx/types/cli";
import { grouped } from "../view/lines.js";

const INTERVAL_MS = 200;

export class Progress implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  /** Blocks that are done, of how many. */
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

  /** Takes the line off, until it is written again. */
  clear(): void {
    if (this.#shown) process.stderr.write("\r\x1b[2K");
    this.#shown = false;
  }

  end(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  [Symbol.dispose](): void {
    this.end();
  }
}
