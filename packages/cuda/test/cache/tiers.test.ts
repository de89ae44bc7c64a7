import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TieredCache } from "../../src/cache/tiers.js";
import { DiskCache } from "../../src/index.js";
import { filesIn, KEY } from "../support/cache.js";

test("entries that would keep the event loop busy are not kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-tiers-"));
  try {
    const cache = new TieredCache(new DiskCache(folder, 2 ** 30), 2 ** 30);
    cache.put(KEY, "cubin", { output: new Uint8Array(32 * 2 ** 20), log: "x" });
    await cache.flush();
    expect(cache.get(KEY, "cubin")).toBeUndefined();
    expect(filesIn(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what is kept is a copy, even of a view of a buffer", () => {
  const cache = new TieredCache(undefined, 2 ** 20);
  const output = Buffer.from([1, 2, 3]);
  cache.put(KEY, "cuda", { output, log: "" });
  output[0] = 9;
  expect(cache.get(KEY, "cuda")!.output).toEqual(Uint8Array.of(1, 2, 3));
});
