// What a command searches for: the search of a configuration, or of a regression, and how a run is made again.
import { readFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { describeRun } from "../node/open.js";
import type { Plain } from "../plain.js";
import type { Regression } from "../regress/regression.js";
import type { SearchOptions } from "../search/options.js";
import { Search } from "../search/search.js";
import { digestOf } from "./digest.js";
import { FileProblem, loadDefault, ofFile, printable } from "./framework.js";
import { type Limits, limitsOfPlain } from "./limits.js";
import { type RegressionSource, readRegressionSource, regressionOf } from "./regression-source.js";

/** A search that has not run yet. */
export interface Subject {
  readonly search: Search;
  /** For a regression, what knows its equations. */
  readonly regression?: Regression;
  /** For a regression, a sentence for each column that has another name in equations. */
  readonly renamings?: readonly string[];
  /** What `search.json` has as `source`. */
  readonly source: Source;
}

/** How the search of a run is made again. Paths are relative to the folder of the run. */
export type Source = ConfigSource | RegressionSource;

interface ConfigSource {
  readonly kind: "config";
  readonly config: string;
  /** A part of the SHA-256 of the configuration, without what it imports. */
  readonly digest: string;
  readonly seed: number;
}

/** What configurations are called with. */
export interface ConfigArguments {
  readonly seed: number;
  /** How many threads the search may use. */
  readonly workers: number;
}

/** A path as a run in a folder has it. */
export function pathFrom(folder: string, path: string): string {
  const way = relative(resolve(folder), resolve(path));
  return isAbsolute(way) ? way : way.replaceAll("\\", "/");
}

/** Where a path of a run is. */
export const pathIn = (folder: string, path: string): string => relative(".", resolve(folder, path)) || ".";

/** The search of a configuration. @throws FileProblem, FileError */
export async function subjectOfConfig(
  path: string,
  folder: string,
  call: ConfigArguments,
): Promise<Subject & { readonly source: ConfigSource }> {
  const search = await searchOf(path, call);
  const digest = digestOf(readFileSync(path));
  return { search, source: { kind: "config", config: pathFrom(folder, path), digest, seed: call.seed } };
}

async function searchOf(path: string, { seed, workers }: ConfigArguments): Promise<Search> {
  const found = await loadDefault(path, (make) => make({ seed, workers }), ["run"]);
  if (isSearch(found)) return found;
  if (isOptions(found)) return ofFile(path, () => new Search({ seed, ...found }));
  const expected = "a `Search` or the options of one, or a function that returns it";
  throw new FileProblem(path, "INVALID_ARGUMENT", `expected ${expected}, found ${describe(found)}`);
}

const isOptions = (value: unknown): value is SearchOptions =>
  typeof value === "object" && value !== null && "space" in value && "evaluator" in value;

/** Modules of users may have another copy of this package, so the class does not tell. */
const isSearch = (value: unknown): value is Search =>
  ["ask", "tell", "run", "state", "restore"].every(
    (name) => typeof (value as Readonly<Record<string, unknown>> | null)?.[name] === "function",
  );

const describe = (value: unknown): string =>
  value === null || typeof value !== "object"
    ? quoted(String(value))
    : `an object with ${Object.keys(value).map(quoted).join(", ")}`;

/** What a run needs to be opened again. */
export interface RunSubject extends Subject {
  /** The limits that the run was started with. */
  readonly limits: Limits;
}

export interface RunSubjectOptions {
  /** A configuration or table in place of that of the run, if it has been moved. */
  readonly config?: string | undefined;
  /** Does not say on stderr that the file is not that of the run. */
  readonly quiet?: boolean | undefined;
}

/**
 * Makes the search of a run again.
 *
 * @throws SearchError, FileProblem, FileError
 */
export async function subjectOfRun(
  folder: string,
  workers: number,
  { config, quiet }: RunSubjectOptions,
): Promise<RunSubject> {
  const compare = (path: string, what: string, digest: string, expected: unknown): void => {
    if (quiet || expected === undefined || digest === expected) return;
    process.stderr.write(
      `${printable(path)} is not the ${what} that the run was started with, or has changed since then\n`,
    );
  };
  const { source } = describeRun(folder);
  const { limits, ...made } = (typeof source === "object" && source !== null ? source : {}) as Readonly<
    Record<string, Plain>
  >;
  const kind = made.kind;
  const isConfig = kind === "config" && typeof made.config === "string" && typeof made.seed === "number";
  if (kind === "regress") {
    const own = readRegressionSource(folder, made);
    const path = config ?? pathIn(folder, own.data);
    const table = await regressionOf(own, path, workers);
    compare(path, "table", table.digest, own.digest);
    return { search: table.regression.search, ...table, source: own, limits: limitsOfPlain(limits) };
  }
  if (!isConfig && config === undefined)
    throw new SearchError(
      "NOT_FOUND",
      `expected \`--config\` for the run \`${folder}\`, which was not started by \`mm-ptx-search\`, found none`,
    );
  const path = config ?? pathIn(folder, made.config as string);
  const seed = typeof made.seed === "number" ? made.seed : 0;
  const subject = await subjectOfConfig(path, folder, { seed, workers });
  compare(path, "configuration", subject.source.digest, made.digest);
  return { ...subject, limits: limitsOfPlain(limits) };
}
