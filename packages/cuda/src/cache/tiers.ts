// The memory and the disk of a cache as one: what is found on disk is kept in memory from then on.

import { DiskCache } from "./disk.js";
import type { CacheEntry, CacheEntryKind } from "./entry.js";
import { MemoryCache } from "./memory.js";
import type { ResolvedCache } from "./options.js";

/**
 * The size of the largest entry. Copying, hashing and reading a larger one would keep the event loop busy for longer than
 * a quarter of a second; a kilobyte of PTX can declare a gigabyte of data.
 */
const LARGEST = 32 * 2 ** 20;

export class TieredCache {
  readonly #disk: DiskCache | undefined;
  readonly #memory: MemoryCache;

  /** The cache that options describe. */
  static open({ folder, maxBytes, memoryBytes, trustFolder }: Exclude<ResolvedCache, false>): TieredCache {
    const disk = maxBytes > 0 ? new DiskCache(folder, maxBytes, { trustFolder }) : undefined;
    return new TieredCache(disk, memoryBytes);
  }

  constructor(disk: DiskCache | undefined, memoryBytes: number) {
    this.#disk = disk;
    this.#memory = new MemoryCache(memoryBytes, (key, kind) => disk?.touch(key, kind));
  }

  /** The entry itself, not a copy. */
  get(key: string, kind: CacheEntryKind): CacheEntry | undefined {
    let entry = this.#memory.get(key, kind);
    if (entry === undefined) {
      entry = this.#disk?.get(key, kind);
      if (entry !== undefined) this.#memory.put(key, kind, entry);
    }
    return entry;
  }

  /** Keeps a copy in memory, and stores it in the background; does nothing if it is too large. */
  put(key: string, kind: CacheEntryKind, { output, log }: CacheEntry): void {
    if (output.length + log.length > LARGEST) return;
    const entry = { output: new Uint8Array(output), log };
    this.#memory.put(key, kind, entry);
    this.#disk?.put(key, entry, kind);
  }

  /** Why nothing is stored on disk: the folder is not used, or the last write failed. */
  get problem(): string | undefined {
    return this.#disk?.problem;
  }

  /** Waits for pending writes. */
  async flush(): Promise<void> {
    await this.#disk?.flush();
  }
}
