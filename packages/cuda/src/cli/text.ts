// Formats tables and sizes for the output of commands.

import { type Colors, columns, printable } from "./framework.js";

const STEPS = ["bytes", "KiB", "MiB", "GiB"] as const;

/** `512 bytes`, `1.5 KiB` */
export function bytesText(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(STEPS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** step).toFixed(1)} ${STEPS[step]}`;
}

/** An indented table; columns of numbers are aligned to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (number | string | undefined)[])[],
  colors: Colors,
): string {
  const right = new Set(
    head.map((_, at) => at).filter((at) => rows.every((row) => typeof row[at] !== "string")),
  );
  const cells = rows.map((row) => row.map((value) => cell(value === undefined ? "" : `${value}`)));
  const [header = "", ...lines] = columns([head, ...cells], right);
  return `  ${colors.dim(header)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Always a single line, whatever a name contains. */
const cell = (text: string): string => printable(text).replace(/[\t\n]/g, " ");
