// The files that a compile has read, and the places where it found none, in a form that tells later whether they are
// still the same. A file whose size, times and inode are unchanged is not read again. Places without a file are kept as
// names that their nearest existing folder does not have, so that one look at an unchanged folder answers for all of them.

import { hash } from "node:crypto";
import { lstatSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { READ_AT_ONCE, readRegular, readRegularSync } from "../../cache/files.js";

/** The files that a compile depends on, as absolute paths. */
export interface ProbedFiles {
  /** Files that were read, or whose existence mattered; may repeat. */
  readonly present: Iterable<string>;
  /** Places that were searched and had no file; may repeat. */
  readonly absent: Iterable<string>;
}

/** Size, modification time, change time and inode. */
type Identity = readonly [size: number, mtimeMs: number, ctimeMs: number, inode: number];

interface ListedFile {
  readonly path: string;
  /** A digest of its contents; `FOLDER` for a folder. */
  readonly digest: string;
  readonly identity: Identity;
}

interface ListedFolder {
  readonly path: string;
  /** Absent if the folder was changed too recently to tell later changes from that one. */
  readonly identity: Identity | undefined;
  /** Names that it did not have. */
  readonly without: readonly string[];
}

export interface FileList {
  readonly files: readonly ListedFile[];
  readonly folders: readonly ListedFolder[];
}

const FOLDER = "folder";
/** File systems keep times in steps of at most this, so two changes within one step look like one. */
const TIME_STEP_MS = 50;
/** The compiler replaces them by the time, so its results differ each time. */
const TIME_MACROS = ["__DATE__", "__TIME__", "__TIMESTAMP__"];
/** The number of files that are read and folders that are examined in one turn of the event loop. */
const FILES_A_TURN = 64;

/**
 * The list for a compile that began at `startMs`; undefined if a file was changed, added or removed since, because the
 * compiler may have seen another state of it, or if a file contains the time of its compile.
 */
export async function listFiles(
  { present, absent }: ProbedFiles,
  startMs: number,
): Promise<FileList | undefined> {
  const files: ListedFile[] = [];
  for (const path of new Set(present)) {
    const file = await listFile(path);
    if (file === undefined || file.identity[1] > startMs || file.identity[2] > startMs) {
      // The times of a folder change with its contents, which do not matter here.
      if (file?.digest !== FOLDER) return undefined;
    }
    files.push(file);
  }
  const folders = new Map<string, Set<string>>();
  let examined = 0;
  for (const path of new Set(absent)) {
    if (++examined % FILES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const place = missingPart(path);
    if (place === undefined) return undefined;
    const names = folders.get(place.folder);
    if (names === undefined) folders.set(place.folder, new Set([place.name]));
    else names.add(place.name);
  }
  return { files, folders: [...folders].map(([path, without]) => listFolder(path, [...without])) };
}

export const hasTime = (text: string): boolean => TIME_MACROS.some((name) => text.includes(name));

async function listFile(path: string): Promise<ListedFile | undefined> {
  try {
    const before = statSync(path);
    if (before.isDirectory()) return { path, digest: FOLDER, identity: identityOf(before) };
    const { bytes } = await readRegular(path, READ_AT_ONCE);
    if (TIME_MACROS.some((name) => bytes.includes(name))) return undefined;
    const digest = digestOf(bytes);
    const identity = identityOf(statSync(path));
    return isSame(identityOf(before), identity) ? { path, digest, identity } : undefined;
  } catch {
    return undefined;
  }
}

/** The nearest existing folder above a missing file, and the name that it lacks; undefined if the file exists. */
function missingPart(path: string): { readonly folder: string; readonly name: string } | undefined {
  let missing = path;
  for (;;) {
    // A link to nothing exists, but may lead to a file later without any change of its folder.
    if (lstatSync(missing, { throwIfNoEntry: false }) !== undefined) return undefined;
    const folder = dirname(missing);
    if (folder === missing) return undefined;
    if (exists(folder)) return { folder, name: basename(missing) };
    missing = folder;
  }
}

function listFolder(path: string, without: readonly string[]): ListedFolder {
  const found = statSync(path, { throwIfNoEntry: false });
  return { path, identity: found === undefined ? undefined : settled(identityOf(found)), without };
}

/**
 * The same list if nothing has changed that matters, or a list of the current state if files differ; undefined if one
 * was removed, or a file is now in a place without one.
 */
export function currentFiles(list: FileList): FileList | undefined {
  if (!list.folders.every(stillLacks)) return undefined;
  let changed = false;
  const files: ListedFile[] = [];
  for (const file of list.files) {
    const current = currentFile(file);
    if (current === undefined) return undefined;
    changed ||= current !== file;
    files.push(current);
  }
  if (!changed) return list;
  return { files, folders: list.folders.map(({ path, without }) => listFolder(path, without)) };
}

function stillLacks({ path, identity, without }: ListedFolder): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (identity !== undefined && isSame(identity, identityOf(found))) return true;
  return without.every((name) => !exists(`${path}/${name}`));
}

function currentFile(file: ListedFile): ListedFile | undefined {
  const { path, identity, digest } = file;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (digest === FOLDER || found.isDirectory())
    return digest === FOLDER && found.isDirectory() ? file : undefined;
  const now = identityOf(found);
  if (isSame(identity, now)) return file;
  try {
    const read = digestOf(readRegularSync(path, READ_AT_ONCE).bytes);
    const after = statSync(path, { throwIfNoEntry: false });
    if (after === undefined || !isSame(now, identityOf(after))) return undefined;
    // Without an identity that is sure to change with the file, it is read again next time.
    return { path, digest: read, identity: settled(now) ?? [-1, 0, 0, 0] };
  } catch {
    return undefined;
  }
}

const fingerprints = new WeakMap<FileList, string>();

/** What the list says about contents, regardless of times and inodes. */
export function fingerprintOf(list: FileList): string {
  const known = fingerprints.get(list) ?? makeFingerprint(list);
  fingerprints.set(list, known);
  return known;
}

function makeFingerprint({ files, folders }: FileList): string {
  const contents = files.map(({ path, digest }) => `${path}\0${digest}`);
  const lacking = folders.map(({ path, without }) => [path, ...without].join("\0"));
  return hash("sha256", `${contents.join("\n")}\n\n${lacking.join("\n")}`);
}

export function encodeFileList({ files, folders }: FileList): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      files: files.map(({ path, digest, identity }) => [path, digest, ...identity]),
      folders: folders.map(({ path, identity, without }) => [path, identity ?? null, without]),
    }),
  );
}

/** @param bytes from `encodeFileList` */
export function decodeFileList(bytes: Uint8Array): FileList {
  const { files, folders } = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
  ) as {
    readonly files: readonly (readonly [string, string, ...Identity])[];
    readonly folders: readonly (readonly [string, Identity | null, readonly string[]])[];
  };
  return {
    files: files.map(([path, digest, ...identity]) => ({ path, digest, identity })),
    folders: folders.map(([path, identity, without]) => ({ path, identity: identity ?? undefined, without })),
  };
}

const identityOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): Identity => [size, mtimeMs, ctimeMs, ino];

const isSame = (a: Identity, b: Identity): boolean =>
  a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

/** The identity, unless the last change is so recent that another one could look the same. */
function settled(identity: Identity): Identity | undefined {
  const [, mtimeMs, ctimeMs] = identity;
  return Math.max(mtimeMs, ctimeMs) < Date.now() - TIME_STEP_MS ? identity : undefined;
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "base64");
