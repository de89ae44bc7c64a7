// `fetch`: downloads NVIDIA's PTX compilers into the user's cache folder.

import { readFileSync, realpathSync } from "node:fs";
import { quoted } from "@mm-ptx/types/internal";
import { COMPILER_NAMES, COMPILERS, type CompilerName } from "../fetch/compilers.js";
import { type FetchedWheel, fetchWheels, type WheelContent, type WheelPlace } from "../fetch/fetch-wheel.js";
import { fetchedFolder } from "../fetch/places.js";
import { FetchProblem } from "../fetch/problem.js";
import { watchOn } from "../fetch/watch.js";
import { wheelFor } from "../fetch/wheel.js";
import { findAddon, type LoadAttempt } from "../native/load.js";
import { wrongMachine } from "../native/platform.js";
import { loadPtxLinker } from "../native/ptx-linker.js";
import { searchPtxas } from "../ptx/find-ptxas.js";
import { variableOf } from "../toolkit/find.js";
import { versionOf } from "../toolkit/version.js";
import { FileError, type Outcome, printable, reasonOf } from "./framework.js";

/** What `fetch` takes: a compiler, or all of them. */
export type Fetchable = CompilerName | "compiler";

export interface FetchFlags {
  readonly json?: boolean;
}

/**
 * @param files wheels that were downloaded elsewhere
 * @throws FileError
 */
export async function fetchCompilers(
  what: Fetchable,
  files: readonly string[],
  { json = false }: FetchFlags,
): Promise<Outcome> {
  const names = what === "compiler" ? COMPILER_NAMES : [what];
  const places = names.map(placeOf);
  try {
    const fetched = await fetchWheels(places, {
      files: files.map(readWheel),
      command: `npx mm-ptx fetch ${what}`,
      watch: watchOn(process.stderr, json),
    });
    return outcome(fetched.map(report));
  } catch (error) {
    if (error instanceof FetchProblem) throw new FileError(error.message);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new FileError(`expected to write to ${quoted(places[0]!.folder)}: ${reasonOf(error)}`);
  }
}

/** @throws FileError */
function placeOf(name: CompilerName): WheelPlace {
  const host = `${process.platform}-${process.arch}`;
  const wheel = wheelFor(COMPILERS[name], host);
  if (wheel === undefined) {
    const platforms = Object.keys(COMPILERS[name].files).join(", ");
    throw new FileError(`expected a platform of ${platforms}, found ${host}`);
  }
  return { wheel, folder: fetchedFolder(name), isSound: wheel.isProgram ? runs : opens };
}

function runs(program: string): boolean {
  try {
    versionOf(program);
    return true;
  } catch {
    return false;
  }
}

/** True as well where no addon can tell. */
function opens(library: string): boolean {
  const addon = findAddon().native?.addon;
  try {
    if (wrongMachine(library) !== undefined) return false;
    addon?.openLibrary(library);
    return true;
  } catch {
    return false;
  }
}

function readWheel(file: string): WheelContent {
  try {
    return { name: file, bytes: readFileSync(file) };
  } catch (error) {
    throw new FileError(`expected a wheel to read, found ${quoted(file)}: ${reasonOf(error)}`);
  }
}

/** A fetched compiler, and what the backend of its name finds. */
interface Report {
  readonly name: CompilerName;
  readonly fetched: FetchedWheel;
  /** The one that the backend uses. */
  readonly used: Used | undefined;
  /** Why it uses none. */
  readonly trouble: readonly string[];
}

interface Used {
  readonly path: string;
  readonly version: string;
}

function report(fetched: FetchedWheel): Report {
  const name = COMPILER_NAMES.find((each) => COMPILERS[each].project === fetched.wheel.project)!;
  const { used, tried } = SEARCHES[name]();
  const trouble = used === undefined ? tried.map(({ place, outcome }) => `${place}: ${outcome}`) : [];
  return { name, fetched, used, trouble };
}

interface Searched {
  readonly used: Used | undefined;
  readonly tried: readonly LoadAttempt[];
}

const SEARCHES: Readonly<Record<CompilerName, () => Searched>> = {
  ptxas() {
    const { found, tried } = searchPtxas();
    return { used: found && { path: found.path, version: found.value }, tried };
  },
  nvjitlink() {
    const { native, attempts } = loadPtxLinker();
    return {
      used: native && { path: native.libraryPath, version: native.compilerVersion },
      tried: attempts,
    };
  },
};

function outcome(reports: readonly Report[]): Outcome {
  const ok = reports.every(({ trouble }) => trouble.length === 0);
  return {
    ok,
    json: () => ({
      ok,
      fetched: reports.map(({ name, used, trouble, fetched: { wheel, library, already, license } }) => ({
        backend: name,
        project: wheel.project,
        version: wheel.version,
        path: library,
        already,
        ...(license === undefined ? {} : { license }),
        ...(used === undefined ? {} : { used }),
        trouble,
      })),
    }),
    text: () => reports.map(reportText).join(""),
  };
}

function reportText(found: Report): string {
  const { wheel, library, already, license, licenseText } = found.fetched;
  const lines = [
    `${wheel.project} ${wheel.version}: ${already ? "already in" : "now in"} ${printable(library)}`,
    ...(license === undefined ? [] : [`NVIDIA's license, which applies to it: ${printable(license)}`]),
    ...prefaceOf(licenseText).map((line) => `  ${line}`),
    ...useOf(found),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the backend does now. */
function useOf({ name, fetched: { library }, used, trouble }: Report): string[] {
  if (used === undefined)
    return [`the backend \`${name}\` can't use it:`, ...trouble.map((each) => `  ${printable(each)}`)];
  if (realpathSync(used.path) === realpathSync(library)) return [`the backend \`${name}\` uses it`];
  return [
    `the backend \`${name}\` uses ${printable(used.path)} (${used.version}), which it finds first; ` +
      `\`${variableOf(name)}\` can name another one`,
  ];
}

/** The first paragraph of a license, which says what it is about. */
function prefaceOf(text: string): readonly string[] {
  const [, preface] = /\nPreface\n-+\n\s*\n([\s\S]*?)\n\s*\n/.exec(text.replaceAll("\r", "")) ?? [];
  return preface === undefined ? [] : preface.split("\n");
}
