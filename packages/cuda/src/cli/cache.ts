// `cache`: the folder of cubins and results of compiling CUDA, and of what was fetched.

import { readdirSync } from "node:fs";
import { quoted } from "@mm-ptx/types/internal";
import { type CacheStats, DiskCache } from "../cache/disk.js";
import { type CacheEntryKind, ENTRY_KINDS } from "../cache/entry.js";
import { defaultCacheFolder, isTrusted } from "../cache/location.js";
import { type FetchedItem, fetchedIn, removeFetched } from "../fetch/places.js";
import { FileError, type Outcome, printable, reasonOf, UsageError } from "./framework.js";
import { bytesText } from "./text.js";

export type CacheAction = "clear" | "stats" | "verify";

export interface CacheFlags {
  readonly folder?: string;
  /** Whether `clear` also deletes what was fetched. */
  readonly fetched?: true;
}

type Actions = Readonly<Record<CacheAction, (cache: DiskCache, flags: CacheFlags) => Promise<Outcome>>>;

const ACTIONS: Actions = {
  async stats(cache) {
    const { folder, entries, kinds, unfinished, bytes, problem } = await cache.stats();
    const parts = [
      `${countedEntries(entries)}${byKind(kinds)}`,
      ...(unfinished > 0 ? [`${unfinished} unfinished`] : []),
      bytesText(bytes),
    ];
    const fetched = fetchedIn(folder);
    const also = fetched.map((each) => fetchedText("fetched", each)).join("");
    const unused = problem === undefined ? "" : `\nnot used: ${printable(problem)}`;
    return outcome(
      true,
      { folder, entries, kinds, unfinished, bytes, fetched, ...(problem === undefined ? {} : { problem }) },
      `${parts.join(", ")}${also}${unused}`,
    );
  },
  async clear(cache, flags) {
    const { folder } = cache;
    const removed = await cache.clear();
    const fetched = flags.fetched ? removedFrom(folder) : [];
    const also = fetched.map((each) => fetchedText("removed", each)).join("");
    return outcome(true, { folder, removed, fetched }, `${countedEntries(removed)} removed${also}`);
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

/** `fetched nvidia-nvjitlink-13.0.88, 94.3 MiB` */
const fetchedText = (what: "fetched" | "removed", { name, bytes }: FetchedItem): string =>
  `\n  ${what} ${printable(name)}, ${bytesText(bytes)}`;

/** @throws FileError */
function removedFrom(folder: string): readonly FetchedItem[] {
  try {
    return removeFetched(folder);
  } catch (error) {
    throw new FileError(`expected to delete what was fetched into ${quoted(folder)}: ${reasonOf(error)}`);
  }
}

/**
 * @throws FileError for a given folder that can't be read
 * @throws UsageError
 */
export async function cache(action: CacheAction, flags: CacheFlags): Promise<Outcome> {
  const { folder, fetched } = flags;
  if (fetched && action !== "clear")
    throw new UsageError(`expected \`--fetched\` with \`clear\`, found it with \`${action}\``);
  if (folder !== undefined) {
    try {
      readdirSync(folder);
    } catch (error) {
      throw new FileError(`expected a folder, found ${quoted(folder)}: ${reasonOf(error)}`);
    }
  }
  // Counting and clearing do not depend on the limit, which each compiler sets.
  const disk = new DiskCache(folder ?? defaultCacheFolder(), 0, { trustFolder: isTrusted() });
  return ACTIONS[action](disk, flags);
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
