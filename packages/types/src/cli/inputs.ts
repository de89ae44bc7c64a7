// Words of a command line as files to read: paths, and patterns for shells that do not expand them.
import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import { quoted } from "../core/describe.js";
import { didYouMean } from "../core/suggest.js";
import { FileError, readBytes, STANDARD, statsOf } from "./whole-files.js";

/** What words stand for. */
export interface Inputs {
  /** Each file once, in the order of the words; those of a pattern by name. */
  readonly paths: readonly string[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * @param output the folder that outputs go to; what patterns find there is left out, unless they find nothing else
 */
export function findInputs(words: readonly string[], output?: string): Inputs {
  const paths = new Map<string, string>();
  const unmatched: string[] = [];
  for (const word of words) {
    const found = isPattern(word) ? matches(word, output) : [word];
    if (found.length === 0) unmatched.push(word);
    for (const path of found) {
      const key = path === STANDARD ? path : resolve(path);
      if (!paths.has(key)) paths.set(key, path);
    }
  }
  return { paths: [...paths.values()], unmatched };
}

/** What is told of a pattern that matches nothing. */
export const noMatch = (pattern: string): FileError =>
  new FileError(`expected a file, found none that matches ${quoted(pattern)}`);

/** A word that names a file is that file, whatever signs are in its name. */
export function isPattern(word: string): boolean {
  return statsOf(word) === undefined && isDynamicPattern(slashed(word));
}

/** The folder below which everything is that a pattern can match. */
export function patternFolder(pattern: string): string {
  const parts = slashed(pattern).split("/").slice(0, -1);
  const dynamic = parts.findIndex((part) => isDynamicPattern(part));
  const folder = (dynamic === -1 ? parts : parts.slice(0, dynamic)).join("/");
  return folder === "" ? (isAbsolute(pattern) ? "/" : ".") : folder;
}

function matches(pattern: string, output: string | undefined): string[] {
  const options = { absolute: isAbsolute(pattern), expandDirectories: false };
  const all = globSync(slashed(pattern), options).sort();
  const others = output === undefined ? all : all.filter((path) => !isBelow(path, output));
  return others.length > 0 ? others : all;
}

/** Patterns are written with slashes everywhere. */
const slashed = (word: string): string => (process.platform === "win32" ? word.replaceAll("\\", "/") : word);

/** Whether a path is inside of a folder. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way !== "" && !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

/**
 * @param pattern what may have been meant by a folder, for example `*.ptx`
 * @param commands words that may have been meant instead
 * @throws FileError that names what may have been meant
 */
export async function readInput(
  path: string,
  pattern: string,
  commands: readonly string[] = [],
): Promise<Uint8Array> {
  try {
    return await readBytes(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new FileError(error.message + hintFor(path, pattern, commands));
  }
}

/** What somebody may have meant by a file that is not there: a command, or another file of its folder. */
function hintFor(path: string, pattern: string, commands: readonly string[]): string {
  if (statsOf(path)?.isDirectory()) return `, did you mean ${quoted(join(path, pattern))}?`;
  if (statsOf(path) !== undefined) return "";
  const command = didYouMean(path, commands);
  if (command !== "") return command.replace("mean ", "mean the command ");
  const folder = dirname(path);
  try {
    const paths = readdirSync(folder).map((name) => (folder === "." ? name : join(folder, name)));
    return didYouMean(path, paths);
  } catch {
    return "";
  }
}
