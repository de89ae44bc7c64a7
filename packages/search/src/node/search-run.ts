// A search that is recorded in a folder.
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync } from "node:fs";
import { AppendFile } from "@mm-ptx/types/internal/node";
import { SearchError } from "../error.js";
import type { Measurements } from "../evaluation/evaluator.js";
import type { BatchEvent, SearchEvent } from "../search/events.js";
import type { RunOptions } from "../search/options.js";
import type { Search } from "../search/search.js";
import { guard } from "./errors.js";
import { follow, Turns } from "./follow.js";
import { hex32 } from "./hex.js";
import { HistoryRecorder, type RunHistory } from "./history.js";
import {
  batchEnd,
  batchLine,
  eliteLine,
  type LoggedBatch,
  measurementLine,
  newElites,
  screenLine,
} from "./log-lines.js";
import { damageBefore, type LogGroup, readGroups } from "./log-reader.js";
import type { RunFolder } from "./run-folder.js";

/** Lines are written when 64 KiB have gathered, and with the first batch after this time. */
const FLUSH_MILLISECONDS = 200;
/** The part of a snapshot that has the history. */
const HISTORY = "history";

const FLAGS = constants.O_RDWR | constants.O_CREAT;

/** How a folder is opened. */
export interface OpenedRun {
  readonly snapshotSeconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A search whose batches are recorded in a folder. `run` yields the same events as `Search.run`; when it is left, everything is on disk.
 * The folder belongs to this process until the run is disposed.
 */
export class SearchRun {
  readonly search: Search;
  /** How many batches of the log were computed again when the run was resumed, because they are newer than the last snapshot. */
  readonly recomputed: number;
  /**
   * The byte at which the first damaged line of the log begins, among the lines of batches that a resumed run has from its snapshot. The
   * search is not affected, but `replayRun` and `readLineage` do not get past this line.
   */
  readonly damagedAt: number | undefined;
  readonly #folder: RunFolder;
  readonly #log: AppendFile;
  readonly #descriptor: number;
  readonly #snapshotMilliseconds: number;
  readonly #history: HistoryRecorder;
  readonly #place = { offset: 0, bytes: 0 };
  /** Lines that are still to be appended, because appending an earlier one failed. */
  readonly #lines: string[] = [];
  #close: (() => void) | undefined;
  #seconds: number;
  #snapshotBatches: number;
  #lastSnapshot = performance.now();
  #lastFlush = 0;

  /** @internal */
  constructor(
    folder: RunFolder,
    search: Search,
    opened: Recovered,
    snapshotSeconds: number,
    unlock: () => void,
  ) {
    this.search = search;
    this.recomputed = opened.recomputed;
    this.damagedAt = opened.damagedAt;
    this.#folder = folder;
    this.#descriptor = opened.descriptor;
    this.#log = new AppendFile(opened.descriptor, opened.logBytes, folder.disk.write);
    this.#history = opened.history;
    this.#seconds = opened.seconds;
    this.#snapshotBatches = opened.snapshotBatches;
    this.#snapshotMilliseconds = 1000 * snapshotSeconds;
    search.measurements = this.#measurements();
    // Whoever kills the process again soon does not have to wait longer and longer.
    if (opened.recomputed > 0) this.#saveSnapshot();
    this.#close = () => {
      search.measurements = undefined;
      this.#log.close();
      unlock();
    };
  }

  /** The folder, as it was given. */
  get folder(): string {
    return this.#folder.path;
  }

  /** Seconds of all runs in this folder together. */
  get seconds(): number {
    return this.#seconds;
  }

  /** The number of batches that the last snapshot covers. */
  get snapshotBatches(): number {
    return this.#snapshotBatches;
  }

  /** How the search went, from its first batch on. */
  get history(): RunHistory {
    return this.#history.history();
  }

  /**
   * Searches and records each batch before its event is yielded. Whatever ends the loop, all batches are in the log afterwards, and a
   * snapshot of the last of them is written, except where an evaluation was interrupted.
   *
   * @throws SearchError as `Search.run`, and RECORD if the folder can't be written: then free some space, and run again or resume
   */
  async *run(options: RunOptions = {}): AsyncGenerator<SearchEvent, void, undefined> {
    this.#checkOpen();
    this.#append();
    const { search } = this;
    const before = this.#seconds;
    const events = search.run(options);
    const turns = new Turns();
    /** Whether the state is that after a batch, and not that in the middle of one. */
    let isBetweenBatches = false;
    try {
      for (;;) {
        const step = await events.next();
        if (step.done) return;
        const event = step.value;
        isBetweenBatches =
          event.type === "batch" || event.reason !== "aborted" || search.pending.length === 0;
        if (event.type === "batch") this.#record(event, before + event.seconds);
        yield event;
        if (event.type === "end") return;
        await turns.take();
        isBetweenBatches = false;
      }
    } finally {
      await events.return(undefined);
      this.#flush();
      if (isBetweenBatches) this.#saveSnapshot();
    }
  }

