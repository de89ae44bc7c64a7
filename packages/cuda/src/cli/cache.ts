// `cache`: the folder of cubins and results of compiling CUDA.

import { readdirSync } from "node:fs";
import { quoted } from "@mm-ptx/types/internal";
import { type CacheStats, DiskCache } from "../cache/disk.js";
import { type CacheEntryKind, ENTRY_KINDS } from "../cache/entry.js";
import { defaultCacheFolder, isTrusted } from "../cache/location.js";
import { FileError, type Outcome, printable, reasonOf } from "./framework.js";
import { bytesText } from "./text.js";

export type CacheAction = "clear" | "stats" | "verify";

type Actions = Readonly<Record<CacheAction, (cache: DiskCache) => Promise<Outcome>>>;

const ACTIONS: Actions = {
  async stats(cache) {
    const { folder, entries, kinds, unfinished, bytes, problem } = await cache.stats();
    const parts = [
      `${countedEntries(entries)}${byKind(kinds)}`,
      ...(unfinished > 0 ? [`${unfinished} unfinished`] : []),
      bytesText(bytes),
    ];
    const unused = problem === undefined ? "" : `\nnot used: ${printable(problem)}`;
    return outcome(
      true,
      { folder, entries, kinds, unfinished, bytes, ...(problem === undefined ? {} : { problem }) },
      `${parts.join(", ")}${unused}`,
    );
  },
  async clear(cache) {
    const removed = await cache.clear();
    return outcome(true, { folder: cache.folder, removed }, `${countedEntries(removed)} removed`);
  },
  async verify(cache) {
    const { sound, removed } = await cache.verify();
    const damaged = removed === 0 ? "none corrupt" : `${countedEntries(removed)} corrupt and deleted`;
    return outcome(
      removed === 0,
      { folder: cache.folder, sound, removed },
      `${countedEntries(sound)} sound, ${damaged}`,
    );
  },
};

/**
 * @param folder by default, the one that compilers use, which may not exist yet
 * @throws FileError for a given folder that can't be read
 */
export async function cache(action: CacheAction, folder: string | undefined): Promise<Outcome> {
  if (folder !== undefined) {
    try {
      readdirSync(folder);
    } catch (error) {
      throw new FileError(`expected a folder, found ${quoted(folder)}: ${reasonOf(error)}`);
    }
  }
  // Counting and clearing do not depend on the limit, which each compiler sets.
  const disk = new DiskCache(folder ?? defaultCacheFolder(), 0, { trustFolder: isTrusted() });
  return ACTIONS[action](disk);
}

const KIND_NAMES: Readonly<Record<CacheEntryKind, readonly [one: string, many: string]>> = {
  cubin: ["cubin", "cubins"],
  cuda: ["result from CUDA", "results from CUDA"],
  headers: ["list of headers", "lists of headers"],
};

/** ` (2 cubins, 1 result from CUDA)` */
function byKind(kinds: CacheStats["kinds"]): string {
  const counts = ENTRY_KINDS.filter((kind) => kinds[kind].entries > 0).map((kind) => {
    const { entries } = kinds[kind];
    return `${entries} ${KIND_NAMES[kind][entries === 1 ? 0 : 1]}`;
  });
  return counts.length === 0 ? "" : ` (${counts.join(", ")})`;
}

const countedEntries = (count: number): string => `${count} ${count === 1 ? "entry" : "entries"}`;

function outcome<Found extends { readonly folder: string }>(
  ok: boolean,
  found: Found,
  text: string,
): Outcome {
  return { ok, json: () => ({ ok, ...found }), text: () => `${printable(found.folder)}: ${text}\n` };
}
