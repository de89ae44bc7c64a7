// An open folder of results: the file of lines and the table that finds them.
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { AppendFile, type LinePlace } from "./append-file.js";
import { hashKey, type KeyHash } from "./key.js";
import { isWholeLine } from "./line.js";
import { beginsLikeResults, scanLines } from "./scan.js";
import { KeyTable } from "./table.js";

export const RESULTS_FILE = "results.jsonl";

/** Lines are written this long after the first of them was put, or when 64 KiB have gathered. */
const FLUSH_MILLISECONDS = 200;
const LISTED_PROBLEMS = 100;

/** Damaged lines of a results file. They are skipped; their programs run again. */
export interface StoreProblems {
  /** How many lines are damaged. */
  readonly count: number;
  /** Where the first 100 of them are: the offset of each in `results.jsonl`, and its bytes. */
  readonly lines: readonly { readonly offset: number; readonly bytes: number }[];
}

/** The results of a folder, for all fingerprints. Each error is a PipelineError STORE. */
export class ResultsFolder {
  readonly path: string;
  readonly table = new KeyTable();
  readonly #file: AppendFile;
  readonly #place: LinePlace = { offset: 0, bytes: 0 };
  readonly #damaged: { offset: number; bytes: number }[] = [];
  #damagedCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A flush by the timer failed, so the next call has to try again and report. */
  #failed = false;

  constructor(path: string) {
    this.path = path;
    this.#file = this.#guard("open", () => {
      mkdirSync(path, { recursive: true });
      return this.#open(join(path, RESULTS_FILE));
    });
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

  /** The text of a key's line, or `undefined`. Damage makes it a line that is not there. */
  read(hash: Readonly<KeyHash>): string | undefined {
    const { table } = this;
    const record = table.find(hash);
    if (record < 0) return undefined;
    const place = this.#place;
    place.offset = table.offsetOf(record);
    place.bytes = table.bytesOf(record);
    const { buffer, start } = this.#guard("read", () => this.#file.read(place));
    const end = start + place.bytes;
    if (isWholeLine(buffer, start, end)) return buffer.toString("utf8", start, end);
    table.remove(record);
    this.#noteDamage(place.offset, place.bytes);
    return undefined;
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
    } finally {
      this.#file.close();
    }
  }

  #open(path: string): AppendFile {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      if (!fstatSync(file).isFile()) throw new Error("expected a regular file");
      const hash: KeyHash = { first: 0, second: 0 };
      const end = scanLines(file, 0, {
        line: (key, offset, bytes) => {
          if (hashKey(key, hash)) this.table.set(hash, offset, bytes);
          else this.#noteDamage(offset, bytes);
        },
        damage: (offset, bytes) => this.#noteDamage(offset, bytes),
      });
      // A file that somebody else wrote must not be cut or appended to.
      if (this.table.size === 0 && !beginsLikeResults(file))
        throw new Error("expected results of programs, found a file of another kind");
      if (fstatSync(file).size > end) ftruncateSync(file, end);
      return new AppendFile(file, end);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failed = true;
    this.#file.flush();
    this.#failed = false;
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
