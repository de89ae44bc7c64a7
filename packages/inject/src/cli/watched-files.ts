// Detects when files are changed, created or removed. It watches their folders, so editors that write by renaming, and
// files and folders that disappear and come back, need no special treatment.

import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FSWatcher, watch } from "chokidar";
import { FileError, isBelow, isTemporary, reasonOf, statsOf } from "./framework.js";

/**
 * How many milliseconds have to pass without further changes before a change is reported, and the most such waits.
 */
const QUIET = 50;
const LONGEST_WAIT = 20;

/** Large folders in which nobody keeps kernels. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

export class WatchedFiles {
  readonly #files: Set<string>;
  readonly #folders: readonly string[];
  #watcher: FSWatcher | undefined;
  #changed = false;
  #failure: unknown;
  #wake = (): void => {};

  /**
   * Creates a watcher.
   * @param files paths of files, which need not exist
   * @param folders every file below them counts
   */
  constructor(files: readonly string[], folders: readonly string[]) {
    this.#files = new Set(files.map((file) => resolve(file)));
    this.#folders = folders.map((folder) => resolve(folder));
  }

  /** Starts watching; may be called again with more files. */
  async watch(files: readonly string[]): Promise<void> {
    const others = files.map((file) => resolve(file)).filter((file) => !this.#files.has(file));
    if (this.#watcher !== undefined && others.length === 0) return;
    for (const file of others) this.#files.add(file);
    // Changes of the new files before they are watched cannot be seen.
    this.#changed ||= this.#watcher !== undefined;
    await this.close();
    const roots = new Set([...[...this.#files].map(dirname), ...this.#folders].map(nearestFolder));
    const watcher = watch([...roots], { ignoreInitial: true, ignored: (path) => !this.#counts(path) });
    this.#watcher = watcher;
    watcher.on("all", () => this.#tell());
    await new Promise<void>((done) => {
      watcher.on("ready", done).on("error", (error) => {
        this.#failure = error;
        this.#tell();
        done();
      });
    });
  }

  /**
   * Waits until something has changed and nothing more happens for a moment.
   * @throws FileError if the system cannot watch files
   */
  async next(): Promise<void> {
    if (!this.#changed) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    for (let i = 0; this.#changed && i < LONGEST_WAIT; i++) {
      this.#changed = false;
      await pause(QUIET);
    }
    this.#changed = false;
    if (this.#failure === undefined) return;
    throw new FileError(`expected folders that can be watched, found ${reasonOf(this.#failure)}`);
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }

  #tell(): void {
    this.#changed = true;
    this.#wake();
  }

  /** Whether a path is a watched file, or a folder on the way to one. */
  #counts(path: string): boolean {
    const place = resolve(path);
    if (this.#files.has(place)) return true;
    if (this.#folders.some((folder) => isBelow(place, folder))) {
      return !isTemporary(place) && !LEFT_OUT.has(basename(place));
    }
    return [...this.#files, ...this.#folders].some((each) => each === place || isBelow(each, place));
  }
}

/** The parent folder, so that the folder itself may disappear and come back; or the nearest ancestor that exists. */
function nearestFolder(folder: string): string {
  const here = process.cwd();
  if (folder === here || isBelow(here, folder)) return folder;
  let above = dirname(folder);
  while (statsOf(above) === undefined) above = dirname(above);
  return above;
}
