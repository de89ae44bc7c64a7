// That a launch is still running, and for how long: one line on a terminal, nothing elsewhere.
import { colorsOf } from "@mm-ptx/types/cli";

const INTERVAL_MS = 200;

export class Progress implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  begin(what: string): void {
    const { stderr, env } = process;
    if (!stderr.isTTY) return;
    const started = performance.now();
    const { dim } = colorsOf(stderr, env);
    this.#timer = setInterval(() => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      stderr.write(`\r\x1b[2K${dim(`${what}, ${seconds} s`)}`);
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
