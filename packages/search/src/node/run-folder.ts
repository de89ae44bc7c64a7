// The files of a run: `search.json`, `log.jsonl` and `archive-<batches>.bin`.
import { closeSync, constants, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeError, describeValue, quoted } from "@mm-ptx/types/internal";
import { openRegular, takeLock } from "@mm-ptx/types/internal/node";
import { SearchError } from "../error.js";
import type { Plain } from "../plain.js";
import { DISK, type Disk, makeFolder, replaceFile } from "./disk.js";
import { guard } from "./errors.js";
import { type Difference, firstDifference, isRecord, parsePlain, plainText } from "./plain-values.js";
import { readSnapshot, type Snapshot, snapshotBytes } from "./snapshot-file.js";
import { VERSION } from "./version.js";

/** What `search.json` contains. */
export interface RunDescription {
  /** The version of the files of a run. */
  readonly format: number;
  /** The versions that the run was started with. */
  readonly versions: { readonly "@mm-ptx/search": string; readonly node: string };
  /** What determines the search. */
  readonly description: Plain;
  /** What the caller needs to make the search again. */
  readonly source: Plain;
}

const FORMAT = 1;
const SEARCH_FILE = "search.json";
const LOG_FILE = "log.jsonl";
const LOCK_FILE = "lock";
const SNAPSHOT = /^archive-(\d{1,15})\.bin$/;
const KEPT_SNAPSHOTS = 2;

/** The folder of a run; nothing of it is read or written before a method is called. */
export class RunFolder {
  readonly path: string;
  readonly #disk: Disk;

  /** @throws SearchError INVALID_ARGUMENT */
  constructor(path: unknown, disk: Disk = DISK) {
    if (typeof path !== "string" || path === "" || path.includes("\0"))
      throw new SearchError("INVALID_ARGUMENT", `expected a folder for a run, found ${describeValue(path)}`);
    this.path = path;
    this.#disk = disk;
  }

  get disk(): Disk {
    return this.#disk;
  }

  get logPath(): string {
    return join(this.path, LOG_FILE);
  }

  /** Whether there is a run in the folder. */
  get exists(): boolean {
    return existsSync(join(this.path, SEARCH_FILE));
  }

  /** Creates the folder if it does not exist, and keeps other processes out until the function is called that it returns. */
  lock(): () => void {
    if (existsSync(this.path) && !statSync(this.path).isDirectory())
      throw new SearchError("RECORD", `expected a folder for a run, found the file \`${this.path}\``);
    return guard(this.path, "open", () => {
      makeFolder(resolve(this.path));
      return takeLock(join(this.path, LOCK_FILE));
    });
  }

  /** Describes a new run. @throws SearchError RECORD if the folder has files of another one */
  create(description: Plain, source: Plain): RunDescription {
    const other = guard(this.path, "open", () => readdirSync(this.path).sort()).find(
      (name) => name === LOG_FILE || SNAPSHOT.test(name),
    );
    if (other !== undefined)
      throw new SearchError(
        "RECORD",
        `expected no files of a run without its \`${SEARCH_FILE}\` in \`${this.path}\`, found ${quoted(other)}`,
      );
    const versions = { "@mm-ptx/search": VERSION, node: process.version };
    const run: RunDescription = { format: FORMAT, versions, description, source };
    const bytes = Buffer.from(`${plainText(run, 2)}\n`);
    guard(this.path, "write", () => replaceFile(join(this.path, SEARCH_FILE), [bytes], this.#disk));
    return run;
  }

  /** @throws SearchError NOT_FOUND, FILE_FORMAT, RUN_MISMATCH for a run of another version */
  describe(): RunDescription {
    if (!this.exists)
      throw new SearchError("NOT_FOUND", `expected a run in \`${this.path}\`, found no \`${SEARCH_FILE}\``);
    const text = guard(this.path, "read", () => readFileSync(join(this.path, SEARCH_FILE), "utf8"));
    let run: RunDescription;
    try {
      run = parsePlain(text) as unknown as RunDescription;
    } catch (error) {
      const message = `expected JSON in the \`${SEARCH_FILE}\` of \`${this.path}\`: ${describeError(error)}`;
      throw new SearchError("FILE_FORMAT", message, { cause: error });
    }
    if (!isRecord(run) || !isRecord(run.versions))
      throw new SearchError(
        "FILE_FORMAT",
        `expected the description of a run in the \`${SEARCH_FILE}\` of \`${this.path}\`, found something else`,
      );
    if (run.format !== FORMAT) throw mismatch(this.path, firstDifference(run.format, FORMAT, "format")!);
    return run;
  }

  /** @throws SearchError RUN_MISMATCH if the run was not made by this version for a search with this description */
  check(run: RunDescription, description: Plain): void {
    const difference =
      firstDifference(run.versions["@mm-ptx/search"], VERSION, 'versions["@mm-ptx/search"]') ??
      firstDifference(run.description, parsePlain(plainText(description)), "description");
    if (difference !== undefined) throw mismatch(this.path, difference);
  }

  openLog(flags: number = constants.O_RDONLY): number {
    return guard(this.path, "open", () => openRegular(this.logPath, flags));
  }

  /** The size of the log; 0 if it does not exist. */
  get logBytes(): number {
    return guard(this.path, "read", () => statSync(this.logPath, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** Reads the log with `read`. */
  async withLog<T>(read: (file: number) => T | Promise<T>): Promise<T> {
    const file = this.openLog();
    try {
      return await read(file);
    } finally {
      closeSync(file);
    }
  }

  /** Writes a snapshot, and deletes all but the last two. */
  writeSnapshot(snapshot: Snapshot): void {
    guard(this.path, "write", () => {
      replaceFile(join(this.path, `archive-${snapshot.batches}.bin`), snapshotBytes(snapshot), this.#disk);
      for (const name of this.#snapshots().slice(KEPT_SNAPSHOTS))
        rmSync(join(this.path, name), { force: true });
    });
  }

  /** The last whole snapshot, or undefined. */
  lastSnapshot(): Snapshot | undefined {
    for (const name of guard(this.path, "read", () => this.#snapshots())) {
      try {
        return readSnapshot(readFileSync(join(this.path, name)));
      } catch (error) {
        // The one before is older, but as good: what follows it is computed again.
        if (!(error instanceof SearchError) && (error as NodeJS.ErrnoException).code !== "ENOENT")
          return guard(this.path, "read", () => {
            throw error;
          });
      }
    }
    return undefined;
  }

  /** Deletes the files of snapshots of more batches than these, which are damaged. */
  removeSnapshots(batches: number): void {
    guard(this.path, "write", () => {
      for (const name of this.#snapshots())
        if (batchesOf(name) > batches) rmSync(join(this.path, name), { force: true });
    });
  }

  /** The names of the snapshots, the newest first. */
  #snapshots(): string[] {
    return readdirSync(this.path)
      .filter((name) => SNAPSHOT.test(name))
      .sort((a, b) => batchesOf(b) - batchesOf(a));
  }
}

const batchesOf = (name: string): number => Number(SNAPSHOT.exec(name)![1]);

function mismatch(path: string, { path: where, expected, found }: Difference): SearchError {
  return new SearchError(
    "RUN_MISMATCH",
    `expected the search of the run \`${path}\`, found another one: \`${where}\` of the run is ${expected}, and of the search ${found}`,
  );
}
