// The cubins used last, in this process's own memory.

import type { CacheEntry } from "./entry.js";

export class MemoryCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, CacheEntry>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // To the end of the map, which is the order of last use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  put(key: string, entry: CacheEntry): void {
    const before = this.#entries.get(key);
    if (before !== undefined) {
      this.#bytes -= sizeOf(before);
      this.#entries.delete(key);
    }
    if (sizeOf(entry) > this.#maxBytes) return;
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
  }
}

const sizeOf = ({ cubin, log }: CacheEntry): number => cubin.length + log.length;
