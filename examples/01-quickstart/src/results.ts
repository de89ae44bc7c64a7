// results.jsonl and the kept files. Programs finish in any order; lines go out in index order, through one temporary
// file that gets its name when the run ends, however it ends.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { publish, temporaryName } from "./files.js";
import { fileStem, type OutputFolder } from "./output-folder.js";
import type { ProgramRecord } from "./records.js";

const NAME = "results.jsonl";
/** Lines are collected up to this many characters before they are written. */
const CHUNK = 1 << 16;

export class ResultsFile {
  readonly #folder: OutputFolder;
  readonly #waiting = new Map<number, ProgramRecord>();
  #file: number | undefined;
  #next = 0;
  #text = "";
  /** Bytes in the file, all of them whole lines. */
  #size = 0;

  constructor(folder: OutputFolder) {
    this.#folder = folder;
    this.#file = openSync(temporaryName(folder.path, NAME), "w");
  }

  /** Takes a record in any order; its line goes out when those before it have. */
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
   * Writes what is left, gaps left out, and gives the file its name. A second call does nothing.
   *
   * @throws QuickstartError `OUTPUT_FOLDER` when not all could be written; the file then holds the lines that could.
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
      // A full disk: no line stays that is not whole.
      const whole = bytes.lastIndexOf("\n", Math.max(0, written - 1)) + 1;
      ftruncateSync(this.#file, this.#size + Math.min(whole, written));
      throw this.#folder.failure(NAME, error);
    }
    this.#size += bytes.length;
  }
}

/** The PTX and cubin of single programs, when `--keep` asks for them. */
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
