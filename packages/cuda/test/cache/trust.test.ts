// Cache folders that others can change, and files of other kinds where entries should be.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { encodeEntry } from "../../src/cache/entry.js";
import { tenantFolder } from "../../src/cache/location.js";
import { DiskCache, PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { ENTRY, filesIn, KEY } from "../support/cache.js";
import { module } from "../support/ptx.js";

const POSIX = process.platform !== "win32";
const ROOT = process.geteuid?.() === 0;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-trust-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const entryPath = (place: string): string => join(place, KEY.slice(0, 2), `${KEY.slice(2)}.cubin`);

/** An entry that somebody has put into a folder. */
function plant(place: string): void {
  mkdirSync(dirname(entryPath(place)), { recursive: true });
  writeFileSync(entryPath(place), encodeEntry(KEY, ENTRY));
}

/** Folders that are not used, and the reason. */
const UNSAFE: readonly (readonly [name: string, make: () => string, found: string])[] = [
  ["one that everyone can write to", () => withMode("all", 0o777), "which everyone can write to (mode 777)"],
  [
    "one that everyone can write to, though sticky",
    () => withMode("all", 0o1777),
    "which everyone can write to (mode 1777)",
  ],
  [
    "one in a folder that everyone can write to",
    () => {
      const below = withMode("open/below", 0o700);
      chmodSync(dirname(below), 0o777);
      return below;
    },
    "where everyone can replace it (mode 777)",
  ],
  [
    "a link to one that everyone can write to",
    () => {
      symlinkSync(withMode("all", 0o777), join(folder, "link"));
      return join(folder, "link");
    },
    "which everyone can write to (mode 777)",
  ],
];
/** The same for folders that only the administrator can make. */
const FOREIGN: typeof UNSAFE = [
  ["one of another user", () => owned(1234, 1234, 0o755), "which belongs to user 1234"],
  ["one that a group can write to", () => owned(0, 1234, 0o770), "which group 1234 can write to (mode 770)"],
  [
    "a tenant's in one of another user",
    () => tenantOf(owned(1234, 1234, 0o755)),
    "which belongs to user 1234",
  ],
  [
    "a tenant's in one that a group can write to",
    () => tenantOf(owned(0, 1234, 0o770)),
    "which group 1234 can write to (mode 770)",
  ],
];

function withMode(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}

function owned(user: number, group: number, mode: number): string {
  const path = withMode("owned", mode);
  chownSync(path, user, group);
  return path;
}

function tenantOf(place: string): string {
  const path = tenantFolder(place, "a tenant");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

describe.runIf(POSIX)("folders that others can change", () => {
  test.each(ROOT ? [...UNSAFE, ...FOREIGN] : UNSAFE)("%s is not used", async (_, make, found) => {
    const warning = vi.spyOn(process, "emitWarning").mockReturnValue();
    const place = make();
    plant(place);
    const cache = new DiskCache(place, 2 ** 20);
    expect(cache.get(KEY)).toBeUndefined();
    cache.put("1".repeat(64), ENTRY);
    await cache.flush();
    expect(cache.problem).toContain("expected a folder that only you can write to, found");
    expect(cache.problem).toContain(found);
    expect(await cache.stats()).toMatchObject({ entries: 1, problem: cache.problem });
    expect(warning).toHaveBeenCalledExactlyOnceWith(
      `results are cached in this process's memory only: ${cache.problem}`,
      { code: "MM_PTX_CACHE_FOLDER" },
    );
    // The same folder warns only once.
    expect(new DiskCache(place, 2 ** 20).get(KEY)).toBeUndefined();
    expect(warning).toHaveBeenCalledOnce();

    const trusting = new DiskCache(place, 2 ** 20, { trustFolder: true });
    expect(trusting.get(KEY)).toEqual(ENTRY);
    expect((await trusting.stats()).problem).toBeUndefined();
    expect(await new DiskCache(place, 2 ** 20).clear()).toBe(1);
  });

  test.each([
    ["one that others can only read", () => withMode("read", 0o755)],
    [
      "one in a sticky folder, like those in /tmp",
      () => {
        const below = withMode("tmp/below", 0o700);
        chmodSync(dirname(below), 0o1777);
        return below;
      },
    ],
    ["a new one, which only this user can read", () => join(folder, "new", "cache")],
  ])("%s is used", async (_, make) => {
    const cache = new DiskCache(make(), 2 ** 20);
    cache.put(KEY, ENTRY);
    await cache.flush();
    expect(cache.get(KEY)).toEqual(ENTRY);
    expect(cache.problem).toBeUndefined();
  });

  test.runIf(ROOT)("an entry of another user is a miss", () => {
    plant(folder);
    expect(new DiskCache(folder, 2 ** 20).get(KEY)).toEqual(ENTRY);
    chownSync(entryPath(folder), 1234, 1234);
    expect(new DiskCache(folder, 2 ** 20).get(KEY)).toBeUndefined();
    expect(new DiskCache(folder, 2 ** 20, { trustFolder: true }).get(KEY)).toEqual(ENTRY);
  });

  test.runIf(BACKENDS.length > 0)("compilers cache in memory then, and say why", async () => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    const place = withMode("all", 0o777);
    const compile = async (cache: PtxCompilerOptions["cache"]) => {
      await using compiler = new PtxCompiler({ arch: "sm_90", workers: 1, cache: cache! });
      const from = [];
      for (let i = 0; i < 2; i++) from.push((await compiler.compile(module())).info.from);
      return { from, problem: compiler.stats.cacheProblem };
    };
    const { from, problem } = await compile({ folder: place });
    expect(from).toEqual(["compiled", "cache"]);
    expect(problem).toContain(
      `which everyone can write to (mode 777); remove that access, choose another folder, or set`,
    );
    expect(filesIn(place)).toEqual([]);
    expect(await compile({ folder: place, trustFolder: true })).toEqual({ from: ["compiled", "cache"] });
    expect(filesIn(place)).toHaveLength(1);
  });
});

describe("times in the future", () => {
  const later = Date.now() / 1000 + 10 * 365 * 86_400;
  const keyOf = (number: number): string => number.toString(16).padStart(64, "0");

  test("entries of the future are evicted first, and become entries of today when they are used", async () => {
    const size = encodeEntry(KEY, ENTRY).length;
    const cache = new DiskCache(folder, 10 * size);
    for (let i = 0; i < 10; i++) cache.put(keyOf(i), ENTRY);
    await cache.flush();
    for (const [i, path] of filesIn(folder).sort().entries()) if (i < 4) utimesSync(path, later, later);
    expect(cache.get(keyOf(0))).toEqual(ENTRY);
    cache.put(keyOf(10), ENTRY);
    await cache.flush();
    const left = Array.from({ length: 11 }, (_, i) => i).filter((i) => cache.get(keyOf(i)) !== undefined);
    expect(left).toEqual([0, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.each(["clear", "verify"] as const)("`%s` deletes unfinished files of the future", async (way) => {
    const cache = new DiskCache(folder, 2 ** 20);
    plant(folder);
    const unfinished = join(dirname(entryPath(folder)), ".abc.new");
    writeFileSync(unfinished, "half");
    utimesSync(unfinished, later, later);
    await cache[way]();
    expect((await cache.stats()).unfinished).toBe(0);
  });
});

/** Runs a module against the built package; a test that would wait for ever ends. */
function runAlone(lines: readonly string[]): unknown {
  const text = [
    `const dist = ${JSON.stringify(new URL("../../dist/", import.meta.url).href)};`,
    ...lines,
  ].join("\n");
  const { stdout, stderr, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    timeout: 20_000,
    killSignal: "SIGKILL",
    encoding: "utf8",
  });
  expect({ stderr, signal }).toEqual({ stderr: "", signal: null });
  return JSON.parse(stdout);
}

const pipe = (path: string): void => {
  expect(spawnSync("mkfifo", [path]).status).toBe(0);
};

describe.runIf(POSIX)("in the place of an entry", () => {
  test("a pipe, a socket, a folder, a link or a device is a miss", async () => {
    const sound = join(folder, "sound");
    plant(sound);
    const server = createServer();
    const kinds: Record<string, (path: string) => unknown> = {
      pipe,
      socket: (path) => new Promise<void>((resolve) => server.listen(path, resolve)),
      folder: (path) => mkdirSync(path),
      link: (path) => symlinkSync(entryPath(sound), path),
      device: (path) => symlinkSync("/dev/zero", path),
    };
    for (const [name, make] of Object.entries(kinds)) {
      // The path of a socket is short.
      mkdirSync(dirname(entryPath(join(folder, name))), { recursive: true });
      await make(entryPath(join(folder, name)));
    }
    try {
      const found = runAlone([
        "const { DiskCache } = await import(dist + 'index.js');",
        "const found = {};",
        `for (const name of ${JSON.stringify(Object.keys(kinds))}) {`,
        `  const cache = new DiskCache(${JSON.stringify(folder)} + "/" + name, 2 ** 20);`,
        `  const key = ${JSON.stringify(KEY)};`,
        `  const before = cache.get(key) !== undefined;`,
        `  const { sound, removed } = await cache.verify();`,
        `  cache.put(key, { output: new Uint8Array(3), log: "" });`,
        `  await cache.flush();`,
        `  found[name] = [before, sound, removed, await cache.clear()];`,
        `}`,
        `console.log(JSON.stringify(found));`,
      ]);
      // All but a folder are replaced by the next entry.
      expect(found).toEqual({
        pipe: [false, 0, 0, 1],
        socket: [false, 0, 0, 1],
        folder: [false, 0, 0, 0],
        link: [false, 0, 0, 1],
        device: [false, 0, 0, 1],
      });
    } finally {
      server.close();
    }
  });

  test("headers that are pipes or devices are not read for the cache", () => {
    const header = join(folder, "a.h");
    writeFileSync(header, "int a;");
    const found = runAlone([
      `import { spawnSync } from "node:child_process";`,
      `import { rmSync } from "node:fs";`,
      "const { currentFiles, listFiles } = await import(dist + 'cuda/cache/file-list.js');",
      `const path = ${JSON.stringify(header)};`,
      `const probed = { present: [path], absent: [] };`,
      `const list = await listFiles(probed, Date.now() + 1000);`,
      `rmSync(path);`,
      `spawnSync("mkfifo", [path]);`,
      `const current = currentFiles(list);`,
      `const again = await listFiles(probed, Date.now() + 1000);`,
      `const device = await listFiles({ present: ["/dev/zero"], absent: [] }, Date.now() + 1000);`,
      `console.log(JSON.stringify([list !== undefined, current === undefined, again === undefined, device === undefined]));`,
    ]);
    expect(found).toEqual([true, true, true, true]);
  });
});
