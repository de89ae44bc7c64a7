// Tables of data as text: CSV, TSV and the like.
import {
  type Check,
  describeValue,
  didYouMean,
  isListOf,
  isText,
  quoted,
  unexpected,
} from "@mm-ptx/types/internal";
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { SearchError } from "../error.js";
import { readOptions } from "../options.js";

/** Columns of numbers with names, all of the same length. */
export interface DataTable {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  readonly rows: number;
}

/** How the text of a table is read. */
export interface TableOptions {
  /** The character between cells. By default the first of tab, semicolon, comma and `|` that the first line has. */
  readonly delimiter?: string;
  /** What happens to rows with cells that are empty, `NaN` or `NA`: an error, which is the default, or they are left out. */
  readonly missing?: "error" | "drop";
  /** The names of the columns that are read, in any order; by default all. Cells of other columns can be anything. */
  readonly columns?: readonly string[];
}

const LARGEST_F32 = 3.4028234663852886e38;

const isDelimiter: Check = (value, name) =>
  typeof value === "string" && value.length === 1 && !/["\r\n]/.test(value)
    ? undefined
    : unexpected(name, "a character", value);

const isMissing: Check = (value, name) =>
  value === "error" || value === "drop" ? undefined : unexpected(name, "`error` or `drop`", value);

const isNames = isListOf("names of columns", (name) => typeof name === "string");

function twiceIn(names: readonly string[], option: string): string | undefined {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined
    ? undefined
    : `option \`${option}\`: expected each name once, found ${quoted(twice)} twice`;
}

const CHECKS: Readonly<Record<keyof TableOptions, Check>> = {
  delimiter: isDelimiter,
  missing: isMissing,
  columns: (value, name) => isNames(value, name) ?? twiceIn(value as readonly string[], name),
};

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const MISSING = new Set(["", "nan", "na", "null", "?"]);

/**
 * The numbers of a table whose first line has the names of the columns. Columns without a name, such as the row numbers that pandas writes,
 * are left out. Cells may be in quotes; empty lines are skipped.
 * @throws SearchError BAD_DATA with the line and column of a cell that is not a number that f32 can hold, and for a table without rows;
 * NOT_FOUND for a column that the table does not have; INVALID_ARGUMENT
 */
export function readTable(text: string, options: TableOptions = {}): DataTable {
  if (isText(text, "text") !== undefined) {
    throw new SearchError("INVALID_ARGUMENT", `expected the text of a table, found ${describeValue(text)}`);
  }
  const {
    delimiter = delimiterOf(text),
    missing = "error",
    columns,
  } = readOptions<TableOptions>(options, CHECKS, { of: "readTable" });
  const [header, ...body] = recordsOf(text, delimiter);
  const all = namesOf(header);
  const names = columns ?? all.filter(isNamed);
  const places = names.map((name) => placeOf(name, all));
  const rows: number[][] = [];
  for (const { cells, line } of body) {
    if (cells.length !== all.length) {
      throw bad(all.length === 1 ? "1 cell" : `${all.length} cells`, `${cells.length}`, line);
    }
    const values = places.map((place) => numberOf(cells[place]!, all[place]!, line, missing, all.length));
    if (values.every((value) => value !== undefined)) rows.push(values as number[]);
  }
  if (rows.length === 0) throw bad("at least one row of numbers", "none");
  return {
    names,
    rows: rows.length,
    columns: names.map((_, column) => Float64Array.from(rows, (row) => row[column]!)),
  };
}

/** The names of the columns of a table. @throws SearchError BAD_DATA */
export const columnNames = (text: string): readonly string[] =>
  namesOf(recordsOf(text, delimiterOf(text), 1)[0]).filter(isNamed);

const isNamed = (name: string): boolean => name !== "";

/** The names in the first line, with an empty one for columns without a name. */
function namesOf(header: Line | undefined): readonly string[] {
  if (header === undefined) throw bad("a line with the names of columns", "an empty table");
  const names = header.cells;
  const twice = names.filter(isNamed).find((name, index, named) => named.indexOf(name) !== index);
  if (twice !== undefined) throw bad("each name of a column once", `${quoted(twice)} twice`, header.line);
  if (names.every((name) => name === "" || NUMBER.test(name))) {
    throw bad("the names of the columns in the first line", "only numbers", header.line);
  }
  return names;
}

/** The numbers of a column. @throws SearchError NOT_FOUND if there is no such column */
export function columnOf({ names, columns }: DataTable, name: string): Float64Array {
  return columns[placeOf(name, names)]!;
}

function placeOf(name: string, names: readonly string[]): number {
  const place = names.indexOf(name);
  if (place >= 0) return place;
  throw new SearchError(
    "NOT_FOUND",
    `expected a column of the table, found ${quoted(name)}${didYouMean(name, names)}`,
  );
}

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

function recordsOf(text: string, delimiter: string, most?: number): Line[] {
  if (/[\0\uFFFD]/.test(text.slice(0, 1000))) {
    throw bad("a table in UTF-8", "bytes that are not text in UTF-8");
  }
  const lines: Line[] = [];
  try {
    parse(text, {
      ...{ bom: true, delimiter, trim: true, relax_column_count: true, skip_empty_lines: true },
      ...(most !== undefined && { to: most }),
      on_record: ((cells: string[], { lines: line }: { lines: number }) => {
        lines.push({ cells, line });
      }) as never,
    });
  } catch (error) {
    if (error instanceof CsvError)
      throw new SearchError("BAD_DATA", `expected a table: ${error.message}`, { cause: error });
    throw error;
  }
  return lines;
}

/** The separator in the first line that is not empty, outside of names in quotes. */
function delimiterOf(text: string): string {
  const first = text
    .replace(/^\s*[\r\n]/, "")
    .split(/[\r\n]/, 1)[0]!
    .replace(/"[^"]*"/g, "");
  return ["\t", ";", ",", "|"].find((each) => first.includes(each)) ?? ",";
}

function numberOf(
  cell: string,
  column: string,
  line: number,
  missing: "error" | "drop",
  count: number,
): number | undefined {
  if (NUMBER.test(cell)) {
    const value = Number(cell);
    if (Math.abs(value) <= LARGEST_F32) return value;
    throw bad(`a number that f32 can hold in column ${quoted(column)}`, quoted(cell), line);
  }
  if (MISSING.has(cell.toLowerCase())) {
    if (missing === "drop") return undefined;
    const found = cell === "" ? "an empty cell" : quoted(cell);
    throw bad(
      `a number in column ${quoted(column)}`,
      `${found}; rows with missing cells can be left out (\`missing: "drop"\`, \`--drop-missing\`)`,
      line,
    );
  }
  throw bad(`a number in column ${quoted(column)}`, `${quoted(cell)}; ${hintFor(cell, count)}`, line);
}

function hintFor(cell: string, count: number): string {
  if (/^[+-]?\d+,\d+$/.test(cell)) return "numbers need a decimal point";
  return count === 1
    ? "columns are separated by tabs, semicolons, commas or `|`"
    : "columns that are not numbers can be left out (`columns`, `--inputs`)";
}

const bad = (expected: string, found: string, line?: number): SearchError =>
  new SearchError(
    "BAD_DATA",
    `${line === undefined ? "" : `line ${line}: `}expected ${expected}, found ${found}`,
  );
