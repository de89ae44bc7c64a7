// The memory and the disk of a cache as one: what is found on disk is kept in memory from then on.

import { DiskCache } from "./disk.js";
import type { CacheEntry, CacheEntryKind } from "./entry.js";
import { MemoryCache } from "./memory.js";
import type { ResolvedCache } from "./options.js";

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

  /** Keeps the entry itself in memory, and stores it in the background. */
  put(key: string, kind: CacheEntryKind, entry: CacheEntry): void {
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
