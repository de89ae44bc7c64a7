// Whether others can change what a folder contains. Whoever can write to the cache determines the code that runs on the
// GPU, so a folder of somebody else, or one that others can write to, is not used unless the caller trusts them. Windows
// has no such modes; its cache folder lies in the user's profile.

import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { quoted } from "@mm-ptx/types/internal";

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** In a sticky folder such as `/tmp`, only the owner of a file can rename or delete it. */
const STICKY = 0o1000;

/** A folder that exists: its path without links, and the reason why it is not to be used, if there is one. */
export interface ExaminedFolder {
  readonly path: string;
  readonly problem?: string;
}

/** Undefined if there is no such folder, or it can't be examined and hence not be used either. */
export function examineFolder(folder: string): ExaminedFolder | undefined {
  try {
    const path = realpathSync(folder);
    const status = statSync(path);
    if (!status.isDirectory()) return undefined;
    const found = isOwn(status) ? writers(status) : `belongs to user ${status.uid}`;
    if (found !== undefined) return { path, problem: refusal(folder, `${quoted(path)}, which ${found}`) };
    for (let above = dirname(path), below = path; above !== below; below = above, above = dirname(above)) {
      const { mode } = statSync(above);
      if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) continue;
      const place = `one in ${quoted(above)}, where everyone can replace it (mode ${octal(mode)})`;
      return { path, problem: refusal(folder, place) };
    }
    return { path };
  } catch {
    return undefined;
  }
}

/** Whether a file belongs to this user, or to the administrator, who can change everything anyway. */
export function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === 0 || uid === process.geteuid();
}

/** Who besides the owner can write; by custom, a group with the number of its user has no other member. */
function writers({ mode, uid, gid }: Stats): string | undefined {
  if (process.geteuid === undefined) return undefined;
  if ((mode & OTHERS_WRITE) !== 0) return `everyone can write to (mode ${octal(mode)})`;
  const isShared = (mode & GROUP_WRITES) !== 0 && (gid !== uid || uid === 0);
  return isShared ? `group ${gid} can write to (mode ${octal(mode)})` : undefined;
}

const octal = (mode: number): string => (mode & 0o7777).toString(8);

function refusal(folder: string, found: string): string {
  return (
    `cache folder ${quoted(folder)}: expected a folder that only you can write to, found ${found}; ` +
    "remove that access, choose another folder, or set `trustFolder` if you trust everyone who has it"
  );
}
