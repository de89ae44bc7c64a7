// The most recently used cubins, in this process's memory.

import { USED_EXACTNESS_MS } from "./disk.js";
import type { CacheEntry } from "./entry.js";

interface Kept {
  readonly entry: CacheEntry;
  /** When its use was last reported. */
  toldMs: number;
}

export class MemoryCache {
  readonly #maxBytes: number;
  readonly #tellUse: (key: string) => void;
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;

  /** @param tellUse called for entries that `get` returned, at most as often as the disk records times of use */
  constructor(maxBytes: number, tellUse: (key: string) => void) {
    this.#maxBytes = maxBytes;
    this.#tellUse = tellUse;
  }

  get(key: string): CacheEntry | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) return undefined;
    // Moves it to the end of the map, which is ordered by last use.
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    const now = Date.now();
    if (now - kept.toldMs > USED_EXACTNESS_MS) {
      kept.toldMs = now;
      this.#tellUse(key);
    }
    return kept.entry;
  }

  put(key: string, entry: CacheEntry): void {
    const before = this.#entries.get(key);
    if (before !== undefined) {
      this.#bytes -= sizeOf(before.entry);
      this.#entries.delete(key);
    }
    if (sizeOf(entry) > this.#maxBytes) return;
    this.#entries.set(key, { entry, toldMs: 0 });
    this.#bytes += sizeOf(entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= sizeOf(old.entry);
    }
  }
}

const sizeOf = ({ cubin, log }: CacheEntry): number => cubin.length + log.length;
