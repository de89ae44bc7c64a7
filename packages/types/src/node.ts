// What reads description files from disk: for Node only. Everything else of this package runs anywhere.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkKind, invalid } from "./arguments.js";
import { describeValue, quoted } from "./core/describe.js";
import type { DescriptionKind } from "./description.js";
import { DescriptionError } from "./error.js";
import type { DescriptionSource } from "./layer.js";
import { type AnyTable, parseDescription, parseOfKind, type TableOfKind } from "./parse.js";

/**
 * Reads a description file and the files that it extends. An `extends` that begins with `./` or `../` names a file beside
 * the one that says it; any other is resolved as Node's `require` would from there, so `exports` of packages count.
 * @param path the file, or its `file:` URL
 * @returns the deeply frozen table, of the kind that the top-level keys tell
 * @throws DescriptionError FILE when the file can't be read, INVALID_VALUE for arguments of another kind, and as
 * `parseStackDescription`
 */
export function loadDescription(path: string | URL): AnyTable;
/**
 * As above, for a file that has to be of one kind.
 * @param kind `stack`, `inject` or `ast`
 */
export function loadDescription<Kind extends DescriptionKind>(
  path: string | URL,
  kind: Kind,
): TableOfKind[Kind];
/** As above, when the kind is only known at run time. */
export function loadDescription(path: string | URL, kind?: DescriptionKind): AnyTable;
export function loadDescription(path: string | URL, kind?: DescriptionKind): AnyTable {
  checkArguments(path, kind);
  let source: DescriptionSource;
  try {
    source = readDescription(path instanceof URL ? fileURLToPath(path) : path);
  } catch (error) {
    const message = `expected a description file, found ${quoted(`${path}`)}: ${reasonOf(error)}`;
    throw new DescriptionError("FILE", message);
  }
  const options = { name: source.name, resolve: resolveDescription };
  return kind === undefined
    ? parseDescription(source.json, options)
    : parseOfKind(kind, source.json, options);
}

/**
 * The `resolve` of `loadDescription`, for descriptions that come from elsewhere.
 * @param specifier as written in `extends`
 * @param from the path of the file in which it is written; empty for the current folder
 * @throws Error that says why there is no such file
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
  if (!isAbsolute(found)) throw new Error("a module of Node");
  return found;
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(\/|$)/.test(specifier) || isAbsolute(specifier);
}

/** The text of a file, named by where it really is: relative to the current folder where it is below that. */
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

/** Why a file could not be had, in few words. */
const REASONS: Record<string, string> = {
  EACCES: "no permission to read it",
  ELOOP: "symbolic links that lead back to themselves",
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  ERR_ENCODING_INVALID_ENCODED_DATA: "no text in UTF-8",
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
