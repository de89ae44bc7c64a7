// The output folder: whether it is writable and which files a run writes. A new run leaves no files of an earlier run
// behind and touches no other files.

import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { QuickstartError, writeProblem } from "./error.js";
import { removeLeftovers, temporaryName, writeWhole } from "./files.js";

/** Describes the run that made the files. It is written first, so that a later run knows which files it may replace. */
const MANIFEST = "run.json";
const FORMAT = "mm-ptx quickstart 1";
const WRITTEN: ReadonlySet<string> = new Set([MANIFEST, "results.jsonl", "report.svg", "annotated.ptx"]);
const NUMBERED = /^(\d{5,})\.(?:ptx|cubin)$/;

/** What determines which files a run writes. */
export interface Extent {
  readonly programs: number;
  readonly keep: boolean;
}

export class OutputFolder {
  /** The absolute path. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates the folder if it is missing, and proves that it is writable. Nothing in it changes. A relative name is
   * resolved against `base`.
   *
   * @throws QuickstartError `OUTPUT_FOLDER` if it cannot be used.
   */
  static open(folder: string, base: string): OutputFolder {
    const path = resolve(base, folder);
    try {
      makeFolder(path);
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
      const probe = temporaryName(path, "probe");
      writeFileSync(probe, "");
      rmSync(probe);
    } catch (error) {
      throw new QuickstartError(
        "OUTPUT_FOLDER",
        `expected a folder that can be written for \`--out\`, found \`${folder}\`: ${writeProblem(error)}`,
        { cause: error },
      );
    }
    return new OutputFolder(path);
  }

  /**
   * Proves that a run would overwrite only files of an earlier run.
   *
   * @throws QuickstartError `OUTPUT_FOLDER` if it would overwrite others
   */
  expectNoForeignFiles(run: Extent): void {
    const earlier = this.#earlierRun();
    const foreign = readdirSync(this.path)
      .filter((name) => writes(run, name) && !(earlier !== undefined && writes(earlier, name)))
      .sort();
    if (foreign.length === 0) return;
    const more = foreign.length === 1 ? "" : ` and ${foreign.length - 1} more`;
    throw new QuickstartError(
      "OUTPUT_FOLDER",
      `expected only files of an earlier run where this one writes, found \`${join(this.path, foreign[0]!)}\`${more}: ` +
        "name another folder with `--out`, or move what is there",
    );
  }

  /** Removes the files of an earlier run, then describes this one. */
  async begin(run: Extent & Record<string, unknown>): Promise<void> {
    removeLeftovers(this.path);
    const earlier = this.#earlierRun();
    if (earlier !== undefined) {
      // The manifest is replaced last; until then it says to which run these files belong.
      for (const name of readdirSync(this.path)) {
        if (name !== MANIFEST && writes(earlier, name)) rmSync(join(this.path, name), { force: true });
      }
    }
    await this.write(MANIFEST, `${JSON.stringify({ format: FORMAT, ...run }, undefined, 2)}\n`);
  }

  /** Writes a file in one piece. @throws QuickstartError `OUTPUT_FOLDER` */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    await writeWhole(this.path, name, content).catch((error) => {
      throw this.failure(name, error);
    });
  }

  /** The error for a file of the folder that could not be written. */
  failure(name: string, error: unknown): QuickstartError {
    const message = `could not write \`${join(this.path, name)}\`: ${writeProblem(error)}`;
    return new QuickstartError("OUTPUT_FOLDER", message, { cause: error });
  }

  /** The run that the folder's manifest describes; undefined if there is no manifest of ours. */
  #earlierRun(): Extent | undefined {
    try {
      const manifest = JSON.parse(readFileSync(join(this.path, MANIFEST), "utf8"));
      if (manifest?.format !== FORMAT) return undefined;
      return { programs: Number(manifest.programs), keep: manifest.keep === true };
    } catch {
      return undefined;
    }
  }
}

/** Whether a run writes a file of that name. */
function writes({ programs, keep }: Extent, name: string): boolean {
  const index = NUMBERED.exec(name)?.[1];
  if (index === undefined) return WRITTEN.has(name);
  return keep && Number(index) < programs && fileStem(Number(index)) === index;
}

/** The name of the files of program `index`, without extension: at least five digits, so that they sort. */
export function fileStem(index: number): string {
  return `${index}`.padStart(5, "0");
}

/** Node's own recursive mkdir never returns on file systems where nobody can create folders, such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
