// The results store of @mm-ptx/pipeline with a million results: what a score costs the main thread when it is kept and when it is found
// again, the memory of the index, and opening the folder with and without its index file.

import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openResultsStore } from "@mm-ptx/pipeline";
import { mainThreadMicroseconds } from "./lib/compiling.mjs";

const RESULTS = 1_000_000;
const READS = 100_000;
const FINGERPRINT = "0123456789abcdef".repeat(2);
const BUDGETS = { put: 3, get: 10, bytes: 32, open: 250, rebuild: 3000 };

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const signatures = Array.from({ length: RESULTS }, (_, index) => signatureOf(index));
    const results = Array.from({ length: 1000 }, (_, index) => resultOf(index));
    const text = timed(RESULTS, (index) => JSON.stringify(results[index % 1000]));
    const before = bufferBytes();
    const store = openResultsStore(folder, { fingerprint: FINGERPRINT });
    const put = timed(RESULTS, (index) => store.put(signatures[index], results[index % 1000]));
    store.flush();
    const bytes = (bufferBytes() - before) / RESULTS;
    // A prime apart, so that reads are all over the file.
    const get = timed(READS, (index) => {
      if (store.get(signatures[(index * 7919) % RESULTS])?.status !== "ok")
        throw new Error("expected a result");
    });
    store.dispose();
    const read = bareRead(join(folder, "results.jsonl"));
    const open = opened(folder);
    rmSync(join(folder, "index"));
    const rebuild = opened(folder);
    return [
      row("a score put into the results store (yardstick: JSON.stringify)", put, text, "us", BUDGETS.put),
      row("a score found in it (yardstick: reading 200 bytes)", get, read, "us", BUDGETS.get),
      row("memory of its index for each result", bytes, undefined, "bytes", BUDGETS.bytes),
      row("opening it with a million results", open, undefined, "ms", BUDGETS.open),
      row("opening it without its index file", rebuild, undefined, "ms", BUDGETS.rebuild),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 32 digits that look random. */
function signatureOf(index) {
  let digits = "";
  for (let word = 1; word <= 4; word++) {
    const mixed = Math.imul(index + word * 0x9e3779b9, 0x85ebca6b);
    digits += (Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> 0).toString(16).padStart(8, "0");
  }
  return digits;
}

const resultOf = (index) => ({
  status: "ok",
  effort: "draft",
  score: Math.sqrt(index) / 1000,
  registers: 20,
  spills: 0,
  codeBytes: 1024,
});

/** The bytes of all buffers that are in use. */
function bufferBytes() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  // Buffers are freed in the background, which the next collection waits for.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Microseconds of the main thread per call. */
function timed(calls, run) {
  const before = mainThreadMicroseconds();
  for (let call = 0; call < calls; call++) run(call);
  return (mainThreadMicroseconds() - before) / calls;
}

/** Microseconds to read as much as a line anywhere in a file. */
function bareRead(path) {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(200);
  const microseconds = timed(READS, (index) =>
    readSync(file, bytes, 0, 200, ((index * 7919) % RESULTS) * 180),
  );
  closeSync(file);
  return microseconds;
}

/** Milliseconds to open a folder. */
function opened(folder) {
  const before = mainThreadMicroseconds();
  const store = openResultsStore(folder, { fingerprint: FINGERPRINT });
  const milliseconds = (mainThreadMicroseconds() - before) / 1000;
  if (store.size !== RESULTS) throw new Error(`expected ${RESULTS} results, found ${store.size}`);
  store.dispose();
  return milliseconds;
}

const row = (name, ours, yardstick, unit, budget) => ({
  name,
  ours,
  yardstick,
  ratio: yardstick === undefined ? undefined : ours / yardstick,
  budget,
  unit,
  pass: ours <= budget,
});
