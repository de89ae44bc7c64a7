// The cache's folder: sharing, its size limit, and disk failures.

import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encodeEntry } from "../../src/cache/entry.js";
import { DiskCache, defaultCacheFolder } from "../../src/index.js";
import { ENTRY, filesIn, KEY } from "../support/cache.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (number: number): string => number.toString(16).padStart(64, "0");

/** The error that a function of Node throws for this reason. */
const failing = (code: string, call: string) => (): never => {
  throw Object.assign(new Error(`${code}: not here, ${call} '/x'`), { code });
};

/** Runs something with replacements for functions of `node:fs` and `node:fs/promises`. */
async function withDisk(
  functions: Readonly<Record<string, (...args: never[]) => unknown>>,
  run: () => Promise<void>,
): Promise<void> {
  const spies = Object.entries(functions).map(([name, other]) => {
    const owner = (name.endsWith("Sync") ? fs : fs.promises) as unknown as Record<string, () => unknown>;
    return vi.spyOn(owner, name).mockImplementation(other);
  });
  syncBuiltinESMExports();
  try {
    await run();
    for (const spy of spies) expect(spy).toHaveBeenCalled();
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
}

test("keeps entries for the next process", async () => {
  const cache = new DiskCache(join(folder, "not", "there", "yet"), 2 ** 20);
  expect(cache.get(KEY)).toBeUndefined();
  cache.put(KEY, ENTRY);
  await cache.flush();
  expect(cache.problem).toBeUndefined();
  const other = new DiskCache(cache.folder, 2 ** 20);
  expect(other.get(KEY)).toEqual(ENTRY);
  expect(await other.stats()).toMatchObject({ entries: 1, maxBytes: 2 ** 20 });
  expect(await other.clear()).toBe(1);
  expect(other.get(KEY)).toBeUndefined();
});

test("evicts the least recently used entries", async () => {
  const size = encodeEntry(KEY, ENTRY).length;
  const cache = new DiskCache(folder, 10 * size);
  for (let i = 0; i < 10; i++) {
    cache.put(keyOf(i), ENTRY);
    await cache.flush();
  }
  // All were used days ago, in this order, and then the first again.
  for (const [i, path] of filesIn(folder).sort().entries()) utimesSync(path, i, i);
  expect(cache.get(keyOf(0))).toEqual(ENTRY);
  cache.put(keyOf(10), ENTRY);
  await cache.flush();
  const left = Array.from({ length: 11 }, (_, i) => i).filter((i) => cache.get(keyOf(i)) !== undefined);
  expect(left).toEqual([0, 4, 5, 6, 7, 8, 9, 10]);
  expect((await cache.stats()).bytes).toBe(8 * size);
});

test("stays within its limit with many writers", async () => {
  const size = encodeEntry(KEY, ENTRY).length;
  const caches = Array.from({ length: 4 }, () => new DiskCache(folder, 80 * size));
  let most = 0;
  for (let i = 0; i < 400; i++) {
    const cache = caches[i % 4]!;
    cache.put(keyOf(i), ENTRY);
    await cache.flush();
    most = Math.max(most, filesIn(folder).length);
  }
  // Each process writes an eighth of the limit, and one more entry, before it counts what the others wrote.
  expect(most).toBeGreaterThan(80);
  expect(most).toBeLessThanOrEqual(80 + 4 * 11);
});

test("corrupt files are misses, are deleted, and verify counts them", async () => {
  const cache = new DiskCache(folder, 2 ** 20);
  for (let i = 0; i < 6; i++) cache.put(keyOf(i), ENTRY);
  await cache.flush();
  const files = filesIn(folder).sort();
  truncateSync(files[0]!, 100);
  writeFileSync(files[1]!, "");
  writeFileSync(files[2]!, readFileSync(files[3]!));
  expect(cache.get(keyOf(0))).toBeUndefined();
  expect(existsSync(files[0]!)).toBe(false);
  expect(await cache.verify()).toEqual({ sound: 3, removed: 2 });
  expect(await cache.verify()).toEqual({ sound: 3, removed: 0 });
});

test("foreign files stay, and the temporary files of killed writers do not", async () => {
  const cache = new DiskCache(folder, 1000);
  cache.put(KEY, ENTRY);
  await cache.flush();
  const [path] = filesIn(folder);
  const others = [join(folder, "README"), join(path!, "..", "notes.txt"), join(path!, "..", ".fresh0.new")];
  for (const other of others) writeFileSync(other, "mine");
  const left = join(path!, "..", ".abc.new");
  writeFileSync(left, "half");
  utimesSync(left, 1, 1);
  expect(await cache.clear()).toBe(1);
  expect(filesIn(folder).sort()).toEqual([...others].sort());
});

test("reports the temporary files of killed writers, and deletes them", async () => {
  const cache = new DiskCache(folder, 1000);
  const size = encodeEntry(KEY, ENTRY).length;
  const leave = (name: string, bytes: number, ageMs: number): string => {
    const path = join(folder, KEY.slice(0, 2), name);
    writeFileSync(path, Buffer.alloc(bytes));
    const at = new Date(Date.now() - ageMs);
    utimesSync(path, at, at);
    return path;
  };
  cache.put(KEY, ENTRY);
  await cache.flush();
  const fresh = leave(".0a.new", 100, 0);
  const ways = {
    clear: () => cache.clear(),
    verify: () => cache.verify(),
    write: async () => {
      cache.put(KEY, ENTRY);
      await cache.flush();
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    cache.put(KEY, ENTRY);
    await cache.flush();
    leave(".0b.new", 5000, 90_000);
    const stats = await cache.stats();
    expect(stats, name).toMatchObject({ entries: 1, unfinished: 2, bytes: size + 5100 });
    await way();
    expect(existsSync(fresh), name).toBe(true);
    expect((await cache.stats()).unfinished, name).toBe(1);
  }
  // Files that may still be written count against the limit.
  leave(".0c.new", 1000, 0);
  cache.put(keyOf(1), ENTRY);
  await cache.flush();
  expect(await cache.stats()).toMatchObject({ entries: 0, unfinished: 2 });
});

test("a folder that is not writable only disables the cache", async () => {
  writeFileSync(join(folder, "file"), "");
  const cache = new DiskCache(join(folder, "file"), 2 ** 20);
  cache.put(KEY, ENTRY);
  await cache.flush();
  expect(cache.problem).toMatch(/ENOTDIR|EEXIST/);
  expect(cache.get(KEY)).toBeUndefined();
  expect(await cache.stats()).toMatchObject({ entries: 0 });
  const full = new DiskCache("/dev/full", 2 ** 20);
  full.put(KEY, ENTRY);
  await full.flush();
  expect(full.problem).toBeDefined();
});

test("a folder instead of an entry is a miss", () => {
  const cache = new DiskCache(folder, 2 ** 20);
  mkdirSync(join(folder, KEY.slice(0, 2), `${KEY.slice(2)}.cubin`), { recursive: true });
  expect(cache.get(KEY)).toBeUndefined();
});

test("on a read-only disk, corrupt entries are misses, and clearing reports the failure", async () => {
  const cache = new DiskCache(folder, 2 ** 20);
  for (const key of [KEY, keyOf(1)]) cache.put(key, ENTRY);
  await cache.flush();
  truncateSync(filesIn(join(folder, KEY.slice(0, 2)))[0]!, 100);
  const refused = failing("EROFS", "unlink");
  const all = async () => refused();
  await withDisk({ rmSync: refused, rm: all, writeFile: all }, async () => {
    expect(cache.get(KEY)).toBeUndefined();
    expect(cache.get(keyOf(1))).toEqual(ENTRY);
    cache.put(keyOf(2), ENTRY);
    await cache.flush();
    expect(cache.problem).toMatch(/^EROFS/);
    const message = /^expected entries of the cache that can be removed, found 2 of another kind: EROFS/;
    await expect(cache.clear()).rejects.toMatchObject({
      code: "CACHE",
      message: expect.stringMatching(message),
    });
    await expect(cache.verify()).rejects.toMatchObject({
      code: "CACHE",
      message: expect.stringContaining("found 1 of another kind: EROFS"),
    });
  });
  expect(await cache.verify()).toEqual({ sound: 1, removed: 1 });
});

test("an unreadable entry counts neither as sound nor as deleted", async () => {
  const cache = new DiskCache(folder, 2 ** 20);
  cache.put(KEY, ENTRY);
  await cache.flush();
  const refused = failing("EACCES", "open");
  await withDisk({ open: async () => refused() }, async () => {
    await expect(cache.verify()).rejects.toMatchObject({
      code: "CACHE",
      message: expect.stringContaining("found 1 of another kind: EACCES"),
    });
  });
});

test("entries that cannot be deleted do not stop the deletion of others", async () => {
  const size = encodeEntry(KEY, ENTRY).length;
  const cache = new DiskCache(folder, 4 * size);
  for (let i = 0; i < 4; i++) cache.put(keyOf(i), ENTRY);
  await cache.flush();
  for (const [i, path] of filesIn(folder).sort().entries()) utimesSync(path, i, i);
  const stuck = filesIn(folder).sort()[0]!;
  const { rm } = fs.promises;
  const refused = failing("EACCES", "unlink");
  const options = { rm: (path: string) => (path === stuck ? Promise.resolve().then(refused) : rm(path)) };
  await withDisk(options, async () => {
    cache.put(keyOf(4), ENTRY);
    await cache.flush();
  });
  expect(cache.problem).toBeUndefined();
  expect(filesIn(folder).sort().indexOf(stuck)).toBe(0);
  expect(filesIn(folder)).toHaveLength(3);
});

test("a full disk only loses the entry, and leaves no partial file", async () => {
  const cache = new DiskCache(folder, 2 ** 20);
  cache.put(KEY, ENTRY);
  await cache.flush();
  const { writeFile } = fs.promises;
  const refused = failing("ENOSPC", "write");
  const half = async (path: string, bytes: Uint8Array, options: object) => {
    await writeFile(path, bytes.subarray(0, 40), options);
    refused();
  };
  await withDisk({ writeFile: half }, async () => {
    cache.put(keyOf(1), ENTRY);
    await cache.flush();
  });
  expect(cache.problem).toMatch(/^ENOSPC/);
  expect(await cache.stats()).toMatchObject({ entries: 1, unfinished: 0 });
  expect([cache.get(KEY), cache.get(keyOf(1))]).toEqual([ENTRY, undefined]);
});

test.each<[string, unknown, unknown, string]>([
  ["no folder", undefined, 1, "option `folder`: expected the path of a folder, found undefined"],
  ["no limit", "x", Number.NaN, "option `maxBytes`: expected a whole number"],
])("refuses %s", (_, place, limit, message) => {
  expect(() => new DiskCache(place as string, limit as number)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
  );
});

test.runIf(process.platform === "linux")(
  "that can never be made is a problem, and no endless trying",
  async () => {
    const cache = new DiskCache("/proc/not/there", 2 ** 20);
    cache.put(KEY, ENTRY);
    await cache.flush();
    expect(cache.problem).toMatch(/ENOENT/);
  },
);

test("is in the platform's cache folder", () => {
  expect(defaultCacheFolder("linux", { XDG_CACHE_HOME: "/x" }, "/h")).toBe("/x/mm-ptx");
  expect(defaultCacheFolder("linux", {}, "/h")).toBe("/h/.cache/mm-ptx");
  expect(defaultCacheFolder("darwin", {}, "/h")).toBe("/h/Library/Caches/mm-ptx");
  expect(defaultCacheFolder("win32", { LOCALAPPDATA: "/l" }, "/h")).toBe(join("/l", "mm-ptx", "Cache"));
  expect(defaultCacheFolder("linux", { MM_PTX_CACHE_DIR: "/m", XDG_CACHE_HOME: "/x" }, "/h")).toBe("/m");
});
