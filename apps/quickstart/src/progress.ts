// The progress of the run: one line that is updated in place on a terminal, or a plain line every few seconds
// elsewhere. It always goes to stderr, so that stdout contains only the result.

import type { WriteStream } from "node:tty";
import pico from "picocolors";

const TERMINAL_INTERVAL_MS = 80;
const PLAIN_INTERVAL_MS = 3000;
const BAR_CELLS = 24;
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #total: number;
  readonly #colors: ReturnType<typeof pico.createColors>;
  readonly #started = performance.now();
  #shownAt: number;
  #shown = 0;
  #done = 0;
  #failed = 0;
  #stage = "";

  constructor(total: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#stream = stream;
    this.#colors = pico.createColors(useColor(stream));
    this.#shownAt = stream.isTTY ? -Infinity : this.#started;
  }

  /** Names the current stage, for example `compiling`. */
  stage(name: string): void {
    this.#stage = name;
    this.#show();
  }

  /** Counts one more finished program. */
  count(failed: boolean): void {
    this.#done++;
    if (failed) this.#failed++;
    this.#show();
  }

  /** Writes a sentence above the line. */
  note(sentence: string): void {
    this.clear();
    this.#stream.write(`${sentence}\n`);
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown > 0) this.#stream.write("\r\x1b[2K");
    this.#shown = 0;
    if (this.#stream.isTTY) this.#shownAt = -Infinity;
  }

  #show(): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#stream.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
    this.#shownAt = now;
    if (!this.#stream.isTTY) {
      this.#stream.write(`${this.#stage} ${this.#figures(now).join(", ")}\n`);
      return;
    }
    const line = fitted(
      this.#stage.padEnd(9),
      this.#bar(),
      this.#figures(now),
      (this.#stream as WriteStream).columns,
    );
    const { dim, cyan, red } = this.#colors;
    const failed = this.#failed > 0 ? red : dim;
    const text = `${line.stage} ${cyan(line.bar)} ${line.figures.map((figure) => (figure.endsWith("failed") ? failed(figure) : figure)).join(dim("  "))}`;
    this.#stream.write(`\r\x1b[2K${text}`);
    this.#shown = text.length;
  }

  #figures(now: number): string[] {
    const seconds = (now - this.#started) / 1000;
    const rate = this.#done / seconds;
    const left = this.#done === 0 ? "" : `${duration((this.#total - this.#done) / rate)} left`;
    return [
      `${this.#done}/${this.#total}`,
      ...(this.#done === 0 ? [] : [`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`, left]),
      `${this.#failed} failed`,
    ];
  }

  #bar(): string {
    const eighths = Math.floor((this.#done / this.#total) * BAR_CELLS * 8);
    const full = "█".repeat(eighths >> 3) + PARTS[eighths & 7];
    return full.padEnd(BAR_CELLS, "░");
  }
}

/** Colours are used only on a terminal, and not if NO_COLOR is set (https://no-color.org). */
export function useColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

/** Seconds in readable form: `4 s`, `2 min 05 s`, `1 h 12 min`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, "0")} s`;
  return `${Math.floor(whole / 3600)} h ${`${Math.floor(whole / 60) % 60}`.padStart(2, "0")} min`;
}

/** Leaves out the bar if the terminal is too narrow for it, because a line that wraps cannot be updated in place. */
function fitted(
  stage: string,
  bar: string,
  figures: string[],
  columns = 80,
): { stage: string; bar: string; figures: string[] } {
  const width = stage.length + 1 + figures.join("  ").length + 2;
  if (width + bar.length <= columns) return { stage, bar, figures };
  return width <= columns
    ? { stage, bar: "", figures }
    : { stage: "", bar: "", figures: figures.slice(0, 1) };
}
