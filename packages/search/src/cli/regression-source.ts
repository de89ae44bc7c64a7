// The regression of a table in a file.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  type Check,
  isListOf,
  isNumber,
  isOneOf,
  isWhole,
  optionProblem,
  quoted,
  unexpected,
} from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { DEFAULT_FUNCTIONS, Regression, type RegressionOptions } from "../regress/regression.js";
import { columnNames, columnOf, type DataTable, readTable } from "../regress/table.js";
import { digestOf } from "./digest.js";
import { FileError, ofFile, problemOf, reasonOf } from "./framework.js";

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
  /** A part of the SHA-256 of the file. */
  readonly digest?: string;
}

const isName = (value: unknown, name: string) =>
  typeof value === "string" ? undefined : unexpected(name, "a text", value);
const isNames = isListOf("texts", (each) => typeof each === "string");

const SOURCE: Readonly<Record<keyof RegressionSource, Check>> = {
  kind: isName,
  data: isName,
  target: isName,
  seed: isWhole(0, 2 ** 32 - 1),
  inputs: isNames,
  functions: isNames,
  maxLength: isWhole(1, 1000),
  heldOut: isNumber(0, 0.9),
  missing: isOneOf(["error", "drop"]),
  digest: isName,
};

/** The regression that `search.json` names. @throws SearchError FILE_FORMAT */
export function readRegressionSource(folder: string, value: object): RegressionSource {
  const required = ["kind", "data", "target", "seed"];
  const problem = optionProblem(value, SOURCE, { required, prefix: "source." });
  if (problem === undefined) return value as RegressionSource;
  throw new SearchError("FILE_FORMAT", `the \`search.json\` of \`${folder}\`: ${problem}`);
}

/** The text of a file, which may be compressed by gzip, and its digest. @throws FileError */
function textOf(path: string): { readonly text: string; readonly digest: string } {
  try {
    const bytes = readFileSync(path);
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
    return { text, digest: digestOf(bytes) };
  } catch (error) {
    throw new FileError(`expected a table to read, found ${quoted(path)}: ${reasonOf(error)}`);
  }
}

/** A regression of a file, and how its columns are called in equations. */
export interface TableRegression {
  readonly regression: Regression;
  /** A part of the SHA-256 of the file. */
  readonly digest: string;
  /** A sentence for each column that has another name in equations. */
  readonly renamings: readonly string[];
}

/** @throws FileProblem, FileError */
export async function regressionOf(
  source: RegressionSource,
  path: string,
  workers: number,
): Promise<TableRegression> {
  const { text, digest } = textOf(path);
  const { target, missing, functions } = source;
  const { columns, table } = await ofFile(path, () => {
    const columns = source.inputs ?? columnNames(text).filter((name) => name !== target);
    const table = readTable(text, {
      columns: columns.includes(target) ? columns : [...columns, target],
      ...(missing && { missing }),
    });
    return { columns, table };
  });
  const inputs = equationNames(columns, functions);
  const renamings = inputs.flatMap((name, index) =>
    name === columns[index] ? [] : [`column ${quoted(columns[index]!)} is \`${name}\` in equations`],
  );
  try {
    const regression = new Regression(optionsOf(source, table, columns, inputs, workers));
    return { regression, digest, renamings };
  } catch (error) {
    // Other errors are about options of the command line.
    throw error instanceof SearchError && error.code === "BAD_DATA" ? problemOf(path, error) : error;
  }
}

/** The names of the columns of a table. @throws FileProblem, FileError */
export async function readColumnNames(path: string): Promise<readonly string[]> {
  const { text } = textOf(path);
  return ofFile(path, () => columnNames(text));
}

function optionsOf(
  { target, seed, functions, maxLength, heldOut }: RegressionSource,
  table: DataTable,
  columns: readonly string[],
  inputs: readonly string[],
  workers: number,
): RegressionOptions {
  return {
    ...{
      inputs,
      columns: columns.map((name) => columnOf(table, name)),
      target: columnOf(table, target),
      seed,
    },
    ...(functions && { functions }),
    ...(maxLength !== undefined && { maxLength }),
    ...(heldOut !== undefined && { heldOut }),
    ...(workers > 1 && { workers }),
  };
}

const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(
    " ",
  );
const FIRST_GREEK = 0x3b1;

/** What stubs call their own registers. */
const STUB_REGISTER = /^ast\d+$/;

/**
 * What columns are called in equations: identifiers, all different, that are not names of functions or of registers that stubs declare
 * themselves. Accents are left out, and Greek letters are spelled out.
 */
export function equationNames(
  columns: readonly string[],
  functions: readonly string[] = DEFAULT_FUNCTIONS,
): string[] {
  const taken = new Set([...DEFAULT_FUNCTIONS, ...functions]);
  return columns.map((column, index) => {
    const word = column
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[α-ω]/giu, (letter) => GREEK[letter.toLowerCase().charCodeAt(0) - FIRST_GREEK]!)
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    let name = word === "" ? `column${index + 1}` : /^[A-Za-z]/.test(word) ? word : `x${word}`;
    while (taken.has(name) || STUB_REGISTER.test(name)) name += "_";
    taken.add(name);
    return name;
  });
}
