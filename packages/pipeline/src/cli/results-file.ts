// Where results are written: a file, which a later run can continue, or standard output.

import { once } from "node:events";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { Answered } from "./answered.js";
import { FileError, FileProblem, makeFolder, placeOf, reasonOf } from "./framework.js";
import { LINE_START } from "./result-line.js";

/** Receives the lines of results. */
export interface ResultsSink {
  /** Writes a line; the promise is there if the reader is slow. @throws FileError */
  write(line: string): Promise<unknown> | undefined;
  /** Writes what is pending. @throws FileError */
  close(): void;
}

export class StandardOutput implements ResultsSink {
  write(line: string): Promise<unknown> | undefined {
    return process.stdout.write(`${line}\n`) ? undefined : once(process.stdout, "drain");
  }

  close(): void {}
}

const BUFFER_CHARACTERS = 65_536;
const FLUSH_MS = 200;
const LINE_FEED = 10;

export class ResultsFile implements ResultsSink {
  readonly #path: string;
  readonly #file: number;
  #end: number;
  #pending = "";
  #timer: NodeJS.Timeout | undefined;
  #failure: FileError | undefined;

  /** @throws FileError */
  constructor(path: string, { keep }: { readonly keep: boolean }) {
    this.#path = path;
    try {
      makeFolder(dirname(placeOf(path)));
      this.#file = openSync(path, keep ? "a+" : "w+");
      // What is appended goes to the end on every system.
      this.#end = fstatSync(this.#file).size;
    } catch (error) {
      throw new FileError(`expected a file to write, found ${quoted(path)}: ${reasonOf(error)}`);
    }
  }

  /**
   * The programs whose results the file has. A line that a killed process left unfinished is cut off.
   *
   * @param run what each line has as `run`
   * @throws FileProblem if a line is no result of this run
   */
  answered(run: string): Answered {
    const answered = new Answered();
    const chunk = Buffer.allocUnsafe(2 ** 20);
    let number = 0;
    let start = 0;
    let rest = Buffer.alloc(0);
    for (let offset = 0; ; ) {
      const count = readSync(this.#file, chunk, 0, chunk.length, offset);
      if (count === 0) break;
      offset += count;
      // Copied, because the chunk is read into again.
      rest = Buffer.concat([rest, chunk.subarray(0, count)]);
      let from = 0;
      for (let to = rest.indexOf(LINE_FEED, from); to !== -1; to = rest.indexOf(LINE_FEED, from)) {
        answered.add(this.#indexOf(rest, from, to, ++number, run));
        start += to + 1 - from;
        from = to + 1;
      }
      rest = rest.subarray(from);
    }
    ftruncateSync(this.#file, start);
    this.#end = start;
    return answered;
  }

  #indexOf(bytes: Buffer, from: number, to: number, number: number, run: string): number {
    const head = bytes.toString("latin1", from, Math.min(to, from + 64));
    const [, index, found] = LINE_START.exec(head) ?? [];
    const isWhole = bytes[to - 1] === 0x7d || bytes.toString("latin1", to - 2, to) === "}\r";
    if (index === undefined || !isWhole)
      throw new FileProblem(
        this.#path,
        "FILE_FORMAT",
        "expected a result of this command, found another line",
        [number],
      );
    if (found !== run)
      throw new FileProblem(
        this.#path,
        "FILE_FORMAT",
        "expected results of this configuration, found those of another kernel, other data or other options: choose another `--out`, or leave out `--resume`",
        [number],
      );
    return Number(index);
  }

  write(line: string): undefined {
    if (this.#failure !== undefined) throw this.#failure;
    this.#pending += `${line}\n`;
    if (this.#pending.length >= BUFFER_CHARACTERS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), FLUSH_MS).unref();
    return undefined;
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  /** The next write throws if this one fails. */
  #flushLater(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#failure = error as FileError;
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = Buffer.from(this.#pending);
    this.#pending = "";
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#file, bytes, done, bytes.length - done);
      this.#end += done;
    } catch (error) {
      this.#cut();
      throw new FileError(`expected a file to write, found ${quoted(this.#path)}: ${reasonOf(error)}`);
    }
  }

  /** Leaves whole lines. */
  #cut(): void {
    try {
      ftruncateSync(this.#file, this.#end);
    } catch {
      // Continuing the file cuts off what is unfinished.
    }
  }
}
