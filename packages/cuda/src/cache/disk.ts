// Cubins in a folder that any number of processes share. An entry is written beside its place and renamed: nobody sees half
// of one, and there are no locks to be left behind. Reading is done at once, because a small file that the system has in
// memory takes less of the event loop's time than asking for it in the background; writing and clearing up wait their turn.

import { randomBytes } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PtxCompileError } from "../error.js";
import { checkCacheFolder, checkInteger } from "../ptx/options.js";
import { type CacheEntry, decodeEntry, encodeEntry } from "./entry.js";
import { makeFolder, readAtOnce } from "./files.js";

/** Files in a folder of the cache. */
export interface CacheFigures {
  readonly folder: string;
  readonly entries: number;
  /** Files that are being written, or that a killed writer left; `clear`, `verify` and writing remove those after a minute. */
  readonly unfinished: number;
  /** Of entries and unfinished files. */
  readonly bytes: number;
  readonly maxBytes: number;
}

/** What `verify` found. */
export interface CacheVerification {
  readonly sound: number;
  /** Entries that were damaged; they are gone now. */
  readonly removed: number;
}

interface KeptFile {
  readonly path: string;
  /** None while it is written. */
  readonly key: string | undefined;
  readonly bytes: number;
  readonly usedMs: number;
}

const NAME = /^[0-9a-f]{62}\.cubin$/;
const FOLDER = /^[0-9a-f]{2}$/;
const TEMPORARY = /^\.[0-9a-f]+\.new$/;
/** Temporary files of this age belong to nobody: writing one takes milliseconds. */
const ABANDONED_MS = 60_000;
/** A file's time of last use is as exact as this: every hit would write otherwise. */
export const USED_EXACTNESS_MS = 600_000;
/** How full the cache is after old entries went. */
const AFTER_EVICTION = 0.8;
/** Each process counts anew when it has written this part of the limit: others write too. */
const UNCOUNTED = 1 / 8;

/** Cubins in a folder, found by keys of 64 hex digits. Whatever is wrong with folder or disk costs the cache alone. */
export class DiskCache {
  readonly folder: string;
  readonly maxBytes: number;
  readonly #writes = new Set<Promise<void>>();
  /** How many bytes all processes kept at the last count; as good as full before the first. */
  #counted = Number.POSITIVE_INFINITY;
  /** How many bytes this process wrote since. */
  #written = 0;
  #evicting = false;
  /** Why the last write failed. */
  problem: string | undefined;

