// Lines on a terminal that are drawn again in the same place.
import { printable } from "./framework.js";

/** What is written to: stderr, or a stand-in of tests. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Some lines that are replaced by the next ones. */
export class Screen {
  readonly #terminal: Terminal;
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Draws lines in place of those that were drawn before; they are cut at the width of the terminal. */
  draw(lines: readonly string[], paint: (line: string) => string = (line) => line): void {
    // Terminals without a known size report 0.
    const { columns, rows } = this.#terminal;
    const [width, height] = [columns || 80, rows || 24];
    const shown = lines.slice(0, height - 1).map((line) => paint(cut(printable(line), width - 1)));
    this.#terminal.write(`${this.#erasure()}${shown.map((line) => `${line}\n`).join("")}`);
    this.#drawn = shown.length;
  }

  /** Removes the lines. */
  clear(): void {
    this.#terminal.write(this.#erasure());
    this.#drawn = 0;
  }

  #erasure(): string {
    return this.#drawn === 0 ? "" : `\x1b[${this.#drawn}A\r\x1b[0J`;
  }
}

const cut = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
