// Cubins that were made before: from memory, from disk, from an equal job at the same time; and what may be wrong with a disk.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { decodeEntry, encodeEntry } from "../src/cache/entry.js";
import { cacheKey } from "../src/cache/key.js";
import { DiskCache, defaultCacheFolder, PtxCompiler, type PtxCompilerOptions } from "../src/index.js";
import { resolveOptions } from "../src/ptx/options.js";
import { BACKENDS } from "./support/backends.js";
import { module, slowModule } from "./support/ptx.js";

const KEY = "0123456789abcdef".repeat(4);
const ENTRY = { cubin: Uint8Array.from({ length: 300 }, (_, i) => i & 255), log: "ptxas info    : ä\n" };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (number: number): string => number.toString(16).padStart(64, "0");
const filesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name))
    : [];

describe("a file of the cache", () => {
  const bytes = encodeEntry(KEY, ENTRY);

  test("reads as what was written", () => {
    expect(decodeEntry(KEY, bytes)).toEqual(ENTRY);
    const empty = { cubin: new Uint8Array(), log: "" };
    expect(decodeEntry(KEY, encodeEntry(KEY, empty))).toEqual(empty);
  });

  test("is nothing when any bit of it differs, when it is cut or longer, and under another key", () => {
    for (let i = 0; i < bytes.length * 8; i++) {
      const damaged = Buffer.from(bytes);
      damaged[i >> 3]! ^= 1 << (i & 7);
      expect(decodeEntry(KEY, damaged)).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length++)
      expect(decodeEntry(KEY, bytes.subarray(0, length))).toBeUndefined();
    expect(decodeEntry(KEY, Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined();
    expect(decodeEntry(KEY.replace("0", "1"), bytes)).toBeUndefined();
  });
});

describe("the folder", () => {
  test("keeps entries for whoever opens it next", async () => {
    const cache = new DiskCache(join(folder, "not", "there", "yet"), 2 ** 20);
    expect(cache.get(KEY)).toBeUndefined();
    cache.put(KEY, ENTRY);
    await cache.flush();
    expect(cache.problem).toBeUndefined();
    const other = new DiskCache(cache.folder, 2 ** 20);
    expect(other.get(KEY)).toEqual(ENTRY);
    expect(await other.figures()).toMatchObject({ entries: 1, maxBytes: 2 ** 20 });
    expect(await other.clear()).toBe(1);
    expect(other.get(KEY)).toBeUndefined();
  });

  test("lets the longest unused entries go", async () => {
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
    expect((await cache.figures()).bytes).toBe(8 * size);
  });

  test("keeps to its limit with many who write to it", async () => {
    const size = encodeEntry(KEY, ENTRY).length;
    const caches = Array.from({ length: 4 }, () => new DiskCache(folder, 80 * size));
    let most = 0;
    for (let i = 0; i < 400; i++) {
      const cache = caches[i % 4]!;
      cache.put(keyOf(i), ENTRY);
      await cache.flush();
      most = Math.max(most, filesIn(folder).length);
    }
    // Each writes an eighth of the limit, and one entry more, before it counts what the others did.
    expect(most).toBeGreaterThan(80);
    expect(most).toBeLessThanOrEqual(80 + 4 * 11);
  });

  test("damaged files are misses, are removed, and verify counts them", async () => {
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

  test("what somebody else keeps there stays, and what a writer left behind does not", async () => {
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

  test("shows what killed writers left, and gets rid of it", async () => {
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
      const figures = await cache.figures();
      expect(figures, name).toMatchObject({ entries: 1, unfinished: 2, bytes: size + 5100 });
      await way();
      expect(existsSync(fresh), name).toBe(true);
      expect((await cache.figures()).unfinished, name).toBe(1);
    }
    // Those that may still be written count for the limit.
    leave(".0c.new", 1000, 0);
    cache.put(keyOf(1), ENTRY);
    await cache.flush();
    expect(await cache.figures()).toMatchObject({ entries: 0, unfinished: 2 });
  });

  test("where nothing can be written costs nothing but the cache", async () => {
    writeFileSync(join(folder, "file"), "");
    const cache = new DiskCache(join(folder, "file"), 2 ** 20);
    cache.put(KEY, ENTRY);
    await cache.flush();
    expect(cache.problem).toMatch(/ENOTDIR|EEXIST/);
    expect(cache.get(KEY)).toBeUndefined();
    expect(await cache.figures()).toMatchObject({ entries: 0 });
    const full = new DiskCache("/dev/full", 2 ** 20);
    full.put(KEY, ENTRY);
    await full.flush();
    expect(full.problem).toBeDefined();
  });

  test("a folder in the place of an entry is a miss", () => {
    const cache = new DiskCache(folder, 2 ** 20);
    mkdirSync(join(folder, KEY.slice(0, 2), `${KEY.slice(2)}.cubin`), { recursive: true });
    expect(cache.get(KEY)).toBeUndefined();
  });

  test("a damaged entry that cannot be removed is a miss", async () => {
    const cache = new DiskCache(folder, 2 ** 20);
    cache.put(KEY, ENTRY);
    await cache.flush();
    const [path] = filesIn(folder);
    truncateSync(path!, 100);
    const refused = vi.spyOn(fs, "rmSync").mockImplementation(() => {
      throw Object.assign(new Error("EROFS: read-only file system, unlink"), { code: "EROFS" });
    });
    syncBuiltinESMExports();
    try {
      expect(cache.get(KEY)).toBeUndefined();
      expect(refused).toHaveBeenCalled();
    } finally {
      refused.mockRestore();
      syncBuiltinESMExports();
    }
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

  test.runIf(process.getuid?.() !== 0)("that is read-only still gives what it has", async () => {
    const cache = new DiskCache(folder, 2 ** 20);
    cache.put(KEY, ENTRY);
    await cache.flush();
    for (const path of [filesIn(folder)[0]!, folder]) chmodSync(path, 0o500);
    expect(cache.get(KEY)).toEqual(ENTRY);
    chmodSync(folder, 0o700);
  });

  test("is where the platform keeps such things", () => {
    expect(defaultCacheFolder("linux", { XDG_CACHE_HOME: "/x" }, "/h")).toBe("/x/mm-ptx");
    expect(defaultCacheFolder("linux", {}, "/h")).toBe("/h/.cache/mm-ptx");
    expect(defaultCacheFolder("darwin", {}, "/h")).toBe("/h/Library/Caches/mm-ptx");
    expect(defaultCacheFolder("win32", { LOCALAPPDATA: "/l" }, "/h")).toBe(join("/l", "mm-ptx", "Cache"));
    expect(defaultCacheFolder("linux", { MM_PTX_CACHE_DIR: "/m", XDG_CACHE_HOME: "/x" }, "/h")).toBe("/m");
  });
});

describe("the key", () => {
  const target = resolveOptions({ arch: "sm_80" });
  const key = (source: Parameters<typeof cacheKey>[0]["source"], options: Partial<PtxCompilerOptions> = {}) =>
    cacheKey(
      {
        source,
        target: { ...target, ...resolveOptions({ arch: "sm_80", ...options }) },
        timeoutMs: 0,
        priority: 0,
      },
      "13.0.88",
    );

  test("is the same for the same text, whatever does not change machine code", () => {
    expect(key(module())).toMatch(/^[0-9a-f]{64}$/);
    expect(key(Buffer.from(module()))).toBe(key(module()));
    expect(key(module(), { workers: 7, timeoutMs: 5, backend: "ptxas" })).toBe(key(module()));
  });

  test("differs with whatever does", () => {
    const template = { names: ["f", "g"], segments: ["a", "b", "c"], holes: [0, 1], lines: [] };
    const keys = [
      key(module()),
      key(module("other")),
      ...[
        { arch: "sm_90" },
        { effort: "draft" as const },
        { maxRegisters: 32 },
        { lineInfo: true },
        { debug: true },
        { fmad: false },
      ].map((options) => key(module(), options)),
      cacheKey({ source: module(), target, timeoutMs: 0, priority: 0 }, "13.1.0"),
      key({ template, stubs: ["xy", ""] }),
      key({ template, stubs: ["x", "y"] }),
      key({ template: { ...template, holes: [1, 0] }, stubs: ["x", "y"] }),
      key({ template: { ...template, segments: ["ab", "", "c"] }, stubs: ["x", "y"] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe.each(BACKENDS)("a compiler with a cache, backend %s", (backend) => {
  const make = (options: object = {}) =>
    new PtxCompiler({ arch: "sm_80", backend, cache: { folder, ...options } });

  test("compiles once, and gives the same from memory and from disk", async () => {
    const first = make();
    const made = await first.compile(module());
    expect(made.info.from).toBe("compiled");
    const again = await first.compile(Buffer.from(module()));
    await first[Symbol.asyncDispose]();
    using second = make();
    const kept = await second.compile(module());
    for (const { cubin, info } of [again, kept]) {
      expect(info).toEqual({ ...made.info, from: "cache", milliseconds: 0 });
      expect(Buffer.compare(cubin, made.cubin)).toBe(0);
    }
    expect(second.figures).toMatchObject({ compiled: 0, fromCache: 1 });
  });

  test("what a caller does to its cubin is its own affair", async () => {
    using compiler = make();
    const made = await compiler.compile(module());
    const expected = Buffer.from(made.cubin);
    made.cubin.fill(0);
    const kept = await compiler.compile(module());
    kept.cubin.fill(0);
    expect(Buffer.compare((await compiler.compile(module())).cubin, expected)).toBe(0);
  });

  test("equal jobs at the same time are one compile", async () => {
    using compiler = make();
    const results = await compiler.compileAll(Array.from({ length: 20 }, (_, i) => module(`k${i % 2}`)));
    const from = results.map((result) => (result.ok ? result.info.from : result.error.code));
    expect(from.filter((each) => each === "compiled")).toHaveLength(2);
    expect(compiler.figures.compiled).toBe(2);
    const first = results[0]!;
    expect(
      results.every(
        (each, i) => i % 2 !== 0 || (each.ok && first.ok && Buffer.compare(each.cubin, first.cubin) === 0),
      ),
    ).toBe(true);
  });

  test("one that leaves does not end the compile of the others", async () => {
    using compiler = make();
    const ptx = slowModule(150);
    const controller = new AbortController();
    const leader = compiler.compile(ptx, { signal: controller.signal }).catch(({ code }) => code);
    const follower = compiler.compile(ptx);
    setTimeout(() => controller.abort(), 10);
    expect(await leader).toBe("ABORTED");
    expect((await follower).info.kernels).toHaveLength(150);
  });

  test("failures are not kept, and are told to each", async () => {
    using compiler = make();
    const codes = await Promise.all(
      Array.from({ length: 3 }, () => compiler.compile("no ptx").catch(({ code }) => code)),
    );
    expect(codes).toEqual(["SYNTAX", "SYNTAX", "SYNTAX"]);
    expect(await compiler.compile("no ptx").catch(({ code }) => code)).toBe("SYNTAX");
    await compiler[Symbol.asyncDispose]();
    expect(filesIn(folder)).toEqual([]);
  });

  test("without disk or memory", async () => {
    using memory = make({ maxBytes: 0 });
    await memory.compile(module());
    expect((await memory.compile(module())).info.from).toBe("cache");
    const disk = make({ memoryBytes: 0 });
    await disk.compile(module());
    await disk[Symbol.asyncDispose]();
    expect(filesIn(folder)).toHaveLength(1);
  });
});

/** Writes and reads the same few hundred entries without end. */
const HAMMER = `
import { DiskCache } from ${JSON.stringify(fileURLToPath(new URL("../dist/index.js", import.meta.url)))};
const cache = new DiskCache(process.argv[1], 400_000);
const entryOf = (i) => ({ cubin: new Uint8Array(500 + 37 * (i % 50)).fill(i), log: "log " + i });
for (let i = Number(process.argv[2]); ; i = (i * 5 + 3) % 512) {
  const key = i.toString(16).padStart(64, "0");
  const found = cache.get(key);
  if (found !== undefined && (found.log !== "log " + i || found.cubin.some((byte) => byte !== (i & 255)))) {
    console.log("wrong entry " + i);
    process.exit(3);
  }
  cache.put(key, entryOf(i));
  if (i % 16 === 0) { await cache.flush(); process.stdout.write("."); }
}`;

test("two processes that hammer one cache and are killed leave it sound", { timeout: 300_000 }, async () => {
  for (let round = 0; round < cases(200); round++) {
    const children = [1, 2].map((seed) =>
      spawn(process.execPath, ["--input-type=module", "-e", HAMMER, folder, `${seed + round}`], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    const said = children.map((child) => once(child.stdout, "data"));
    const ends = children.map((child) => once(child, "exit"));
    await Promise.all(said);
    await new Promise((resolve) => setTimeout(resolve, (round * 7) % 40));
    for (const child of children) child.kill("SIGKILL");
    for (const [code, signal] of await Promise.all(ends)) expect([code, signal]).toEqual([null, "SIGKILL"]);
    const { sound, removed } = await new DiskCache(folder, 2 ** 30).verify();
    expect(removed).toBe(0);
    expect(sound).toBeGreaterThan(0);
  }
});