  /** @throws PtxCompileError `INVALID_OPTION` */
  constructor(folder: string, maxBytes: number) {
    checkCacheFolder("folder", folder);
    checkInteger("maxBytes", maxBytes, 0, Number.MAX_SAFE_INTEGER);
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /** The entry, or nothing: whatever is wrong with the file, the folder or the disk is a miss. */
  get(key: string): CacheEntry | undefined {
    const path = this.#path(key);
    try {
      const { bytes, usedMs } = readAtOnce(path);
      const entry = decodeEntry(key, bytes);
      if (entry === undefined) rmSync(path, { force: true });
      else if (Date.now() - usedMs > USED_EXACTNESS_MS) this.touch(key);
      return entry;
    } catch {
      // Not there, or as good as that: not readable, no file at all, or damaged on a disk that is only read.
      return undefined;
    }
  }

  /** Marks an entry as used now, for who reads it from elsewhere. */
  touch(key: string): void {
    try {
      const now = new Date();
      utimesSync(this.#path(key), now, now);
    } catch {
      // Gone, somebody else's file, or a disk that is only read: it is then forgotten sooner.
    }
  }

  /** Keeps an entry, in the background. A failure costs the entry alone; `problem` says why. */
  put(key: string, entry: CacheEntry): void {
    const write = this.#write(key, encodeEntry(key, entry)).catch((error: unknown) => {
      this.problem = error instanceof Error ? error.message : String(error);
    });
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Waits for what `put` began. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** How much is kept. */
  async figures(): Promise<CacheFigures> {
    const files = await this.#files();
    const entries = files.filter(isEntry).length;
    return {
      folder: this.folder,
      entries,
      unfinished: files.length - entries,
      bytes: bytesOf(files),
      maxBytes: this.maxBytes,
    };
  }

  /**
   * Removes every entry, and what killed writers left a minute ago or longer; gives the number of entries.
   *
   * @throws PtxCompileError `CACHE` when an entry cannot be removed; those that can are gone then
   */
  async clear(): Promise<number> {
    const files = await this.#sweptFiles();
    const entries = files.filter(isEntry);
    const failures = (await Promise.all(entries.map(({ path }) => remove(path)))).filter(isError);
    // What is there is counted with the next write.
    this.#counted = Number.POSITIVE_INFINITY;
    if (failures.length > 0) throw stuck("can be removed", failures);
    return entries.length;
  }

  /**
   * Reads every entry, and removes those that are damaged, and what killed writers left a minute ago or longer.
   *
   * @throws PtxCompileError `CACHE` when an entry cannot be read, or a damaged one not be removed; all others were
   * looked at then
   */
  async verify(): Promise<CacheVerification> {
    let sound = 0;
    let removed = 0;
    const failures: Error[] = [];
    for (const { path, key } of (await this.#sweptFiles()).filter(isEntry)) {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
      if (bytes instanceof Error) {
        // Gone since it was listed.
        if (bytes.code !== "ENOENT") failures.push(bytes);
      } else if (decodeEntry(key, bytes) !== undefined) {
        sound++;
      } else {
        const failure = await remove(path);
        if (failure === undefined) removed++;
        else failures.push(failure);
      }
    }
    if (failures.length > 0) throw stuck("can be read, and removed when they are damaged", failures);
    return { sound, removed };
  }

  #path(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}.cubin`);
  }

  async #write(key: string, bytes: Uint8Array): Promise<void> {
    const folder = join(this.folder, key.slice(0, 2));
    const temporary = join(folder, `.${randomBytes(12).toString("hex")}.new`);
    try {
      await writeFile(temporary, bytes, { flag: "wx", mode: 0o600 }).catch(async (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        await makeFolder(folder);
        await writeFile(temporary, bytes, { flag: "wx", mode: 0o600 });
      });
      await rename(temporary, this.#path(key));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    this.#written += bytes.length;
    if (this.#counted + this.#written > this.maxBytes || this.#written > this.maxBytes * UNCOUNTED)
      await this.#evict();
  }

  /** Counts anew, since other processes write too, and lets the longest unused entries go when there is too much. */
  async #evict(): Promise<void> {
    if (this.#evicting) return;
    this.#evicting = true;
    this.#written = 0;
    try {
      const files = await this.#sweptFiles();
      let bytes = bytesOf(files);
      if (bytes > this.maxBytes) {
        for (const file of files.filter(isEntry).sort((a, b) => a.usedMs - b.usedMs)) {
          if (bytes <= this.maxBytes * AFTER_EVICTION) break;
          // One that stays must not keep the others.
          if ((await remove(file.path)) === undefined) bytes -= file.bytes;
        }
      }
      this.#counted = bytes;
    } finally {
      this.#evicting = false;
    }
  }

  /** As `#files`, once what killed writers left is gone, or tried to be. */
  async #sweptFiles(): Promise<KeptFile[]> {
    const files = await this.#files();
    const latest = Date.now() - ABANDONED_MS;
    const abandoned = files.filter((file) => !isEntry(file) && file.usedMs < latest);
    const failures = await Promise.all(abandoned.map(({ path }) => remove(path)));
    const gone = abandoned.filter((_, i) => failures[i] === undefined);
    return gone.length === 0 ? files : files.filter((file) => !gone.includes(file));
  }

  /** The files of entries, and those that are to become some. */
  async #files(): Promise<KeptFile[]> {
    const files: KeptFile[] = [];
    const folders = await readdir(this.folder).catch(() => []);
    for (const name of folders.filter((each) => FOLDER.test(each))) {
      const folder = join(this.folder, name);
      const names = await readdir(folder).catch(() => []);
      await Promise.all(
        names.map(async (each) => {
          const path = join(folder, each);
          const status = await stat(path).catch(() => undefined);
          if (status === undefined || !status.isFile()) return;
          const key = NAME.test(each) ? name + each.slice(0, 62) : undefined;
          if (key !== undefined || TEMPORARY.test(each))
            files.push({ path, key, bytes: status.size, usedMs: status.mtimeMs });
        }),
      );
    }
    return files;
  }
}

/** Removes a file; gives why it is still there. */
const remove = (path: string): Promise<Error | undefined> =>
  rm(path, { force: true }).then(
    () => undefined,
    (error: Error) => error,
  );

const isError = (value: unknown): value is Error => value instanceof Error;

function stuck(expected: string, failures: readonly Error[]): PtxCompileError {
  const [cause] = failures;
  const found = `${failures.length} of another kind: ${cause!.message}`;
  return new PtxCompileError("CACHE", `expected entries of the cache that ${expected}, found ${found}`, {
    cause,
  });
}

const isEntry = (file: KeptFile): file is KeptFile & { readonly key: string } => file.key !== undefined;

const bytesOf = (files: readonly KeptFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
