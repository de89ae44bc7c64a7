// Reads the log of a run, batch by batch.
import { fstatSync, readSync } from "node:fs";
import { isWholeLine, LONGEST_LINE } from "@mm-ptx/types/internal/node";
import { SearchError } from "../error.js";
import type { LoggedBatch, LoggedMeasurement } from "./log-lines.js";

/** The lines of a batch, without their checks. */
export interface LogGroup {
  /** Where the lines begin in the file and where they end. */
  readonly start: number;
  readonly end: number;
  readonly batch: LoggedBatch;
  /** The line of the batch, and those of its elites. */
  readonly line: string;
  readonly elites: readonly string[];
  /** The line of what a model predicted, if there is one. */
  readonly screen: string | undefined;
  readonly measured: ReadonlyMap<string, Float64Array>;
}

const LINE_FEED = 10;
const CHUNK_BYTES = 2 ** 18;
/** The bytes of `,"check":"01234567"}`. */
const CHECK_TEXT = /,"check":"[0-9a-f]{8}"\}$/;

/** A line, or undefined for one that is damaged. */
interface Line {
  readonly text: string | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * The batches of a log from an offset on. What follows the line of the last batch is not finished, and is left out.
 *
 * @throws SearchError FILE_FORMAT if a line is damaged that other whole lines follow
 */
export function* readGroups(file: number, start: number, path: string): Generator<LogGroup, void, undefined> {
  let elites: string[] = [];
  let measured = new Map<string, Float64Array>();
  let screen: string | undefined;
  let begin = start;
  let damage: number | undefined;
  for (const { text, ...line } of readLines(file, start)) {
    if (text === undefined) {
      damage ??= line.start;
      continue;
    }
    if (damage !== undefined)
      throw new SearchError(
        "FILE_FORMAT",
        `expected a whole line at byte ${damage} of \`${path}\`, found a damaged one`,
      );
    if (text.startsWith('{"elite":')) elites.push(text);
    else if (text.startsWith('{"screened":')) screen = text;
    else if (text.startsWith('{"measured":')) {
      const { measured: name, values } = JSON.parse(`${text}}`) as LoggedMeasurement;
      measured.set(name, Float64Array.from(values, Number));
    } else if (text.startsWith('{"batch":')) {
      const batch = JSON.parse(`${text}}`) as LoggedBatch;
      yield { start: begin, end: line.end, batch, line: text, elites, screen, measured };
      begin = line.end;
      elites = [];
      screen = undefined;
      measured = new Map();
    } else
      throw new SearchError(
        "FILE_FORMAT",
        `expected a line of a run at byte ${line.start} of \`${path}\`, found another one`,
      );
  }
}

/** Where the first damaged line before an offset starts, or undefined if all of them are whole. */
export function damageBefore(file: number, end: number): number | undefined {
  for (const { text, start } of readLines(file, 0)) {
    if (start >= end) return undefined;
    if (text === undefined) return start;
  }
  return undefined;
}

/** The lines of a file that have a line feed. */
function* readLines(file: number, start: number): Generator<Line, void, undefined> {
  const { size } = fstatSync(file);
  let buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let base = start;
  let held = 0;
  while (base + held < size) {
    if (held === buffer.length) {
      if (held >= LONGEST_LINE)
        throw new SearchError(
          "FILE_FORMAT",
          `expected a line at byte ${base} of the log, found one that is too long`,
        );
      const grown = Buffer.allocUnsafeSlow(2 * buffer.length);
      buffer.copy(grown);
      buffer = grown;
    }
    const count = readSync(
      file,
      buffer,
      held,
      Math.min(buffer.length - held, size - base - held),
      base + held,
    );
    if (count === 0) return;
    const end = held + count;
    let lineStart = 0;
    for (
      let feed = buffer.indexOf(LINE_FEED, held);
      feed >= 0 && feed < end;
      feed = buffer.indexOf(LINE_FEED, feed + 1)
    ) {
      yield { text: lineText(buffer, lineStart, feed), start: base + lineStart, end: base + feed + 1 };
      lineStart = feed + 1;
    }
    buffer.copyWithin(0, lineStart, end);
    base += lineStart;
    held = end - lineStart;
  }
}

function lineText(bytes: Buffer, start: number, end: number): string | undefined {
  return isWholeLine(bytes, start, end)
    ? bytes.toString("utf8", start, end).replace(CHECK_TEXT, "")
    : undefined;
}
