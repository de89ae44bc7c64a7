// Key files, with which workers, submitters and viewers authenticate to the server. The server's own folder
// lists their public parts.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { FarmError } from "./error.js";
import { isToken, TOKEN_WORDS } from "./names.js";
import { type KeyEntry, ROLES, type Role } from "./server/roles.js";

/** The content of a file with a key. */
export interface Key {
  readonly role: Role;
  readonly name: string;
  /** An nkey's seed, which is secret. */
  readonly seed: string;
}

const A_KEY = "a key that `mm-ptx-farm keys` made";
const A_LIST = "a list of keys";
const SEED = /^SU[A-Z2-7]{40,80}$/;

/**
 * Reads a file with a key.
 *
 * @param wanted the role that the key must have, if it matters
 * @throws FarmError `INVALID_ARGUMENT`
 */
export function readKey(path: string, wanted?: Role): Key {
  const { role, name, seed } = jsonIn(path, A_KEY) as Partial<Record<keyof Key, unknown>>;
  if (isRole(role) && isToken(name) && typeof seed === "string" && SEED.test(seed)) {
    if (wanted === undefined || role === wanted) return { role, name, seed };
    throw new FarmError(
      "INVALID_ARGUMENT",
      `expected a key with the role ${wanted}, found ${path} with the role ${role}`,
    );
  }
  throw new FarmError("INVALID_ARGUMENT", `expected ${A_KEY}, found ${path}`);
}

const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);

/** The file in the server's folder that lists the keys that it accepts. */
const listOf = (folder: string): string => join(folder, "keys.json");

/** The keys that the server of a folder accepts; none if everybody may connect. @throws FarmError `INVALID_ARGUMENT` */
export function listedKeys(folder: string): readonly KeyEntry[] {
  const path = listOf(folder);
  if (!existsSync(path)) return [];
  const list = jsonIn(path, A_LIST);
  const isEntry = (value: unknown): value is KeyEntry => {
    const entry = value as Partial<Record<keyof KeyEntry, unknown>>;
    return isRole(entry?.role) && isToken(entry.name) && /^U[A-Z2-7]{55}$/.test(String(entry.public));
  };
  if (Array.isArray(list) && list.every(isEntry)) return list;
  throw new FarmError("INVALID_ARGUMENT", `expected ${A_LIST}, found ${path}`);
}

/** Where the key of the server's own process is. */
export const adminKeyOf = (folder: string): string => join(folder, "admin.key");

/**
 * Makes a key and adds it to those that the server of a folder accepts from its next start on. With the first
 * key of a folder, a key for the server's own process is made as well.
 *
 * @returns the path of the file with the key
 * @throws FarmError `INVALID_ARGUMENT` if the name has invalid characters or is taken
 */
export function addKey(folder: string, role: Role, name: string): string {
  if (!isToken(name))
    throw new FarmError("INVALID_ARGUMENT", `expected a name of ${TOKEN_WORDS}, found ${name}`);
  const listed = listedKeys(folder);
  if (listed.some((entry) => entry.role === role && entry.name === name))
    throw new FarmError("INVALID_ARGUMENT", `expected a new name for the role ${role}, found ${name}`);
  const path = join(folder, role === "admin" ? "admin.key" : join("keys", `${role}-${name}.key`));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const pair = createUser();
  const key: Key = { role, name, seed: Buffer.from(pair.getSeed()).toString("latin1") };
  // Not over an existing file, whose key would be lost.
  writeFileSync(path, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  const all = [...listed, { role, name, public: pair.getPublicKey() }];
  writeFileSync(listOf(folder), `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  if (role !== "admin" && !all.some((entry) => entry.role === "admin")) addKey(folder, "admin", "serve");
  return path;
}

/** @param expected what the file should be @throws FarmError `INVALID_ARGUMENT` */
function jsonIn(path: string, expected: string): unknown {
  const wrong = (reason: string, cause?: unknown): FarmError =>
    new FarmError("INVALID_ARGUMENT", `expected ${expected}, found ${path}: ${reason}`, { cause });
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw wrong(code === "ENOENT" ? "no such file" : message, cause);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Its message would quote the file, which may be another secret.
  }
  throw wrong("not an object in JSON");
}
