// Shows a download on a terminal, as one line that is redrawn and finally erased.

const CLEAR_LINE = "\r\x1b[K";
const INTERVAL_MS = 100;
const MIB = 2 ** 20;

/** Observes a download. */
export interface Watch {
  /** What is done from now on. */
  note(text: string): void;
  /** How much of a wheel has arrived. */
  progress(bytes: number, total: number): void;
  /** The download has ended. */
  end(): void;
}

export const UNWATCHED: Watch = { note() {}, progress() {}, end() {} };

/** What is needed of a stream such as `process.stderr`. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Shows a text. */
  write(text: string): unknown;
}

/**
 * Shows a download on a terminal; elsewhere, nothing is shown.
 *
 * @param isQuiet whether nothing is shown even on a terminal
 */
export function watchOn(stream: Terminal, isQuiet: boolean): Watch {
  if (stream.isTTY !== true || isQuiet) return UNWATCHED;
  let noted = "";
  let drawnAt = Number.NEGATIVE_INFINITY;
  // A longer line would not be erased completely.
  const draw = (text: string): unknown =>
    stream.write(`${CLEAR_LINE}${text.slice(0, (stream.columns || 80) - 1)}`);
  return {
    note(text) {
      noted = text;
      draw(text);
    },
    progress(bytes, total) {
      const now = performance.now();
      if (now - drawnAt < INTERVAL_MS && bytes < total) return;
      drawnAt = now;
      draw(`${noted}: ${(bytes / MIB).toFixed(1)} of ${(total / MIB).toFixed(1)} MiB`);
    },
    end() {
      draw("");
    },
  };
}
