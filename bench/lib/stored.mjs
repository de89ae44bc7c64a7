// What long benchmarks have finished, so that they go on where they were ended: one line of JSON for each result, in `out/bench`.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../out/bench/", import.meta.url));

/** The results of a benchmark by key; `put` adds one, and a later one with the same key takes the place of an earlier one. */
export function stored(name) {
  const file = `${FOLDER}${name}.jsonl`;
  const results = new Map();
  if (existsSync(file)) {
    const lines = readFileSync(file, "utf8").split("\n");
    // The last line is not complete if the process was ended while it was written.
    for (const line of lines.slice(0, -1)) {
      try {
        const { key, result } = JSON.parse(line);
        results.set(key, result);
      } catch {}
    }
  }
  return {
    get: (key) => results.get(key),
    put(key, result) {
      mkdirSync(FOLDER, { recursive: true });
      appendFileSync(file, `${JSON.stringify({ key, result })}\n`);
      results.set(key, result);
    },
  };
}

/** Whether the command line names a benchmark: long ones run only then, and otherwise show what is stored. */
export const isNamed = (name) =>
  process.argv.slice(2).some((argument) => argument !== "" && name.startsWith(argument));
