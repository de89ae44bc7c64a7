// The regression of a table in a file.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { quoted } from "@mm-ptx/types/internal";
import { DEFAULT_FUNCTIONS, Regression, type RegressionOptions } from "../regress/regression.js";
import { columnOf, type DataTable, readTable } from "../regress/table.js";
import { FileError, ofFile, reasonOf } from "./framework.js";

/** What determines a regression, for `search.json`. */
export interface RegressionSource {
  readonly kind: "regress";
  /** The table, relative to the folder of the run. */
  readonly data: string;
  readonly target: string;
  readonly seed: number;
  readonly inputs?: readonly string[];
  readonly functions?: readonly string[];
  readonly maxLength?: number;
  readonly heldOut?: number;
  readonly missing?: "error" | "drop";
}

/** The text of a file, which may be compressed by gzip. @throws FileError */
function textOf(path: string): string {
  try {
    const bytes = readFileSync(path);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } catch (error) {
    throw new FileError(`expected a table to read, found ${quoted(path)}: ${reasonOf(error)}`);
  }
}

/** @throws FileProblem, FileError */
export async function regressionOf(
  source: RegressionSource,
  path: string,
  workers: number,
): Promise<Regression> {
  const text = textOf(path);
  return ofFile(path, () => {
    const { missing } = source;
    const table = readTable(text, missing === undefined ? {} : { missing });
    return new Regression(optionsOf(source, table, workers));
  });
}

/** The names of the columns of a table. @throws FileProblem, FileError */
export async function readColumns(path: string): Promise<readonly string[]> {
  const text = textOf(path);
  return ofFile(path, () => readTable(text, { missing: "drop" }).names);
}

function optionsOf(source: RegressionSource, table: DataTable, workers: number): RegressionOptions {
  const { target, seed, functions, maxLength, heldOut } = source;
  const values = columnOf(table, target);
  const columns = source.inputs ?? table.names.filter((name) => name !== target);
  return {
    ...{ inputs: equationNames(columns, functions), columns: columns.map((name) => columnOf(table, name)) },
    ...{ target: values, seed },
    ...(functions && { functions }),
    ...(maxLength !== undefined && { maxLength }),
    ...(heldOut !== undefined && { heldOut }),
    ...(workers > 1 && { workers }),
  };
}

/** What columns are called in equations: identifiers, all different, that are not names of functions. */
export function equationNames(
  columns: readonly string[],
  functions: readonly string[] = DEFAULT_FUNCTIONS,
): string[] {
  const taken = new Set([...DEFAULT_FUNCTIONS, ...functions]);
  return columns.map((column) => {
    const word = column.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
    let name = /^[A-Za-z]/.test(word) ? word : `x${word}`;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  });
}

/** How columns are called in equations that have other names there. */
export function renamings(
  { inputs, target, functions }: RegressionSource,
  names: readonly string[],
): string[] {
  const columns = inputs ?? names.filter((name) => name !== target);
  return equationNames(columns, functions).flatMap((name, index) =>
    name === columns[index] ? [] : [`column ${quoted(columns[index]!)} is \`${name}\` in equations`],
  );
}
