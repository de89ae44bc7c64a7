// `cache`: the folder of compiled cubins.

import { readdirSync } from "node:fs";
import { quoted } from "@mm-ptx/types/internal";
import { DiskCache } from "../cache/disk.js";
import { defaultCacheFolder } from "../cache/location.js";
import { FileError, type Outcome, printable, reasonOf } from "./framework.js";
import { bytesText } from "./text.js";

export type CacheAction = "clear" | "stats" | "verify";

type Actions = Readonly<Record<CacheAction, (cache: DiskCache) => Promise<Outcome>>>;

const ACTIONS: Actions = {
  async stats(cache) {
    const { folder, entries, unfinished, bytes } = await cache.stats();
    const parts = [
      countedEntries(entries),
      ...(unfinished > 0 ? [`${unfinished} unfinished`] : []),
      bytesText(bytes),
    ];
    return outcome(true, { folder, entries, unfinished, bytes }, parts.join(", "));
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
  return ACTIONS[action](new DiskCache(folder ?? defaultCacheFolder(), 0));
}

const countedEntries = (count: number): string => `${count} ${count === 1 ? "entry" : "entries"}`;

function outcome<Found extends { readonly folder: string }>(
  ok: boolean,
  found: Found,
  text: string,
): Outcome {
  return { ok, json: () => ({ ok, ...found }), text: () => `${printable(found.folder)}: ${text}\n` };
}