  /** Writes what is pending, and leaves the folder to others. Calls after the first one do nothing. @throws SearchError RECORD */
  dispose(): void {
    const close = this.#close;
    if (close === undefined) return;
    this.#close = undefined;
    try {
      this.#flush();
    } finally {
      close();
    }
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkOpen(): void {
    if (this.#close === undefined)
      throw new SearchError("DISPOSED", "expected an open run, found a disposed one");
  }

  #record(event: BatchEvent, seconds: number): void {
    const { search } = this;
    for (const index of newElites(search, event)) this.#lines.push(eliteLine(search, event, index));
    if (event.screen !== undefined) this.#lines.push(screenLine(event.screen, event.batch));
    const line = batchLine(event) + batchEnd(search, seconds);
    this.#history.add(JSON.parse(`${line}}`) as LoggedBatch);
    this.#seconds = seconds;
    this.#lines.push(line);
    this.#append();
    const now = performance.now();
    if (now - this.#lastFlush >= FLUSH_MILLISECONDS) this.#flush();
    if (now - this.#lastSnapshot >= this.#snapshotMilliseconds) this.#saveSnapshot();
  }

  /** What evaluators measure now, for the log. */
  #measurements(): Measurements {
    let current = -1;
    const kept = new Map<string, Float64Array>();
    return {
      find: (evaluator, batch) => (batch === current ? kept.get(evaluator) : undefined),
      keep: (evaluator, batch, values) => {
        if (batch !== current) kept.clear();
        current = batch;
        kept.set(evaluator, values.slice());
        this.#lines.push(measurementLine(evaluator, batch, values));
        this.#append();
      },
    };
  }

  #append(): void {
    guard(this.folder, "write", () => {
      let done = 0;
      try {
        for (; done < this.#lines.length; done++) this.#log.append(this.#lines[done]!, this.#place);
      } finally {
        this.#lines.splice(0, done);
      }
    });
  }

  #flush(): void {
    this.#append();
    guard(this.folder, "write", () => this.#log.flush());
    this.#lastFlush = performance.now();
  }

  #saveSnapshot(): void {
    const { search } = this;
    const { batches } = search;
    this.#lastSnapshot = performance.now();
    if (batches === this.#snapshotBatches) return;
    this.#flush();
    // A snapshot must not be ahead of the log, even after a power cut.
    guard(this.folder, "write", () => fsyncSync(this.#descriptor));
    const state = { ...search.state(), [HISTORY]: this.#history.state() };
    const hash = hex32(search.hash());
    this.#folder.writeSnapshot({ batches, logBytes: this.#log.written, hash, seconds: this.#seconds, state });
    this.#snapshotBatches = batches;
    this.#lastSnapshot = performance.now();
  }
}

/** What a run goes on from. */
interface Recovered {
  readonly descriptor: number;
  readonly logBytes: number;
  readonly seconds: number;
  readonly snapshotBatches: number;
  readonly recomputed: number;
  readonly damagedAt: number | undefined;
  readonly history: HistoryRecorder;
}

/** Makes the search what it was when the last batch of the log was recorded, and cuts off what follows that batch. */
export async function recover(
  folder: RunFolder,
  search: Search,
  signal: AbortSignal | undefined,
): Promise<Recovered> {
  const descriptor = folder.openLog(FLAGS);
  try {
    const { path } = folder;
    const history = new HistoryRecorder();
    const snapshot = restoreSnapshot(folder, search, history);
    const size = guard(path, "read", () => fstatSync(descriptor).size);
    if (size < snapshot.logBytes)
      throw new SearchError(
        "FILE_FORMAT",
        `expected ${snapshot.logBytes} bytes or more in \`${folder.logPath}\`, which the snapshot of ${snapshot.batches} batches goes on from, found ${size}; without the snapshots, the run goes on from what the log has`,
      );
    const damagedAt = guard(path, "read", () => damageBefore(descriptor, snapshot.logBytes));
    let { logBytes, seconds } = snapshot;
    let recomputed = 0;
    const onBatch = (group: LogGroup): void => {
      history.add(group.batch);
      recomputed++;
      logBytes = group.end;
      seconds = group.batch.seconds;
    };
    const groups = readGroups(descriptor, logBytes, folder.logPath);
    const divergence = await follow(search, groups, { check: true, signal, onBatch });
    if (divergence !== undefined) {
      const { batch, path: what, expected, found } = divergence;
      throw new SearchError(
        "RUN_MISMATCH",
        `expected batch ${batch} of the run \`${path}\` to be as the log says when it is computed again, found another \`${what}\`: ${found} instead of ${expected}`,
      );
    }
    guard(path, "write", () => ftruncateSync(descriptor, logBytes));
    folder.removeSnapshots(search.batches);
    const snapshotBatches = snapshot.batches;
    return { descriptor, logBytes, seconds, snapshotBatches, recomputed, damagedAt, history };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Restores the last whole snapshot; without one, the search is as new. */
export function restoreSnapshot(
  folder: RunFolder,
  search: Search,
  history: HistoryRecorder,
): { readonly batches: number; readonly logBytes: number; readonly seconds: number } {
  const snapshot = folder.lastSnapshot();
  if (snapshot === undefined) return { batches: 0, logBytes: 0, seconds: 0 };
  const { [HISTORY]: kept, ...state } = snapshot.state;
  search.restore(state);
  if (kept !== undefined) history.restore(kept);
  const hash = hex32(search.hash());
  if (hash !== snapshot.hash)
    throw new SearchError(
      "RUN_MISMATCH",
      `expected an archive with the hash ${snapshot.hash} from the snapshot of ${snapshot.batches} batches in \`${folder.path}\`, found ${hash}`,
    );
  return snapshot;
}
