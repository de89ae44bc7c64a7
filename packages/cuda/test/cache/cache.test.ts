// Cached cubins, from memory, from disk, and from an equal job in flight.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { decodeEntry, encodeEntry } from "../../src/cache/entry.js";
import { cacheKey } from "../../src/cache/key.js";
import type { CudaBackend } from "../../src/cuda/backend.js";
import { cudaKey } from "../../src/cuda/cache/key.js";
import { resolveCompileOptions } from "../../src/cuda/options.js";
import { DiskCache, PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { resolveOptions } from "../../src/ptx/options.js";
import { BACKENDS } from "../support/backends.js";
import { ENTRY, filesIn, KEY } from "../support/cache.js";
import { module, slowModule } from "../support/ptx.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of the cache", () => {
  const bytes = encodeEntry(KEY, ENTRY);

  test("reads as what was written", () => {
    expect(decodeEntry(KEY, bytes)).toEqual(ENTRY);
    const empty = { output: new Uint8Array(), log: "" };
    expect(decodeEntry(KEY, encodeEntry(KEY, empty))).toEqual(empty);
  });

  test("is rejected if any bit differs, if it is truncated or extended, and under another key", () => {
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
      { version: "13.0.88" },
    );

  test("is the same for the same text, regardless of options that do not change machine code", () => {
    expect(key(module())).toMatch(/^[0-9a-f]{64}$/);
    expect(key(Buffer.from(module()))).toBe(key(module()));
    expect(key(module(), { workers: 7, timeoutMs: 5, backend: "ptxas" })).toBe(key(module()));
  });

  test("differs with the processor, on which the compiler may round constants differently", () => {
    const options = resolveCompileOptions({ arch: "sm_80" }, "nvcc");
    const backend = { name: "nvcc", version: "13.0.88", surroundings: () => [] } as unknown as CudaBackend;
    const { arch } = process;
    const keysOn = (value: NodeJS.Architecture): string[] => {
      Object.defineProperty(process, "arch", { value });
      return [key(module()), cudaKey(backend, "a source", options)];
    };
    try {
      expect(new Set([...keysOn("x64"), ...keysOn("arm64")]).size).toBe(4);
    } finally {
      Object.defineProperty(process, "arch", { value: arch });
    }
  });

  test("differs with every option that does", () => {
    const template = { names: ["f", "g"], segments: ["a", "b", "c"], holes: [0, 1], lines: [] };
    const keys = [
      key(module()),
      key(module("other")),
      cacheKey({ source: module(), target, timeoutMs: 0, priority: 0 }, { version: "13.1.0" }),
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

  test("compiles once, and returns the same from memory and from disk", async () => {
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
    expect(second.stats).toMatchObject({ compiled: 0, fromCache: 1 });
  });

  test("a caller's changes to its cubin affect no other result", async () => {
    using compiler = make();
    const made = await compiler.compile(module());
    const expected = Buffer.from(made.cubin);
    made.cubin.fill(0);
    const kept = await compiler.compile(module());
    kept.cubin.fill(0);
    expect(Buffer.compare((await compiler.compile(module())).cubin, expected)).toBe(0);
  });

  test("equal jobs in flight share one compile", async () => {
    using compiler = make();
    const results = await compiler.compileAll(Array.from({ length: 20 }, (_, i) => module(`k${i % 2}`)));
    const from = results.map((result) => (result.ok ? result.info.from : result.error.code));
    expect(from.filter((each) => each === "compiled")).toHaveLength(2);
    expect(compiler.stats.compiled).toBe(2);
    const first = results[0]!;
    expect(
      results.every(
        (each, i) => i % 2 !== 0 || (each.ok && first.ok && Buffer.compare(each.cubin, first.cubin) === 0),
      ),
    ).toBe(true);
  });

  test("cancelling one of them does not end the compile of the others", async () => {
    using compiler = make();
    const ptx = slowModule(150);
    const controller = new AbortController();
    const leader = compiler.compile(ptx, { signal: controller.signal }).catch(({ code }) => code);
    const follower = compiler.compile(ptx);
    setTimeout(() => controller.abort(), 10);
    expect(await leader).toBe("ABORTED");
    expect((await follower).info.kernels).toHaveLength(150);
  });

  test("failures are not cached, and are reported to each job", async () => {
    using compiler = make();
    const codes = await Promise.all(
      Array.from({ length: 3 }, () => compiler.compile("no ptx").catch(({ code }) => code)),
    );
    expect(codes).toEqual(["SYNTAX", "SYNTAX", "SYNTAX"]);
    expect(await compiler.compile("no ptx").catch(({ code }) => code)).toBe("SYNTAX");
    await compiler[Symbol.asyncDispose]();
    expect(filesIn(folder)).toEqual([]);
  });

  test("a corrupt entry is compiled and written again, wherever the corruption is", async () => {
    const made = await (async () => {
      const first = make({ memoryBytes: 0 });
      const { cubin } = await first.compile(module());
      await first[Symbol.asyncDispose]();
      return Buffer.from(cubin);
    })();
    const [path] = filesIn(folder) as [string];
    const sound = readFileSync(path);
    const logEnd = 48 + sound.readUInt32LE(40);
    const all = [0, 8, 40, 44, 48, logEnd, sound.length - 32, sound.length];
    // What is written does not depend on the backend, and each compile starts another one.
    const regions = SOAK || backend === BACKENDS[0] ? all : all.slice(-3);
    for (const [i, start] of regions.slice(0, -1).entries()) {
      for (const at of [start, regions[i + 1]! - 1]) {
        const damaged = Buffer.from(sound);
        damaged[at]! ^= 1;
        writeFileSync(path, damaged);
        const compiler = make({ memoryBytes: 0 });
        const { cubin, info } = await compiler.compile(module());
        await compiler[Symbol.asyncDispose]();
        expect([info.from, Buffer.compare(cubin, made)], `byte ${at}`).toEqual(["compiled", 0]);
        expect(await new DiskCache(folder, 2 ** 30).verify()).toEqual({ sound: 1, removed: 0 });
      }
    }
  });

  test("a full disk only disables the cache", async () => {
    const { writeFile } = fs.promises;
    const full = vi.spyOn(fs.promises, "writeFile").mockImplementation(async (path, ...others) => {
      if (!`${path}`.startsWith(folder)) return writeFile(path, ...others);
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    });
    syncBuiltinESMExports();
    try {
      const compiler = make();
      const results = await compiler.compileAll([module("a"), module("b"), module("a")]);
      expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
      await compiler[Symbol.asyncDispose]();
      expect(full).toHaveBeenCalled();
      expect(filesIn(folder)).toEqual([]);
    } finally {
      full.mockRestore();
      syncBuiltinESMExports();
    }
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

/** Writes and reads the same few hundred entries in an endless loop. */
const HAMMER = `
import { DiskCache } from ${JSON.stringify(fileURLToPath(new URL("../../dist/cache/disk.js", import.meta.url)))};
const cache = new DiskCache(process.argv[1], 400_000);
const entryOf = (i) => ({ output: new Uint8Array(500 + 37 * (i % 50)).fill(i), log: "log " + i });
for (let i = Number(process.argv[2]); ; i = (i * 5 + 3) % 512) {
  const key = i.toString(16).padStart(64, "0");
  const found = cache.get(key);
  if (found !== undefined && (found.log !== "log " + i || found.output.some((byte) => byte !== (i & 255)))) {
    console.log("wrong entry " + i);
    process.exit(3);
  }
  cache.put(key, entryOf(i));
  if (i % 16 === 0) { await cache.flush(); process.stdout.write("."); }
}`;

test("two processes that write to one cache and are killed leave it sound", {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < smoke(200); round++) {
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
    // A minute later, their temporary files count as abandoned and no longer against the limit.
    for (const path of filesIn(folder).filter((each) => each.endsWith(".new"))) utimesSync(path, 1, 1);
    const cache = new DiskCache(folder, 2 ** 30);
    const { sound, removed } = await cache.verify();
    expect(removed).toBe(0);
    expect(sound).toBeGreaterThan(0);
    expect((await cache.stats()).unfinished).toBe(0);
  }
});
