// Results of compiles in a folder that any number of processes can share. An entry is written to a temporary file and renamed, so
// that no process reads a partial entry and no locks can be left over. Reads are synchronous, because reading a small
// file from the page cache blocks the event loop for less time than a background read would cost; writes and
// maintenance are asynchronous.

import { randomBytes } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isBoolean } from "@mm-ptx/types/internal";
import { PtxCompileError } from "../error.js";
import { checkCacheFolder, checkInteger, checkOptions } from "../ptx/options.js";
import { type CacheEntry, type CacheEntryKind, decodeEntry, ENTRY_KINDS, encodeEntry } from "./entry.js";
import { makeFolder, READ_NO_LINK, readRegular, readRegularSync } from "./files.js";
import { bytesOf, filesOf, isEntry, type KeptFile, pathOf, remove } from "./kept-files.js";
import { type ExaminedFolder, examineFolder, isOwn } from "./trust.js";

/** The entries of one kind. */
export interface CacheKindStats {
  readonly entries: number;
  readonly bytes: number;
}

/** The files in a cache folder. */
export interface CacheStats {
  readonly folder: string;
  readonly entries: number;
  /** The entries by kind: cubins, results of compiling CUDA, and the lists of headers that CUDA compiles have read. */
  readonly kinds: Readonly<Record<CacheEntryKind, CacheKindStats>>;
  /**
   * Temporary files that are being written or were left by a killed writer; `clear`, `verify` and writes delete the
   * latter after a minute.
   */
  readonly unfinished: number;
  /** The size of entries and unfinished files. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Why the folder is not used: it belongs to another user, or others can write to it. */
  readonly problem?: string;
}

/** Options of `DiskCache`. */
export interface DiskCacheOptions {
  /**
   * Uses the folder even if it belongs to another user or others can write to it. Default: `false`, since whoever can
   * write to the cache determines the code that runs on the GPU.
   */
  readonly trustFolder?: boolean;
}

/** The result of `verify`. */
export interface CacheVerification {
  readonly sound: number;
  /** Corrupt entries, which have been deleted. */
  readonly removed: number;
}

/** Temporary files whose time differs by this much have no writer, because writing one takes milliseconds. */
const ABANDONED_MS = 60_000;
/** The resolution of a file's time of last use; otherwise every hit would write. */
export const USED_EXACTNESS_MS = 600_000;
/** The fraction of the limit that remains used after an eviction. */
const AFTER_EVICTION = 0.8;
/** Each process recounts after it has written this fraction of the limit, because others write too. */
const UNCOUNTED = 1 / 8;

/**
 * Results of compiles in a folder, found by keys of 64 hex digits and by their kind, which is `cubin` by default. Problems with the folder or the disk only disable the cache. */
export class DiskCache {
  readonly folder: string;
  readonly maxBytes: number;
  readonly #trustFolder: boolean;
  /** The folder, once it exists. */
  #examined: ExaminedFolder | undefined;
  readonly #writes = new Set<Promise<void>>();
  /** The bytes that all processes stored at the last count; before the first count, the cache is treated as full. */
  #counted = Number.POSITIVE_INFINITY;
  /** The bytes that this process has written since then. */
  #written = 0;
  #evicting = false;
  /** Why the folder is not used, or why the last write failed. */
  problem: string | undefined;

  /** @throws PtxCompileError `INVALID_ARGUMENT` */
  constructor(folder: string, maxBytes: number, options: DiskCacheOptions = {}) {
    checkCacheFolder("folder", folder);
    checkInteger("maxBytes", maxBytes, 0, Number.MAX_SAFE_INTEGER);
    checkOptions(options, { trustFolder: isBoolean });
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.#trustFolder = options.trustFolder ?? false;
  }

