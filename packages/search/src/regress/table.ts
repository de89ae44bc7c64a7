// Tables of data as text: CSV, TSV and the like.
import { type Check, describeValue, didYouMean, isText, quoted, unexpected } from "@mm-ptx/types/internal";
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
  /** The character between cells. By default a tab if the first line has one, otherwise a semicolon or a comma. */
  readonly delimiter?: string;
  /** What happens to rows with cells that are empty, `NaN` or `NA`: an error, which is the default, or they are left out. */
  readonly missing?: "error" | "drop";
}

const isDelimiter: Check = (value, name) =>
  typeof value === "string" && value.length === 1 && !/["\r\n]/.test(value)
    ? undefined
    : unexpected(name, "a character", value);

const isMissing: Check = (value, name) =>
  value === "error" || value === "drop" ? undefined : unexpected(name, "`error` or `drop`", value);

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const MISSING = new Set(["", "nan", "na", "null", "?"]);

/**
 * The numbers of a table whose first line has the names of the columns. Cells may be in quotes; empty lines are skipped.
 * @throws SearchError BAD_DATA with the line and column of a cell that is not a finite number, and for a table without rows;
 * INVALID_ARGUMENT
 */
export function readTable(text: string, options: TableOptions = {}): DataTable {
  if (isText(text, "text") !== undefined) {
    throw new SearchError("INVALID_ARGUMENT", `expected the text of a table, found ${describeValue(text)}`);
  }
  const { delimiter = delimiterOf(text), missing = "error" } = readOptions<TableOptions>(
    options,
    { delimiter: isDelimiter, missing: isMissing },
    { of: "readTable" },
  );
  if (text.startsWith("\uFFFD") || text.slice(0, 1000).includes("\0")) {
    throw bad("a table in UTF-8", "bytes that are not text in UTF-8");
  }
  const records = recordsOf(text, delimiter);
  const [header, ...body] = records;
  if (header === undefined) throw bad("a line with the names of columns", "an empty table");
  const names = header.cells;
  const nameless = names.indexOf("");
  if (nameless >= 0) throw bad(`a name for column ${nameless + 1}`, "an empty cell", header.line);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw bad("each name of a column once", `${quoted(twice)} twice`, header.line);
  if (names.every((name) => NUMBER.test(name))) {
    throw bad("the names of the columns in the first line", "only numbers", header.line);
  }
  const rows: number[][] = [];
  for (const { cells, line } of body) {
    if (cells.length !== names.length) {
      throw bad(`${names.length} cells`, `${cells.length}`, line);
    }
    const values = cells.map((cell, column) => numberOf(cell, names[column]!, line, missing));
    if (values.every((value) => value !== undefined)) rows.push(values as number[]);
  }
  if (rows.length === 0) throw bad("at least one row of numbers", "none");
  return {
    names,
    rows: rows.length,
    columns: names.map((_, column) => Float64Array.from(rows, (row) => row[column]!)),
  };
}

/** The columns of a table that a target is computed from. @throws SearchError NOT_FOUND if there is no such column */
export function columnOf({ names, columns }: DataTable, name: string): Float64Array {
  const index = names.indexOf(name);
  if (index < 0) {
    throw new SearchError(
      "NOT_FOUND",
      `expected a column of the table, found ${quoted(name)}${didYouMean(name, names)}`,
    );
  }
  return columns[index]!;
}

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

function recordsOf(text: string, delimiter: string): Line[] {
  const lines: Line[] = [];
  try {
    parse(text, {
      ...{ bom: true, delimiter, trim: true, relax_column_count: true, skip_empty_lines: true },
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

function delimiterOf(text: string): string {
  const [first = ""] = text.split(/\r?\n/, 1);
  return ["\t", ";", ","].find((each) => first.includes(each)) ?? ",";
}

function numberOf(cell: string, column: string, line: number, missing: "error" | "drop"): number | undefined {
  if (NUMBER.test(cell)) {
    const value = Number(cell);
    if (Number.isFinite(value)) return value;
    throw bad(`a finite number in column ${quoted(column)}`, quoted(cell), line);
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
  const hint = /^[+-]?\d+,\d+$/.test(cell) ? "; numbers need a decimal point" : "";
  throw bad(`a number in column ${quoted(column)}`, `${quoted(cell)}${hint}`, line);
}

const bad = (expected: string, found: string, line?: number): SearchError =>
  new SearchError(
    "BAD_DATA",
    `${line === undefined ? "" : `line ${line}: `}expected ${expected}, found ${found}`,
  );
