// Whether others can change what a folder contains. Whoever can write to the cache determines the code that runs on the
// GPU, so a folder of somebody else, or one that others can write to, is not used unless the caller trusts them. Windows
// has no such modes; its cache folder lies in the user's profile.

import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { cacheRoot } from "./location.js";

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** In a sticky folder such as `/tmp`, only the owner of a file can rename or delete it. */
const STICKY = 0o1000;

/** A folder that exists: its path without links, and the reason why it is not to be used, if there is one. */
export interface ExaminedFolder {
  readonly path: string;
  readonly problem?: string;
}

/**
 * Nobody else may write to the folder, nor to the folder of the cache that a tenant's is in. Above that, it is enough that
 * not everyone can replace a folder. Undefined if there is no such folder, or it can't be examined and hence not be used
 * either.
 */
export function examineFolder(folder: string): ExaminedFolder | undefined {
  try {
    const path = realpathSync(folder);
    if (!statSync(path).isDirectory()) return undefined;
    const root = cacheRoot(path);
    for (let place = path; ; place = dirname(place)) {
      const status = statSync(place);
      const own = place.length >= root.length;
      const found = own ? accessOfOthers(status) : replaceable(status);
      if (found !== undefined) return { path, problem: refusal(folder, quoted(place), found) };
      if (place === dirname(place)) return { path };
    }
  } catch {
    return undefined;
  }
}

/** Whether a file belongs to this user, or to the administrator, who can change everything anyway. */
export function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === 0 || uid === process.geteuid();
}

/** By custom, a group with the number of its user has no other member. */
function accessOfOthers(status: Stats): string | undefined {
  const { mode, uid, gid } = status;
  if (process.geteuid === undefined) return undefined;
  if (!isOwn(status)) return `which belongs to user ${uid}`;
  if ((mode & OTHERS_WRITE) !== 0) return `which everyone can write to (mode ${octal(mode)})`;
  const isShared = (mode & GROUP_WRITES) !== 0 && (gid !== uid || uid === 0);
  return isShared ? `which group ${gid} can write to (mode ${octal(mode)})` : undefined;
}

function replaceable({ mode }: Stats): string | undefined {
  if (process.geteuid === undefined || (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return undefined;
  return `where everyone can replace it (mode ${octal(mode)})`;
}

const octal = (mode: number): string => (mode & 0o7777).toString(8);

function refusal(folder: string, place: string, found: string): string {
  return (
    `cache folder ${quoted(folder)}: expected a folder that only you can write to, found ${place}, ${found}; ` +
    "remove that access, choose another folder, or set `trustFolder` if you trust everyone who has it"
  );
}
