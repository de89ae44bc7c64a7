// Reads description files from disk, so this module needs Node. Everything else in this package runs anywhere.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkKind, checkOptions, invalid } from "./arguments.js";
import type { DescriptionKind } from "./description.js";
import { DescriptionError } from "./error.js";
import { describeValue, quoted } from "./internal/describe.js";
import type { DescriptionSource } from "./layer.js";
import {
  type AnyTable,
  type ParseDescriptionOptions,
  parseDescription,
  parseOfKind,
  type TableOfKind,
} from "./parse.js";

/** Options of `loadDescription`. */
export type LoadDescriptionOptions = Pick<ParseDescriptionOptions, "onWarning" | "strict">;

const OPTIONS = { onWarning: "function", strict: "boolean" } as const;

/**
 * Reads a description file and the files that it extends. An `extends` that begins with `./` or `../` refers to a file
 * relative to the one that contains it. Any other is resolved from there as Node's `require` would, so `exports` of
 * packages apply.
 * @param path the file, or its `file:` URL
 * @returns the deeply frozen table, of the kind that the top-level keys determine
 * @throws DescriptionError FILE when the file cannot be read, INVALID_ARGUMENT for arguments of the wrong kind, and the
 * errors of `parseStackDescription`
 */
export function loadDescription(path: string | URL): AnyTable;
/**
 * The same for a file that has to be of a given kind.
 * @param kind `stack`, `inject` or `ast`
 */
export function loadDescription<Kind extends DescriptionKind>(
  path: string | URL,
  kind: Kind,
  options?: LoadDescriptionOptions,
): TableOfKind[Kind];
/** The same for a kind that is known only at run time. */
export function loadDescription(
  path: string | URL,
  kind?: DescriptionKind,
  options?: LoadDescriptionOptions,
): AnyTable;
export function loadDescription(
  path: string | URL,
  kind?: DescriptionKind,
  given: LoadDescriptionOptions = {},
): AnyTable {
  checkArguments(path, kind);
  checkOptions(given, OPTIONS);
  let source: DescriptionSource;
  try {
    source = readDescription(path instanceof URL ? fileURLToPath(path) : path);
  } catch (error) {
    const message = `expected a description file, found ${quoted(`${path}`)}: ${reasonOf(error)}`;
    throw new DescriptionError("FILE", message);
  }
  const options = { ...given, name: source.name, resolve: resolveDescription };
  return kind === undefined
    ? parseDescription(source.json, options)
    : parseOfKind(kind, source.json, options);
}

/**
 * The `resolve` that `loadDescription` uses, for descriptions from other sources.
 * @param specifier the text in `extends`
 * @param from the path of the file that contains it; empty for the current folder
 * @throws Error if there is no such file; its message gives the reason
 */
export function resolveDescription(specifier: string, from: string): DescriptionSource {
  const origin = resolve(from === "" ? "description.json" : from);
  try {
    return readDescription(locate(specifier, origin));
  } catch (error) {
    const beside = resolve(dirname(origin), specifier);
    const hint =
      !isRelative(specifier) && existsSync(beside) ? `, did you mean ${quoted(`./${specifier}`)}?` : "";
    throw new Error(`${reasonOf(error)}${hint}`, { cause: error });
  }
}

function locate(specifier: string, origin: string): string {
  if (specifier.startsWith("file:")) return fileURLToPath(specifier);
  if (isRelative(specifier)) return resolve(dirname(origin), specifier);
  const found = createRequire(origin).resolve(specifier);
  if (!isAbsolute(found)) throw new Error("a built-in module of Node");
  return found;
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(\/|$)/.test(specifier) || isAbsolute(specifier);
}

/** The text of a file and its real path, which is relative to the current folder if the file is below it. */
function readDescription(path: string): DescriptionSource {
  const stats = statSync(path);
  if (!stats.isFile() && !stats.isFIFO()) throw new Error(stats.isDirectory() ? "a folder" : "no file");
  const bytes = readFileSync(path);
  const real = stats.isFile() ? realpathSync(path) : resolve(path);
  const below = relative(process.cwd(), real);
  return {
    name: below.startsWith("..") || isAbsolute(below) ? real : below,
    json: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
  };
}

/** Short reasons why a file could not be read. */
const REASONS: Record<string, string> = {
  EACCES: "no permission to read it",
  ELOOP: "symbolic links that lead back to themselves",
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  ERR_ENCODING_INVALID_ENCODED_DATA: "not valid UTF-8 text",
  MODULE_NOT_FOUND: "no such file in a package",
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message;
}

function checkArguments(path: unknown, kind: unknown): void {
  if (typeof path !== "string" && !(path instanceof URL && path.protocol === "file:")) {
    const found = path instanceof URL ? quoted(path.href) : describeValue(path);
    throw invalid("a path or a `file:` URL", found);
  }
  if (kind !== undefined) checkKind(kind as DescriptionKind);
}
