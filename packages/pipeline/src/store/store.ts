// Results of programs on disk, kept across runs: what a user opens.
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describeError, describeValue, isText, optionProblem } from "@mm-ptx/types/internal";
import { LONGEST_LINE } from "@mm-ptx/types/internal/node";
import { PipelineError } from "../error.js";
import { ResultsFolder, type StoreProblems } from "./folder.js";
import { HEX_DIGITS, hashFingerprint, hashSignature, type KeyHash } from "./key.js";
import { LINE_START, lineText } from "./line.js";
import { readResult, resultText, type StoredResult } from "./result.js";

/** Options of `openResultsStore`. */
export interface ResultsStoreOptions {
  /**
   * 32 lower-case hexadecimal digits that identify the kernel, its data and all options: results with another fingerprint are not found.
   */
  readonly fingerprint: string;
}

/** The longest result as JSON, so that its line is not too long in UTF-8. */
const LONGEST_TEXT = Math.floor(LONGEST_LINE / 3) - 200;

const CHECKS = { fingerprint: isText };

/** The folders that are open in this process, which all stores of a folder share. */
const FOLDERS = new Map<string, { readonly folder: ResultsFolder; users: number }>();

/**
 * Opens the results in a folder, which is created if it doesn't exist. The results are lines of `results.jsonl`; a line that a killed
 * process did not finish is cut off, and corrupt lines are skipped and listed in `problems`. A folder can be open several times in one
 * process, with equal or different fingerprints, but not in two processes.
 *
 * @throws PipelineError INVALID_ARGUMENT, and STORE if the folder can't be used
 */
export function openResultsStore(folder: string, options: ResultsStoreOptions): ResultsStore {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0")) {
    const message = `expected a folder for results, found ${describeValue(folder)}`;
    throw new PipelineError("INVALID_ARGUMENT", message);
  }
  const problem = optionProblem(options, CHECKS, { of: "`openResultsStore`", required: ["fingerprint"] });
  if (problem !== undefined) throw new PipelineError("INVALID_ARGUMENT", problem);
  const { fingerprint } = options;
  const hash = hashFingerprint(fingerprint);
  const path = realFolder(folder);
  const shared = FOLDERS.get(path) ?? { folder: new ResultsFolder(path), users: 0 };
  FOLDERS.set(path, shared);
  shared.users++;
  return new ResultsStore(shared.folder, fingerprint, hash, () => {
    if (--shared.users > 0) {
      shared.folder.flush();
      return;
    }
    FOLDERS.delete(path);
    shared.folder.close();
  });
}

/** Creates a folder and those above it, one by one: Node's own recursion does not end in file systems that have no room for folders. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}

function realFolder(folder: string): string {
  try {
    makeFolder(resolve(folder));
    return realpathSync(folder);
  } catch (error) {
    const message = `can't open the results store \`${resolve(folder)}\`: ${describeError(error)}`;
    throw new PipelineError("STORE", message, { cause: error });
  }
}

/** Results of one fingerprint in a folder; made by `openResultsStore`. */
export class ResultsStore implements Disposable {
  /** The fingerprint whose results are found. */
  readonly fingerprint: string;
  readonly #folder: ResultsFolder;
  readonly #fingerprintHash: Readonly<KeyHash>;
  readonly #hash: KeyHash = { first: 0, second: 0 };
  #close: (() => void) | undefined;

  /** @internal */
  constructor(folder: ResultsFolder, fingerprint: string, hash: Readonly<KeyHash>, close: () => void) {
    this.fingerprint = fingerprint;
    this.#folder = folder;
    this.#fingerprintHash = hash;
    this.#close = close;
  }

  /** The folder. */
  get folder(): string {
    return this.#folder.path;
  }

  /** The number of results in the folder, of all fingerprints. */
  get size(): number {
    return this.#folder.table.size;
  }

  /** Corrupt lines that have been found so far. */
  get problems(): StoreProblems {
    return this.#folder.problems;
  }

  /**
   * The result of the program with this signature, or `undefined`. It reads one line of the file, without waiting for anything else.
   *
   * @param signature 32 lower-case hexadecimal digits
   * @throws PipelineError INVALID_ARGUMENT, STORE if the file can't be read, and DISPOSED
   */
  get(signature: string): StoredResult | undefined {
    this.#checkOpen();
    hashSignature(signature, this.#fingerprintHash, this.#hash);
    const line = this.#folder.read(this.#hash);
    if (line === undefined) return undefined;
    // The table knows 64 bits of a key, the line has all of it.
    const isThisKey =
      line.startsWith(signature, LINE_START.length) &&
      line.startsWith(this.fingerprint, LINE_START.length + HEX_DIGITS);
    if (!isThisKey) return undefined;
    const result = readResult(line);
    if (result === undefined) this.#folder.reject(this.#hash);
    return result;
  }

  /**
   * Stores the result of the program with this signature, in place of an earlier one. It is written together with later ones: when 64 KiB
   * have gathered, 200 ms after the first of them, or by `flush`. Results that could not be written because the disk is full can still be
   * read by `get`, and are written by the next call that succeeds.
   *
   * @param signature 32 lower-case hexadecimal digits
   * @throws PipelineError INVALID_ARGUMENT, STORE if the file can't be written (this result is not kept then), and DISPOSED
   */
  put(signature: string, result: StoredResult): void {
    this.#checkOpen();
    hashSignature(signature, this.#fingerprintHash, this.#hash);
    this.#folder.append(this.#hash, lineText(signature, this.fingerprint, checkedText(result)));
  }

  /** Writes what is pending, so that it survives the end of the process. @throws PipelineError STORE, DISPOSED */
  flush(): void {
    this.#checkOpen();
    this.#folder.flush();
  }

  /**
   * Writes what is pending and closes the folder. @throws PipelineError STORE if results could not be written; the folder is closed
   * anyway
   */
  dispose(): void {
    const close = this.#close;
    this.#close = undefined;
    close?.();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkOpen(): void {
    if (this.#close === undefined)
      throw new PipelineError("DISPOSED", "expected an open results store, found a disposed one");
  }
}

function checkedText(result: StoredResult): string {
  let text: string;
  try {
    text = resultText(result);
  } catch (error) {
    throw new PipelineError("INVALID_ARGUMENT", describeError(error), { cause: error });
  }
  if (text.length <= LONGEST_TEXT) return text;
  const message = `expected a result of at most ${LONGEST_TEXT} characters as JSON, found ${text.length}`;
  throw new PipelineError("INVALID_ARGUMENT", message);
}
