// results.jsonl and the kept files. Programs finish in any order. Their lines are written in index order to one
// temporary file, which gets its final name when the run ends, however it ends.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { publish, temporaryName } from "./files.js";
import { fileStem, type OutputFolder } from "./output-folder.js";
import type { ProgramRecord } from "./records.js";

const NAME = "results.jsonl";
/** Lines are buffered up to this many characters before they are written. */
const CHUNK = 1 << 16;

export class ResultsFile {
  readonly #folder: OutputFolder;
  readonly #waiting = new Map<number, ProgramRecord>();
  #file: number | undefined;
  #next = 0;
  #text = "";
  /** The bytes in the file, all of them complete lines. */
  #size = 0;

  constructor(folder: OutputFolder) {
    this.#folder = folder;
    this.#file = openSync(temporaryName(folder.path, NAME), "w");
  }

  /** Takes records in any order; the line of a record is written after those before it. */
  add(record: ProgramRecord): void {
    this.#waiting.set(record.index, record);
    for (
      let ready = this.#waiting.get(this.#next);
      ready !== undefined;
      ready = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next++);
      this.#line(ready);
    }
  }

  /**
   * Writes what is left, skipping gaps, and gives the file its final name. A second call does nothing.
   *
   * @throws QuickstartError `OUTPUT_FOLDER` if not everything could be written; the file then contains the lines that
   * could.
   */
  finish(): void {
    if (this.#file === undefined) return;
    try {
      this.#writeWaiting();
    } finally {
      closeSync(this.#file);
      this.#file = undefined;
      publish(this.#folder.path, NAME);
    }
  }

  #writeWaiting(): void {
    for (const index of [...this.#waiting.keys()].sort((a, b) => a - b))
      this.#line(this.#waiting.get(index)!);
    this.#waiting.clear();
    this.#flush();
  }

  #line(record: ProgramRecord): void {
    this.#text += `${JSON.stringify(record)}\n`;
    if (this.#text.length >= CHUNK) this.#flush();
  }

  #flush(): void {
    if (this.#file === undefined || this.#text === "") return;
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      // The disk is full: remove the incomplete line.
      const whole = bytes.lastIndexOf("\n", Math.max(0, written - 1)) + 1;
      ftruncateSync(this.#file, this.#size + Math.min(whole, written));
      throw this.#folder.failure(NAME, error);
    }
    this.#size += bytes.length;
  }
}

/** The PTX and cubin of each program, if `--keep` asks for them. */
export class KeptFiles {
  readonly #folder: OutputFolder;

  constructor(folder: OutputFolder) {
    this.#folder = folder;
  }

  async ptx(index: number, text: string): Promise<void> {
    await this.#folder.write(`${fileStem(index)}.ptx`, text);
  }

  async cubin(index: number, bytes: Uint8Array): Promise<void> {
    await this.#folder.write(`${fileStem(index)}.cubin`, bytes);
  }
}