  /** The entry, if there is one; any problem with the file, the folder or the disk counts as a miss. */
  get(key: string, kind: CacheEntryKind = "cubin"): CacheEntry | undefined {
    const path = this.#existing(key, kind);
    if (path === undefined) return undefined;
    try {
      const { bytes, status } = readRegularSync(path, READ_NO_LINK);
      if (!this.#trustFolder && !isOwn(status)) return undefined;
      const entry = decodeEntry(key, bytes, kind);
      if (entry === undefined) rmSync(path, { force: true });
      else if (Math.abs(Date.now() - status.mtimeMs) > USED_EXACTNESS_MS) this.touch(key, kind);
      return entry;
    } catch {
      // The file does not exist, is not readable, is not a regular file, or is corrupt on a read-only disk.
      return undefined;
    }
  }

  /** Marks an entry as used now, for callers that read it from elsewhere. */
  touch(key: string, kind: CacheEntryKind = "cubin"): void {
    const path = this.#existing(key, kind);
    if (path === undefined) return;
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // The file is deleted, belongs to another user or is on a read-only disk; it is only evicted sooner.
    }
  }

  /** Stores an entry in the background. A failure only loses the entry; `problem` has the reason. */
  put(key: string, entry: CacheEntry, kind: CacheEntryKind = "cubin"): void {
    const write = this.#write(key, encodeEntry(key, entry, kind), kind).catch((error: unknown) => {
      this.problem = error instanceof Error ? error.message : String(error);
    });
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Waits for pending writes of `put`. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** The size of the cache. */
  async stats(): Promise<CacheStats> {
    const files = await filesOf(this.folder);
    const entries = files.filter(isEntry);
    const { problem } = this.#trustFolder ? {} : (examineFolder(this.folder) ?? {});
    const ofKind = (kind: CacheEntryKind): CacheKindStats => {
      const own = entries.filter(({ entry }) => entry.kind === kind);
      return { entries: own.length, bytes: bytesOf(own) };
    };
    return {
      folder: this.folder,
      entries: entries.length,
      kinds: Object.fromEntries(ENTRY_KINDS.map((kind) => [kind, ofKind(kind)])) as CacheStats["kinds"],
      unfinished: files.length - entries.length,
      bytes: bytesOf(files),
      maxBytes: this.maxBytes,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /**
   * Deletes every entry, and temporary files that killed writers left at least a minute ago. Returns the number of
   * entries.
   *
   * @throws PtxCompileError `CACHE` if an entry can't be deleted; all others are deleted nevertheless
   */
  async clear(): Promise<number> {
    const files = await this.#sweptFiles();
    const entries = files.filter(isEntry);
    const failures = (await Promise.all(entries.map(({ path }) => remove(path)))).filter(isError);
    // The next write recounts the files.
    this.#counted = Number.POSITIVE_INFINITY;
    if (failures.length > 0) throw stuck("can be removed", failures);
    return entries.length;
  }

  /**
   * Reads every entry and deletes the corrupt ones, and temporary files that killed writers left at least a minute ago.
   *
   * @throws PtxCompileError `CACHE` if an entry can't be read, or a corrupt one can't be deleted; all others are
   * checked nevertheless
   */
  async verify(): Promise<CacheVerification> {
    let sound = 0;
    let removed = 0;
    const failures: Error[] = [];
    for (const { path, entry } of (await this.#sweptFiles()).filter(isEntry)) {
      const read = await readRegular(path, READ_NO_LINK).catch((error: NodeJS.ErrnoException) => error);
      if (read instanceof Error) {
        // It was deleted after the listing.
        if (read.code !== "ENOENT") failures.push(read);
      } else if (decodeEntry(entry.key, read.bytes, entry.kind) !== undefined) {
        sound++;
      } else {
        const failure = await remove(path);
        if (failure === undefined) removed++;
        else failures.push(failure);
      }
    }
    if (failures.length > 0) throw stuck("can be read, and removed if they are corrupt", failures);
    return { sound, removed };
  }

  /** The folder, if it exists; it is examined once. */
  #examine(): ExaminedFolder | undefined {
    if (this.#examined !== undefined) return this.#examined;
    const found = examineFolder(this.folder);
    if (found === undefined) return undefined;
    this.#examined = this.#trustFolder ? { path: found.path } : found;
    const { problem } = this.#examined;
    if (problem !== undefined) {
      this.problem = problem;
      warn(problem);
    }
    return this.#examined;
  }

  /** The path of an entry in a folder that exists and may be used. */
  #existing(key: string, kind: CacheEntryKind): string | undefined {
    const { path, problem } = this.#examine() ?? {};
    return path === undefined || problem !== undefined ? undefined : pathOf(path, key, kind);
  }

  async #write(key: string, bytes: Uint8Array, kind: CacheEntryKind): Promise<void> {
    if (this.#examined === undefined) await makeFolder(this.folder);
    const { path: whole = this.folder, problem } = this.#examine() ?? {};
    if (problem !== undefined) return;
    const path = pathOf(whole, key, kind);
    const folder = dirname(path);
    const temporary = join(folder, `.${randomBytes(12).toString("hex")}.new`);
    try {
      await writeFile(temporary, bytes, { flag: "wx", mode: 0o600 }).catch(async (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        await makeFolder(folder);
        await writeFile(temporary, bytes, { flag: "wx", mode: 0o600 });
      });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    this.#written += bytes.length;
    if (this.#counted + this.#written > this.maxBytes || this.#written > this.maxBytes * UNCOUNTED)
      await this.#evict();
  }

  /** Recounts, since other processes write too, and evicts the least recently used entries if the limit is exceeded. */
  async #evict(): Promise<void> {
    if (this.#evicting) return;
    this.#evicting = true;
    this.#written = 0;
    try {
      const files = await this.#sweptFiles();
      let bytes = bytesOf(files);
      if (bytes > this.maxBytes) {
        const lastUse = (file: KeptFile): number => pastMs(file.usedMs);
        for (const file of files.filter(isEntry).sort((a, b) => lastUse(a) - lastUse(b))) {
          if (bytes <= this.maxBytes * AFTER_EVICTION) break;
          // A file that can't be deleted does not stop the eviction of others.
          if ((await remove(file.path)) === undefined) bytes -= file.bytes;
        }
      }
      this.#counted = bytes;
    } finally {
      this.#evicting = false;
    }
  }

  /** The files, after trying to delete the temporary files of killed writers. */
  async #sweptFiles(): Promise<KeptFile[]> {
    const files = await filesOf(this.folder);
    const now = Date.now();
    const abandoned = files.filter((file) => !isEntry(file) && Math.abs(now - file.usedMs) > ABANDONED_MS);
    const failures = await Promise.all(abandoned.map(({ path }) => remove(path)));
    const gone = abandoned.filter((_, i) => failures[i] === undefined);
    return gone.length === 0 ? files : files.filter((file) => !gone.includes(file));
  }
}

/** A time of last use. One in the future comes from a wrong clock or from a person, and says nothing about the use. */
const pastMs = (usedMs: number): number => (usedMs > Date.now() + USED_EXACTNESS_MS ? 0 : usedMs);

const warned = new Set<string>();

/** Warns once for each problem, because without its folder the cache serves only this process. */
function warn(problem: string): void {
  if (warned.has(problem)) return;
  warned.add(problem);
  process.emitWarning(`results are cached in this process's memory only: ${problem}`, {
    code: "MM_PTX_CACHE_FOLDER",
  });
}

const isError = (value: unknown): value is Error => value instanceof Error;

function stuck(expected: string, failures: readonly Error[]): PtxCompileError {
  const [cause] = failures;
  const found = `${failures.length} of another kind: ${cause!.message}`;
  return new PtxCompileError("CACHE", `expected entries of the cache that ${expected}, found ${found}`, {
    cause,
  });
}
