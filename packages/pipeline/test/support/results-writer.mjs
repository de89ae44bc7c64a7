// A process that uses a results store: `node results-writer.mjs <task> <folder>`. It prints a line of JSON for what has happened.
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { takeLock } from "@mm-ptx/types/internal/node";
import { openResultsStore } from "../../dist/store/store.js";

const FINGERPRINT = "0123456789abcdef".repeat(2);
const [task, folder] = process.argv.slice(2);
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const signatureOf = (index) => createHash("md5").update(String(index)).digest("hex");

const TASKS = { put, fill, locks };
TASKS[task]();

/** Puts results until the process is killed, and prints how many are certainly in the file. */
function put() {
  const store = openResultsStore(folder, { fingerprint: FINGERPRINT });
  const outputs = [Float32Array.from({ length: 500 }, (_, index) => index)];
  for (let index = store.size; ; index++) {
    store.put(signatureOf(index), { status: "ok", score: index, outputs });
    if (index % 50 !== 0) continue;
    store.flush();
    say(index + 1);
  }
}

/** Puts results until the file can't grow, and prints what the store says then. */
function fill() {
  const store = openResultsStore(folder, { fingerprint: FINGERPRINT });
  const describe = (run) => {
    try {
      run();
      return null;
    } catch ({ code, cause }) {
      return { code, cause: cause.code };
    }
  };
  let count = 0;
  const failure = describe(() => {
    for (;;) {
      store.put(signatureOf(count), { status: "ok", score: count });
      count++;
    }
  });
  let found = 0;
  while (store.get(signatureOf(found))?.score === found) found++;
  const again = describe(() => store.flush());
  say({ count, failure, found, again, dispose: describe(() => store.dispose()) });
}

/** Takes a lock many times, sometimes leaves it as a process that has ended, and prints whether another process ever had it too. */
function locks() {
  const path = `${folder}/lock`;
  let taken = 0;
  let shared = 0;
  for (let turn = 0; taken < 200 && turn < 1e6; turn++) {
    let release;
    try {
      release = takeLock(path);
    } catch {
      continue;
    }
    taken++;
    try {
      closeSync(openSync(`${folder}/inside`, "wx"));
    } catch {
      shared++;
    }
    rmSync(`${folder}/inside`, { force: true });
    if (turn % 2 === 0) release();
    else leave(path);
  }
  say({ taken, shared });
}

/** Replaces the contents of a lock by those of an earlier process with the same number. */
function leave(path) {
  const temporary = `${path}-${process.pid}`;
  takeLock(temporary);
  const contents = JSON.parse(readFileSync(temporary, "utf8"));
  writeFileSync(temporary, JSON.stringify({ ...contents, started: "-1" }));
  renameSync(temporary, path);
}
