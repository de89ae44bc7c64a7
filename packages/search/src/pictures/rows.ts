// Checks of elites that pictures are drawn from.
import { isListOf } from "@mm-ptx/types/internal";
import type { ArchiveRows } from "../archives/archive.js";
import { invalid } from "../options.js";

/** The check of an option with a text for each elite. */
export const areTexts = isListOf("strings", (value) => typeof value === "string");

/** @throws SearchError INVALID_ARGUMENT unless `rows` has as many numbers as elites, with this many measures each */
export function checkRows(rows: unknown, dimensions: number): asserts rows is ArchiveRows {
  if (typeof rows !== "object" || rows === null) throw invalid("the rows of an archive", rows);
  const { count, cell, objective, measures, fields } = rows as Partial<ArchiveRows>;
  if (!Number.isSafeInteger(count) || count! < 0) throw invalid("a whole number as `rows.count`", count);
  const isLong = (column: unknown, each = 1): boolean =>
    ArrayBuffer.isView(column) && (column as Float64Array).length >= count! * each;
  if (!isLong(cell)) throw invalid(`${count} cells in \`rows.cell\``, lengthOf(cell));
  if (!isLong(objective)) throw invalid(`${count} numbers in \`rows.objective\``, lengthOf(objective));
  if (!isLong(measures, dimensions))
    throw invalid(`${count} times ${dimensions} numbers in \`rows.measures\``, lengthOf(measures));
  if (typeof fields !== "object" || fields === null) throw invalid("an object as `rows.fields`", fields);
}

const lengthOf = (column: unknown): unknown =>
  ArrayBuffer.isView(column) ? `${(column as Float64Array).length} numbers` : column;

/** The length of what may be an array of numbers. */
export const numbersIn = (column: unknown): number | undefined =>
  Array.isArray(column) || (ArrayBuffer.isView(column) && !(column instanceof DataView))
    ? (column as ArrayLike<number>).length
    : undefined;

/** @throws SearchError INVALID_ARGUMENT unless all numbers are counts of candidates or seconds */
export function checkTimes(numbers: ArrayLike<number>, name: string): void {
  for (let i = 0; i < numbers.length; i++)
    if (!(numbers[i]! >= 0 && numbers[i]! <= Number.MAX_SAFE_INTEGER))
      throw invalid(`numbers from 0 on as ${name}`, numbers[i]);
}
