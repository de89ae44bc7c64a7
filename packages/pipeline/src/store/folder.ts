// An open folder of results: the file of lines and the table that finds them.
import { closeSync, constants, fstatSync, ftruncateSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "@mm-ptx/types/internal";
import {
  AppendFile,
  type LinePlace,
  openRegular,
  scanLines,
  takeLock,
  textOf,
} from "@mm-ptx/types/internal/node";
import { PipelineError } from "../error.js";
import { readIndex, writeIndex } from "./index-file.js";
import { hashKey, type KeyHash } from "./key.js";
import { beginsLikeResults, isWholeResult, keyOfLine } from "./line.js";
import { KeyTable } from "./table.js";

const RESULTS_FILE = "results.jsonl";
const INDEX_FILE = "index";
const LOCK_FILE = "lock";

/** Lines are written this long after the first of them was put, or when 64 KiB have gathered. */
const FLUSH_MILLISECONDS = 200;
const LISTED_PROBLEMS = 100;
/**
 * The index file is written when a folder is closed, and whenever the number of results has doubled from here on, for processes that are
 * killed.
 */
const FIRST_INDEXED = 2 ** 17;

/** Corrupt lines of a results file. They are skipped, and their programs run again. */
export interface StoreProblems {
  /** How many lines are corrupt. */
  readonly count: number;
  /** Where the first 100 of them are: the offset of each in `results.jsonl`, and its bytes. */
  readonly lines: readonly { readonly offset: number; readonly bytes: number }[];
}

/** The results of a folder, for all fingerprints. Each error is a PipelineError STORE. */
export class ResultsFolder {
  readonly path: string;
  readonly table = new KeyTable();
  readonly #file: AppendFile;
  readonly #descriptor: number;
  readonly #unlock: () => void;
  /** What the index file covers. */
  #indexedRecords = 0;
  #indexedBytes = 0;
  #indexedDamage = 0;
  readonly #place: LinePlace = { offset: 0, bytes: 0 };
  readonly #damaged: { offset: number; bytes: number }[] = [];
  #damagedCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A flush by the timer failed, so the next call has to try again and report. */
  #failed = false;

  constructor(path: string) {
    this.path = path;
    this.#unlock = this.#guard("open", () => takeLock(join(path, LOCK_FILE)));
    try {
      this.#descriptor = this.#guard("open", () =>
        openRegular(join(path, RESULTS_FILE), constants.O_RDWR | constants.O_CREAT),
      );
    } catch (error) {
      this.#unlock();
      throw error;
    }
    try {
      this.#file = this.#guard("open", () => this.#recover());
    } catch (error) {
      closeSync(this.#descriptor);
      this.#unlock();
      throw error;
    }
  }

  get problems(): StoreProblems {
    return { count: this.#damagedCount, lines: [...this.#damaged] };
  }

  /** Appends the text of a line. */
  append(hash: Readonly<KeyHash>, text: string): void {
    this.#guard("write", () => {
      if (this.#failed) this.#flush();
      this.#file.append(text, this.#place);
    });
    this.table.set(hash, this.#place.offset, this.#place.bytes);
    if (this.#timer === undefined && this.#file.pending > 0)
      this.#timer = setTimeout(() => this.#flushInTime(), FLUSH_MILLISECONDS);
  }

  /** The text of a key's line, or `undefined`. A damaged line is not found again. */
  read(hash: Readonly<KeyHash>): string | undefined {
    const record = this.table.find(hash);
    if (record < 0) return undefined;
    const place = this.#place;
    place.offset = this.table.offsetOf(record);
    place.bytes = this.table.bytesOf(record);
    const { buffer, start } = this.#guard("read", () => this.#file.read(place));
    const end = start + place.bytes;
    if (isWholeResult(buffer, start, end)) return textOf(buffer, start, end);
    this.reject(hash);
    return undefined;
  }

  /** Counts a key's line as damaged and forgets it. */
  reject(hash: Readonly<KeyHash>): void {
    const record = this.table.find(hash);
    this.#noteDamage(this.table.offsetOf(record), this.table.bytesOf(record));
    this.table.remove(record);
  }

  /** Writes what is pending. */
  flush(): void {
    this.#guard("write", () => this.#flush());
  }

  /** Writes what is pending and closes the file, which it does even if writing fails. */
  close(): void {
    clearTimeout(this.#timer);
    try {
      this.flush();
      this.#saveIndex();
    } finally {
      this.#file.close();
      this.#unlock();
    }
  }

  /** Reads the index and the lines that it doesn't cover, and cuts off a torn line. */
  #recover(): AppendFile {
    const file = this.#descriptor;
    const index = readIndex(join(this.path, INDEX_FILE), file);
    if (index !== undefined) {
      this.table.adopt(index.chunks, index.records);
      this.#damaged.push(...index.damaged);
      this.#damagedCount = index.damagedCount;
      this.#noteIndexed(index.covered);
    }
    const hash: KeyHash = { first: 0, second: 0 };
    const end = scanLines(file, index?.covered ?? 0, {
      line: (bytes, start, end, offset) => {
        if (isWholeResult(bytes, start, end) && hashKey(keyOfLine(bytes, start), hash))
          this.table.set(hash, offset, end - start);
        else this.#noteDamage(offset, end - start);
      },
      tooLong: (offset, bytes) => this.#noteDamage(offset, bytes),
    });
    // A file that somebody else wrote must not be cut or appended to.
    if (this.table.records === 0 && !beginsLikeResults(file))
      throw new Error("expected results of programs, found a file of another kind");
    if (fstatSync(file).size > end) ftruncateSync(file, end);
    return new AppendFile(file, end);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failed = true;
    this.#file.flush();
    this.#failed = false;
    if (this.table.records >= Math.max(FIRST_INDEXED, 2 * this.#indexedRecords)) this.#saveIndex();
  }

  /** Writes the index file. Nothing may be pending, because an index must not cover lines that are not in the file. */
  #saveIndex(): void {
    const covered = this.#file.written;
    if (covered === this.#indexedBytes && this.#damagedCount === this.#indexedDamage) return;
    const { chunks, records } = this.table;
    const contents = { chunks, records, covered, damagedCount: this.#damagedCount, damaged: this.#damaged };
    writeIndex(join(this.path, INDEX_FILE), this.#descriptor, contents);
    this.#noteIndexed(covered);
  }

  #noteIndexed(covered: number): void {
    this.#indexedRecords = this.table.records;
    this.#indexedBytes = covered;
    this.#indexedDamage = this.#damagedCount;
  }

  #flushInTime(): void {
    try {
      this.#flush();
    } catch {
      // `failed` is set, so the next call tries again.
    }
  }

  #noteDamage(offset: number, bytes: number): void {
    if (this.#damagedCount++ < LISTED_PROBLEMS) this.#damaged.push({ offset, bytes });
  }

  #guard<T>(doing: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const message = `can't ${doing} the results store \`${this.path}\`: ${describeError(error)}`;
      throw new PipelineError("STORE", message, { cause: error });
    }
  }
}
