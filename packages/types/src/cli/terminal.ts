// Where a command writes: text with colours where a terminal shows them, or one JSON value.
import pc from "picocolors";
import { unicodeEscape } from "../core/describe.js";

export type Colors = ReturnType<typeof pc.createColors>;

/** What a command found, in both forms; the form that is not asked for is not made. */
export interface Outcome {
  /** Whether the exit code is 0, else 1. */
  readonly ok: boolean;
  readonly json: () => unknown;
  /** What goes to stderr beside the text. */
  readonly complaints?: (colors: Colors) => string;
  /** Bytes where a file's content goes to stdout as it is. */
  readonly text: (colors: Colors) => string | Uint8Array;
}

/** The colours that a stream shows: as NO_COLOR and FORCE_COLOR say, else those of a terminal. */
export function colorsOf(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  if (env.NO_COLOR) return pc.createColors(false);
  if (env.FORCE_COLOR) return pc.createColors(env.FORCE_COLOR !== "0");
  return pc.createColors(isTTY === true && env.TERM !== "dumb");
}

/** Text of a file with its control characters in words: a description must not steer a terminal. */
export function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, unicodeEscape);
}

/** Rows as columns of equal width; the last column keeps its own. Numbers are told by `right`. */
export function columns(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, at) => (right.has(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
}

/** `1 instruction`, `2 instructions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
