// The files of a cache's folder: where an entry is, and which files are entries.

import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CacheEntryKind, ENTRY_KINDS } from "./entry.js";

export interface KeptFile {
  readonly path: string;
  /** Undefined for a temporary file. */
  readonly entry: { readonly key: string; readonly kind: CacheEntryKind } | undefined;
  readonly bytes: number;
  readonly usedMs: number;
}

const NAME = new RegExp(`^([0-9a-f]{62})\\.(${ENTRY_KINDS.join("|")})$`);
const FOLDER = /^[0-9a-f]{2}$/;
const TEMPORARY = /^\.[0-9a-f]+\.new$/;

export const pathOf = (folder: string, key: string, kind: CacheEntryKind): string =>
  join(folder, key.slice(0, 2), `${key.slice(2)}.${kind}`);

/** Entry files, and temporary files that will become entries. Files of other names or kinds are ignored. */
export async function filesOf(root: string): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  const folders = await readdir(root).catch(() => []);
  for (const name of folders.filter((each) => FOLDER.test(each))) {
    const folder = join(root, name);
    const names = await readdir(folder).catch(() => []);
    await Promise.all(
      names.map(async (each) => {
        const path = join(folder, each);
        const status = await lstat(path).catch(() => undefined);
        if (status === undefined || !status.isFile()) return;
        const [, rest, kind] = NAME.exec(each) ?? [];
        const entry = rest === undefined ? undefined : { key: name + rest, kind: kind as CacheEntryKind };
        if (entry !== undefined || TEMPORARY.test(each))
          files.push({ path, entry, bytes: status.size, usedMs: status.mtimeMs });
      }),
    );
  }
  return files;
}

export const isEntry = (file: KeptFile): file is KeptFile & { readonly entry: object } =>
  file.entry !== undefined;

export const bytesOf = (files: readonly KeptFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Deletes a file; returns the reason if it still exists. */
export const remove = (path: string): Promise<Error | undefined> =>
  rm(path, { force: true }).then(
    () => undefined,
    (error: Error) => error,
  );
