// Opens runs: starts them, continues them, computes them again and reads them.
import {
  type Check,
  isBoolean,
  isFunction,
  isPositive,
  isSignal,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid, readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import { Search } from "../search/search.js";
import { DISK, type Disk } from "./disk.js";
import { type Divergence, follow } from "./follow.js";
import { hex32 } from "./hex.js";
import { HistoryRecorder, type RunHistory } from "./history.js";
import type { LoggedBatch } from "./log-lines.js";
import { type LogGroup, readGroups } from "./log-reader.js";
import { RunFolder } from "./run-folder.js";
import { recover, restoreSnapshot, SearchRun } from "./search-run.js";

/** Options of `openRun`. */
export interface OpenRunOptions {
  /** `new` refuses a folder with a run, and `resume` one without. By default, a run that exists is resumed. */
  readonly mode?: "new" | "resume";
  /** Seconds between two snapshots of the search; the default is 30. */
  readonly snapshotSeconds?: number;
  /** Plain data for `search.json` that help to make the search again, such as the path of a configuration. */
  readonly source?: Plain;
  /** Aborts computing the batches again that are newer than the last snapshot. */
  readonly signal?: AbortSignal;
}

const isMode: Check = (value, name) =>
  value === "new" || value === "resume" ? undefined : unexpected(name, "`new` or `resume`", value);

const isPlain: Check = (value, name) => {
  const isSame = value === null || ["string", "number", "boolean", "object"].includes(typeof value);
  return isSame ? undefined : unexpected(name, "plain data", value);
};

const OPEN: Readonly<Record<keyof OpenRunOptions, Check>> = {
  mode: isMode,
  snapshotSeconds: isPositive,
  source: isPlain,
  signal: isSignal,
};

/** The names of options that `resumeRun` has. */
export type ResumeRunOptions = Pick<OpenRunOptions, "snapshotSeconds" | "signal">;

/**
 * Records a search in a folder, which is created if it does not exist: its description in `search.json`, each batch and each new elite in
 * `log.jsonl`, and the state of the search in `archive-<batches>.bin`, of which the last two are kept. A run that the folder has is
 * continued: the last whole snapshot is restored, and the batches after it are computed again and compared with the log, so the search
 * continues from its last logged batch, however the process ended.
 *
 * @param search a search that has not run yet
 * @throws SearchError INVALID_ARGUMENT; RUN_LOCKED if another process has the folder open; RUN_MISMATCH if the folder has the run of
 * another search or version, or if batches differ from the log; NOT_FOUND with the mode `resume` and no run; FILE_FORMAT if a
 * file is damaged; RECORD if the folder can't be read or written, or has a run with the mode `new`; ABORTED
 */
export function openRun(folder: string, search: Search, options: OpenRunOptions = {}): Promise<SearchRun> {
  return openOn(DISK, folder, search, options);
}

/** Continues the run of a folder: `openRun` with the mode `resume`. @throws SearchError as `openRun` */
export function resumeRun(
  folder: string,
  search: Search,
  options: ResumeRunOptions = {},
): Promise<SearchRun> {
  return openOn(DISK, folder, search, { ...options, mode: "resume" });
}

/** @internal `openRun`, for a disk that tests give. */
export async function openOn(
  disk: Disk,
  path: string,
  search: Search,
  options: OpenRunOptions,
): Promise<SearchRun> {
  const { mode, snapshotSeconds = 30, source = null, signal } = readOptions<OpenRunOptions>(options, OPEN);
  const folder = new RunFolder(path, disk);
  checkNew(search);
  if (mode === "resume" && !folder.exists) folder.describe();
  const unlock = folder.lock();
  try {
    if (folder.exists) {
      if (mode === "new")
        throw new SearchError("RECORD", `expected a folder without a run, found one in \`${path}\``);
      folder.check(folder.describe(), search.description);
    } else folder.create(search.description, source);
    return new SearchRun(folder, search, await recover(folder, search, signal), snapshotSeconds, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Options of `replayRun`. */
export interface ReplayRunOptions {
  /** Whether batches are compared with the log; true by default. */
  readonly check?: boolean;
  /** How many batches are computed at most. */
  readonly batches?: number;
  readonly signal?: AbortSignal;
  /** Called after each batch, with what the log has of it. */
  readonly onBatch?: (batch: LoggedBatch) => void;
}

const REPLAY: Readonly<Record<keyof ReplayRunOptions, Check>> = {
  check: isBoolean,
  batches: isWhole(0, Number.MAX_SAFE_INTEGER),
  signal: isSignal,
  onBatch: isFunction,
};

/** What a replay has found. */
export interface ReplayedRun {
  /** The batches that were computed, which are equal to those of the log if they were compared. */
  readonly batches: number;
  /** The hash of the archive at the end, 32 hex digits. */
  readonly hash: string;
  /** Where the batches differ from the log, if they do. */
  readonly divergence?: Divergence;
}

/**
 * Computes the batches of a run again from the seed, and compares every elite, number and hash with the log. What was measured is taken
 * from the log. Nothing is written. A batch that another process is writing is left out.
 *
 * @param search a search that has not run yet; afterwards it is at the last batch that was computed
 * @throws SearchError NOT_FOUND, RUN_MISMATCH if the run is of another search, FILE_FORMAT, RECORD, ABORTED
 */
export async function replayRun(
  path: string,
  search: Search,
  options: ReplayRunOptions = {},
): Promise<ReplayedRun> {
  const { check = true, batches: most, signal, onBatch } = readOptions<ReplayRunOptions>(options, REPLAY);
  const folder = new RunFolder(path);
  checkNew(search);
  folder.check(folder.describe(), search.description);
  // Another process may write more while this one computes.
  const expected = check && most === undefined ? (folder.lastSnapshot()?.batches ?? 0) : 0;
  let batches = 0;
  const divergence = await folder.withLog((file) =>
    follow(search, limited(readGroups(file, 0, folder.logPath), most), {
      check,
      signal,
      onBatch: ({ batch }) => {
        batches++;
        onBatch?.(batch);
      },
    }),
  );
  if (divergence === undefined && batches < expected)
    throw new SearchError(
      "FILE_FORMAT",
      `expected ${expected} batches in \`${folder.logPath}\`, as in the last snapshot, found ${batches}`,
    );
  return { batches, hash: hex32(search.hash()), ...(divergence && { divergence }) };
}

function* limited(
  groups: Iterable<LogGroup>,
  most = Number.POSITIVE_INFINITY,
): Generator<LogGroup, void, undefined> {
  let count = 0;
  if (most === 0) return;
  for (const group of groups) {
    yield group;
    if (++count === most) return;
  }
}

/** What `loadRun` returns. */
export interface LoadedRun {
  /** The number of batches of the snapshot. */
  readonly batches: number;
  /** Seconds of all runs in the folder together, up to then. */
  readonly seconds: number;
  /** Whether the log has batches after the snapshot. `resumeRun` computes them again. */
  readonly hasNewer: boolean;
  readonly history: RunHistory;
}

/**
 * Restores the last snapshot of a run to look at it, which is also possible while another process writes the run. The search is not recorded.
 *
 * @param search a search that has not run yet
 * @throws SearchError NOT_FOUND, RUN_MISMATCH, FILE_FORMAT, RECORD
 */
export async function loadRun(path: string, search: Search): Promise<LoadedRun> {
  const folder = new RunFolder(path);
  checkNew(search);
  folder.check(folder.describe(), search.description);
  const history = new HistoryRecorder();
  // A snapshot has all of the search, even if its log has been lost or cut off.
  const { batches, seconds, logBytes } = restoreSnapshot(folder, search, history);
  return { batches, seconds, hasNewer: folder.logBytes > logBytes, history: history.history() };
}

/** What `describeRun` returns: what `search.json` contains. */
export interface DescribedRun {
  readonly description: Plain;
  /** The `source` that the run was opened with. */
  readonly source: Plain;
  /** The versions that the run was started with. */
  readonly versions: Readonly<Record<string, string>>;
}

/** What a run was made of. @throws SearchError NOT_FOUND, RUN_MISMATCH for a run of another version, FILE_FORMAT, RECORD */
export function describeRun(path: string): DescribedRun {
  const { description, source, versions } = new RunFolder(path).describe();
  return { description, source, versions };
}

function checkNew(search: Search): void {
  if (!(search instanceof Search)) throw invalid("a `Search`", search);
  if (search.batches === 0) return;
  const message = `expected a search that has not run yet, found one after ${search.batches} batches`;
  throw new SearchError("INVALID_ARGUMENT", message);
}
