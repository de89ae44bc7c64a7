// Columns of CSV files.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { type Check, describeValue, didYouMean, isBoolean, quoted, unexpected } from "@mm-ptx/types/internal";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { PipelineError } from "../error.js";
import { readOptions } from "../options.js";
import { bytesOfFile, checkElements, wrongFile } from "./file.js";
import type { FilePath } from "./file-path.js";

/** Options of `csv`. */
export interface CsvOptions<T extends TypedArray = Float32Array> {
  /** The name of the column in the first line, or its number, counted from 0. */
  readonly column: string | number;
  /** The class of the array; Float32Array by default. */
  readonly elements?: TypedArrayClass<T>;
  /** Whether the first line has the names of the columns; by default, if `column` is a name. */
  readonly header?: boolean;
  /** The character between cells; a comma by default. */
  readonly delimiter?: string;
}

const isColumn: Check = (value, name) =>
  (typeof value === "string" && value !== "") ||
  (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 65_536)
    ? undefined
    : unexpected(name, "the name of a column, or its number from 0 to 65535", value);

const isDelimiter: Check = (value, name) =>
  typeof value === "string" && value.length === 1 && !/["\r\n]/.test(value)
    ? undefined
    : unexpected(name, "a character", value);

const OPTIONS = { column: isColumn, elements: () => undefined, header: isBoolean, delimiter: isDelimiter };

/**
 * The numbers of a column of a CSV file. Cells may be in quotes; spaces around them and empty lines are skipped. Besides decimal numbers,
 * cells of floating-point columns may be `nan`, `inf` and `-inf`.
 *
 * @throws PipelineError NOT_FOUND for a missing file; FILE_FORMAT, with the line, for a column that is missing, for cells that are empty
 * or text, and for numbers that the elements cannot hold; INVALID_ARGUMENT
 */
export function csv<T extends TypedArray = Float32Array>(path: FilePath, options: CsvOptions<T>): T {
  const {
    column,
    elements = Float32Array as unknown as TypedArrayClass<T>,
    header = typeof column === "string",
    delimiter = ",",
  } = readOptions<CsvOptions<T>>(options, OPTIONS, { of: "`csv`", required: ["column"] });
  checkElements(elements, "csv");
  if (typeof column === "string" && !header)
    throw new PipelineError(
      "INVALID_ARGUMENT",
      "option `column`: expected a number without a header, found a name",
    );
  const bytes = bytesOfFile(path);
  const values: (number | bigint)[] = [];
  const read = readerOf(elements);
  let index = typeof column === "number" ? column : -1;
  let isFirst = header;
  const take = (cells: readonly string[], { lines }: { readonly lines: number }): undefined => {
    if (isFirst) {
      isFirst = false;
      if (typeof column === "string") index = placeOf(path, column, cells);
      return undefined;
    }
    const cell = cells[index];
    const place = `in column ${typeof column === "string" ? quoted(column) : column} of line ${lines}`;
    if (cell === undefined) throw wrongFile(path, `a number ${place}`, `${cells.length} cells`);
    if (cell === "") throw wrongFile(path, `a number ${place}`, "an empty cell");
    const value = read(cell);
    if (value === undefined) throw wrongFile(path, `${wordsOf(elements)} ${place}`, describeValue(cell));
    values.push(value);
    return undefined;
  };
  try {
    parse(bytes, {
      ...{ bom: true, delimiter, trim: true, relax_column_count: true, skip_empty_lines: true },
      on_record: take as never,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongFile(path, "a CSV file", error.message);
  }
  if (isFirst) throw wrongFile(path, "a line with the names of the columns", "an empty file");
  const array = new elements(values.length);
  for (let i = 0; i < values.length; i++) (array as { [index: number]: number | bigint })[i] = values[i]!;
  return array;
}

function placeOf(path: FilePath, column: string, names: readonly string[]): number {
  const index = names.indexOf(column);
  if (index !== -1) return index;
  const listed = names.map(quoted).join(", ");
  throw wrongFile(path, `a column ${quoted(column)}`, `${listed}${didYouMean(column, names)}`);
}

type Read = (cell: string) => number | bigint | undefined;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
};

/** Reads cells for an array; what it cannot hold is undefined. */
function readerOf(elements: TypedArrayClass<TypedArray>): Read {
  const { name, BYTES_PER_ELEMENT } = elements;
  if (name.startsWith("Float")) return readFloat;
  const bits = 8 * BYTES_PER_ELEMENT;
  const isSigned = !name.includes("Uint");
  const least = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  return (cell) => {
    if (!/^[+-]?\d{1,30}$/.test(cell)) return undefined;
    const value = BigInt(cell.replace(/^\+/, ""));
    if (value < least || value > most) return undefined;
    return name.startsWith("Big") ? value : Number(value);
  };
}

function readFloat(cell: string): number | undefined {
  if (DECIMAL.test(cell)) return Number(cell);
  const [, sign, word = ""] = /^([+-]?)(\w+)$/.exec(cell) ?? [];
  const value = Object.hasOwn(WORDS, word.toLowerCase()) ? WORDS[word.toLowerCase()]! : undefined;
  return value === undefined || sign !== "-" ? value : -value;
}

const wordsOf = ({ name, BYTES_PER_ELEMENT }: TypedArrayClass<TypedArray>): string => {
  if (name.startsWith("Float")) return "a number";
  return `a whole number of ${8 * BYTES_PER_ELEMENT} bits${name.includes("Uint") ? " from 0 on" : ""}`;
};
