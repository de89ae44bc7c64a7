// Tells when files change, come or go. Their folders are watched, so that editors which write by renaming, and files and
// folders that go and come back, need no care.

import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FileError, isBelow, isTemporary, reasonOf, statsOf } from "@mm-ptx/types/cli";
import { type FSWatcher, watch } from "chokidar";

/** How long nothing must have happened before a change is told, in milliseconds, and how often that is waited for. */
const QUIET = 50;
const LONGEST_WAIT = 20;

/** Folders in which nobody keeps kernels, and which are large. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

export class WatchedFiles {
  readonly #files: Set<string>;
  readonly #folders: readonly string[];
  #watcher: FSWatcher | undefined;
  #changed = false;
  #failure: unknown;
  #wake = (): void => {};

  /**
   * @param files paths, of files that need not be there
   * @param folders below which every file counts
   */
  constructor(files: readonly string[], folders: readonly string[]) {
    this.#files = new Set(files.map((file) => resolve(file)));
    this.#folders = folders.map((folder) => resolve(folder));
  }

  /** Watches, from when this returns on; more files than before when there are others. */
  async watch(files: readonly string[]): Promise<void> {
    const others = files.map((file) => resolve(file)).filter((file) => !this.#files.has(file));
    if (this.#watcher !== undefined && others.length === 0) return;
    for (const file of others) this.#files.add(file);
    // What happens to the others until they are watched is not seen.
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
   * Waits until something has changed, and nothing more for a moment.
   * @throws FileError when the system can't watch
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

  /** Files that count, and folders on the way to them. */
  #counts(path: string): boolean {
    const place = resolve(path);
    if (this.#files.has(place)) return true;
    if (this.#folders.some((folder) => isBelow(place, folder))) {
      return !isTemporary(place) && !LEFT_OUT.has(basename(place));
    }
    return [...this.#files, ...this.#folders].some((each) => each === place || isBelow(each, place));
  }
}

/** The folder above, so that the folder itself may go and come back; or one further up that is there. */
function nearestFolder(folder: string): string {
  const here = process.cwd();
  if (folder === here || isBelow(here, folder)) return folder;
  let above = dirname(folder);
  while (statsOf(above) === undefined) above = dirname(above);
  return above;
}
