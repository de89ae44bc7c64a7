// Numbers from CSV: commas, semicolons, tabs or line ends between them, and an optional line of names at the top.
import type { CsvError } from "csv-parse/browser/esm/sync";
import { DataError } from "./data-error.js";

/**
 * The numbers of a text, row by row.
 *
 * @throws DataError with the line of what is wrong
 */
export async function csvNumbers(text: string): Promise<Float64Array<ArrayBuffer>> {
  const rows = await rowsOf(text);
  const [head] = rows;
  const named = head?.cells.every((cell) => cell !== "" && Number.isNaN(Number(cell)) && !isSpecial(cell));
  const numbers = rows
    .slice(named === true ? 1 : 0)
    .flatMap(({ cells, line }) => cells.map((cell) => numberOf(cell, line)));
  if (numbers.length === 0) throw new DataError("expected at least one number, found none");
  return Float64Array.from(numbers);
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

const withoutLast = (cells: readonly string[]) => (cells.at(-1) === "" ? cells.slice(0, -1) : cells);

/** Numbers need no quotes, so most texts are only split, and the parser for the others is loaded when it is needed. */
async function rowsOf(text: string): Promise<Row[]> {
  const delimiter = [",", ";", "\t"].find((one) => text.includes(one)) ?? ",";
  if (text.includes('"')) return await quotedRows(text, delimiter);
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line, i) => ({ text: line.trim(), line: i + 1 }))
    .filter((row) => row.text !== "")
    .map((row) => ({
      cells: withoutLast(row.text.split(delimiter).map((cell) => cell.trim())),
      line: row.line,
    }));
}

async function quotedRows(text: string, delimiter: string): Promise<Row[]> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  try {
    const found = parse(text, {
      delimiter,
      trim: true,
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return found.map(({ record, info }) => ({ cells: withoutLast(record), line: info.lines }));
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number };
    throw new DataError(`line ${lines ?? 1}: ${message}`, { cause: error });
  }
}

const SPECIAL: Readonly<Record<string, number>> = {
  inf: Infinity,
  "+inf": Infinity,
  "-inf": -Infinity,
  infinity: Infinity,
  "-infinity": -Infinity,
  nan: Number.NaN,
};

const isSpecial = (cell: string): boolean => Object.hasOwn(SPECIAL, cell.toLowerCase());

function numberOf(cell: string, line: number): number {
  if (isSpecial(cell)) return SPECIAL[cell.toLowerCase()] ?? Number.NaN;
  const value = cell === "" ? Number.NaN : Number(cell);
  if (Number.isNaN(value))
    throw new DataError(`line ${line}: expected a number, found \`${cell.slice(0, 40)}\``);
  return value;
}
