// `fetch`: downloads what NVIDIA distributes and compiles need, into the user's cache folder.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { examineFolder } from "../cache/trust.js";
import { download } from "../fetch/download.js";
import { install } from "../fetch/install.js";
import { fetchedFolder } from "../fetch/places.js";
import { FetchProblem } from "../fetch/problem.js";
import { WHEEL_PLATFORMS, type Wheel, wheelFor } from "../fetch/wheel.js";
import { findAddon } from "../native/load.js";
import { wrongMachine } from "../native/platform.js";
import { loadPtxLinker } from "../native/ptx-linker.js";
import { FileError, type Outcome, printable, reasonOf } from "./framework.js";

/**
 * @param file a wheel that was downloaded elsewhere
 * @throws FileError
 */
export async function fetchCompiler(file: string | undefined): Promise<Outcome> {
  const host = `${process.platform}-${process.arch}`;
  const [wheel, folder] = [wheelFor(host), fetchedFolder()];
  if (wheel === undefined || folder === undefined) {
    throw new FileError(`expected a platform of ${WHEEL_PLATFORMS.join(", ")}, found ${host}`);
  }
  const library = join(folder, wheel.library);
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    for (const each of [dirname(folder), folder]) {
      const problem = examineFolder(each)?.problem;
      if (problem !== undefined) throw new FetchProblem(problem);
    }
    // What cannot be opened is fetched again.
    if (file === undefined && existsSync(library) && isSound(library)) {
      return outcome(wheel, { library, already: true });
    }
    const bytes = file === undefined ? await download(wheel, note) : readWheel(file);
    return outcome(wheel, { ...install(wheel, bytes, folder), already: false });
  } catch (error) {
    if (error instanceof FetchProblem) throw new FileError(error.message);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new FileError(`expected to write to ${quoted(folder)}: ${reasonOf(error)}`);
  }
}

/** True as well where no addon can tell. */
function isSound(library: string): boolean {
  const addon = findAddon().native?.addon;
  try {
    if (wrongMachine(library) !== undefined) return false;
    addon?.openLibrary(library);
    return true;
  } catch {
    return false;
  }
}

/** On standard error, so that it does not mix with the result. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
}

function readWheel(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileError(`expected a wheel to read, found ${quoted(file)}: ${reasonOf(error)}`);
  }
}

interface Fetched {
  readonly library: string;
  readonly already: boolean;
  readonly license?: string | undefined;
  readonly licenseText?: string;
}

function outcome(
  { project, version }: Wheel,
  { library, already, license, licenseText = "" }: Fetched,
): Outcome {
  const { native, attempts } = loadPtxLinker();
  const trouble = native === undefined ? attempts.map(({ place, outcome }) => `${place}: ${outcome}`) : [];
  const ok = trouble.length === 0;
  const lines = [
    `${project} ${version}: ${already ? "already in" : "now in"} ${printable(library)}`,
    ...(license === undefined ? [] : [`NVIDIA's license, which applies to it: ${printable(license)}`]),
    ...prefaceOf(licenseText).map((line) => `  ${line}`),
    ...(ok
      ? ["compilers of PTX find it there"]
      : ["it can't be used here:", ...trouble.map((each) => `  ${each}`)]),
  ];
  return {
    ok,
    json: () => ({
      ok,
      project,
      version,
      library,
      already,
      ...(license === undefined ? {} : { license }),
      trouble,
    }),
    text: () => `${lines.join("\n")}\n`,
  };
}

/** The first paragraph of a license, which says what it is about. */
function prefaceOf(text: string): readonly string[] {
  const [, preface] = /\nPreface\n-+\n\s*\n([\s\S]*?)\n\s*\n/.exec(text.replaceAll("\r", "")) ?? [];
  return preface === undefined ? [] : preface.split("\n");
}
