// The most recently used entries, in this process's memory.

import { USED_EXACTNESS_MS } from "./disk.js";
import type { CacheEntry, CacheEntryKind } from "./entry.js";

interface Kept {
  readonly entry: CacheEntry;
  /** When its use was last reported. */
  toldMs: number;
}

export class MemoryCache {
  readonly #maxBytes: number;
  readonly #tellUse: (key: string, kind: CacheEntryKind) => void;
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;

  /** @param tellUse called for entries that `get` returned, at most as often as the disk records times of use */
  constructor(maxBytes: number, tellUse: (key: string, kind: CacheEntryKind) => void) {
    this.#maxBytes = maxBytes;
    this.#tellUse = tellUse;
  }

  get(key: string, kind: CacheEntryKind): CacheEntry | undefined {
    const name = `${key} ${kind}`;
    const kept = this.#entries.get(name);
    if (kept === undefined) return undefined;
    // Moves it to the end of the map, which is ordered by last use.
    this.#entries.delete(name);
    this.#entries.set(name, kept);
    const now = Date.now();
    if (Math.abs(now - kept.toldMs) > USED_EXACTNESS_MS) {
      kept.toldMs = now;
      this.#tellUse(key, kind);
    }
    return kept.entry;
  }

  put(key: string, kind: CacheEntryKind, entry: CacheEntry): void {
    const name = `${key} ${kind}`;
    const before = this.#entries.get(name);
    if (before !== undefined) {
      this.#bytes -= sizeOf(before.entry);
      this.#entries.delete(name);
    }
    if (sizeOf(entry) > this.#maxBytes) return;
    this.#entries.set(name, { entry, toldMs: 0 });
    this.#bytes += sizeOf(entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= sizeOf(old.entry);
    }
  }
}

const sizeOf = ({ output, log }: CacheEntry): number => output.length + log.length;
