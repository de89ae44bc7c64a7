// Results of compiling CUDA. A compile is found in two steps: the source, the options and the compiler lead to the list
// of headers that were read, and this list with the contents that the headers have now leads to the result. Thus a
// header that gets back its earlier contents is a hit again.

import { hash } from "node:crypto";
import type { CacheEntry } from "../../cache/entry.js";
import type { ResolvedCache } from "../../cache/options.js";
import { TieredCache } from "../../cache/tiers.js";
import type { CudaOutcome } from "../backend.js";
import {
  currentFiles,
  decodeFileList,
  encodeFileList,
  type FileList,
  fingerprintOf,
  listFiles,
  type ProbedFiles,
} from "./file-list.js";

/** A finished compile. */
export type Compiled = Required<Pick<CudaOutcome, "output" | "log" | "loweredNames">>;

export class CudaResultCache {
  readonly #entries: TieredCache;
  /** The lists of entries in memory, which would take as long to read as all else besides the files. */
  readonly #lists = new WeakMap<CacheEntry, FileList>();
  readonly #stores = new Set<Promise<void>>();

  constructor(options: Exclude<ResolvedCache, false>) {
    this.#entries = TieredCache.open(options);
  }

  /** The result for a key and the headers' current contents; `text` says whether its output is text. */
  get(key: string, text: boolean): Compiled | undefined {
    const stored = this.#entries.get(key, "headers");
    if (stored === undefined) return undefined;
    const list = this.#lists.get(stored) ?? decodeFileList(stored.output);
    this.#lists.set(stored, list);
    const current = currentFiles(list);
    if (current === undefined) return undefined;
    const entry = this.#entries.get(resultKey(key, current), "cuda");
    if (entry === undefined) return undefined;
    // Files that were only touched, or replaced by an equal copy, need not be read next time.
    if (current !== list) this.#putList(key, current);
    return { output: text ? textOf(entry.output) : entry.output.slice(), ...JSON.parse(entry.log) };
  }

  /**
   * Stores a result, unless a header was changed while it was compiled.
   *
   * @param startMs when the compile began
   */
  async put(key: string, compiled: Compiled, files: ProbedFiles, startMs: number): Promise<void> {
    const store = this.#store(key, compiled, files, startMs).finally(() => this.#stores.delete(store));
    this.#stores.add(store);
    await store;
  }

  /** Waits for pending writes. */
  async flush(): Promise<void> {
    await Promise.all(this.#stores);
    await this.#entries.flush();
  }

  async #store(
    key: string,
    { output, log, loweredNames }: Compiled,
    files: ProbedFiles,
    startMs: number,
  ): Promise<void> {
    const list = await listFiles(files, startMs);
    if (list === undefined) return;
    this.#entries.put(resultKey(key, list), "cuda", {
      output: typeof output === "string" ? Buffer.from(output) : output,
      log: JSON.stringify({ log, loweredNames }),
    });
    this.#putList(key, list);
  }

  #putList(key: string, list: FileList): void {
    this.#entries.put(key, "headers", { output: encodeFileList(list), log: "" });
  }
}

const resultKey = (key: string, list: FileList): string => hash("sha256", `${key}\n${fingerprintOf(list)}`);

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
