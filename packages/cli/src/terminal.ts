// The output of commands: text, with colours where a terminal shows them, or one JSON value.
import { type CommandColors, type CommandOutcome, unicodeEscape } from "@mm-ptx/types/internal";
import pc from "picocolors";

export type { CommandColors as Colors, CommandOutcome as Outcome };

/**
 * The colours of a stream: NO_COLOR and FORCE_COLOR decide, and otherwise whether it is a terminal that has colours.
 */
export function colorsOf(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): CommandColors {
  if (env.NO_COLOR) return pc.createColors(false);
  if (env.FORCE_COLOR) return pc.createColors(env.FORCE_COLOR !== "0");
  return pc.createColors(isTTY === true && env.TERM !== "dumb");
}

/** Makes control characters visible, so that text from a file cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, unicodeEscape);
}

/** Rows as columns of equal width, except for the last column. `right` marks columns of numbers. */
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
