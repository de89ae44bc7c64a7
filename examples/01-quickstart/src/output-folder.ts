// The output folder: who may write it, which files a run puts there, and that a new run leaves none of an old one.

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
import { copyWhole, removeLeftovers, temporaryName, writeWhole } from "./files.js";

/** What made the files of a folder. Written first, so that a later run knows which files are its to replace. */
const MANIFEST = "run.json";
const FORMAT = "mm-ptx quickstart 1";
const WRITTEN: ReadonlySet<string> = new Set(["results.jsonl", "report.svg", "annotated.ptx"]);
const NUMBERED = /^\d{5,}\.(?:ptx|cubin)$/;

export class OutputFolder {
  /** Absolute. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes the folder when it is missing and proves that it can be written. Nothing in it changes. A relative name is
   * one below `base`.
   *
   * @throws QuickstartError `OUTPUT_FOLDER` when it can't.
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

  /** Removes what an earlier run left, then says what this one is. */
  async begin(run: Record<string, unknown>): Promise<void> {
    removeLeftovers(this.path);
    if (this.holdsEarlierRun()) {
      for (const name of readdirSync(this.path)) {
        if (NUMBERED.test(name) || WRITTEN.has(name)) rmSync(join(this.path, name), { force: true });
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

  /** Copies a file of the folder under another name, in one piece. @throws QuickstartError `OUTPUT_FOLDER` */
  async copy(from: string, to: string): Promise<void> {
    await copyWhole(this.path, from, to).catch((error) => {
      throw this.failure(to, error);
    });
  }

  /** What to throw when a file of the folder could not be written. */
  failure(name: string, error: unknown): QuickstartError {
    const message = `could not write \`${join(this.path, name)}\`: ${writeProblem(error)}`;
    return new QuickstartError("OUTPUT_FOLDER", message, { cause: error });
  }

  private holdsEarlierRun(): boolean {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(this.path, MANIFEST), "utf8"));
      return (
        typeof manifest === "object" &&
        manifest !== null &&
        "format" in manifest &&
        manifest.format === FORMAT
      );
    } catch {
      return false;
    }
  }
}

/** The name of program `index`'s files, without extension: at least five digits, so that they sort. */
export function fileStem(index: number): string {
  return `${index}`.padStart(5, "0");
}

/** Node's own recursive mkdir never returns where a file system lets nobody make folders, as below /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
