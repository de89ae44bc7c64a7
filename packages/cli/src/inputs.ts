// Finds the files that the words of a command line mean: paths, and patterns for shells that do not expand them.
import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { globSync, isDynamicPattern } from "tinyglobby";
import { FileError, readBytes, STANDARD, statsOf } from "./whole-files.js";

/** The files that words mean. */
export interface Inputs {
  /** Each file once, in the order of the words; the files of a pattern are sorted by name. */
  readonly paths: readonly string[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * @param output the folder for outputs; files in it that a pattern matches are left out, unless nothing else matches
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

/** The error for a pattern that matches nothing. */
export const noMatch = (pattern: string): FileError =>
  new FileError(`expected a file, found none that matches ${quoted(pattern)}`);

/** A word that is the name of an existing file means that file, whatever characters the name has. */
export function isPattern(word: string): boolean {
  return statsOf(word) === undefined && isDynamicPattern(slashed(word));
}

/** The folder that contains everything that a pattern can match. */
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

/** Whether a path is inside a folder. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way !== "" && !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

/**
 * Reads an input file. When it is missing, the error suggests what may have been meant.
 * @param pattern the pattern to suggest for a folder, for example `*.ptx`
 * @param commands commands to suggest
 * @throws FileError with a suggestion
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

/** Suggests what a missing file could mean: a command, or another file in its folder. */
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
