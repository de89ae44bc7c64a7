// Logs that are no logs: damaged ones, and long ones of every shape that a pattern could stumble over. Reading one never
// throws, and takes time by its length: what took more would not come to its end here.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { refusedPtx } from "../src/ptx/failure.js";
import { parseInfoLog } from "../src/ptx/info.js";
import { resolveOptions } from "../src/ptx/options.js";
import { module } from "./support/ptx.js";

const FOLDER = new URL("logs/", import.meta.url);
const LOGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".log"))
  .map((file) => readFileSync(new URL(file, FOLDER), "utf8"));
const JOB = { source: module(), target: resolveOptions({ arch: "sm_90" }), timeoutMs: 0, priority: 0 };

function readEverything(log: string): void {
  const info = parseInfoLog(log, 16);
  for (const kernel of [...info.kernels, ...info.functions])
    for (const value of Object.values(kernel)) expect(Number.isNaN(value)).toBe(false);
  const error = refusedPtx(log, JOB);
  expect(error.log).toBe(log);
  expect(error.diagnostics.every(({ message }) => typeof message === "string")).toBe(true);
  expect(error.message.length).toBeLessThan(2000);
  const lines = error.diagnostics.map(({ line }) => line ?? Number.MAX_VALUE);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
}

const piece = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "\r\n",
    "'",
    ", line 3; ",
    "error   : ",
    "ptxas ",
    "ptxas info    : ",
    "Used ",
    "99",
  ),
  fc.constantFrom("Function properties for ", "Compiling entry function '", " bytes cmem[", "(0x", "\0", "ä"),
  fc.string({ maxLength: 8 }),
);

test("damaged logs", () => {
  const damaged = fc
    .tuple(fc.constantFrom(...LOGS), fc.array(fc.tuple(fc.nat(), fc.nat(40), piece), { maxLength: 6 }))
    .map(([log, edits]) => {
      let text = log;
      for (const [at, length, insert] of edits) {
        const start = at % (text.length + 1);
        text = text.slice(0, start) + insert + text.slice(start + length);
      }
      return text;
    });
  fc.assert(fc.property(damaged, readEverything), { numRuns: cases(20_000), verbose: true });
});

/** Characters of a long log. */
const LONG = cases(10_000_000);
const SHAPES: readonly string[] = [
  "ptxas application ptx input, line 3; error   : Unknown symbol '%a'\n",
  "ptxas warning : x\n",
  "ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]\n",
  "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Function properties for k\n",
  "ptxas info    : Function properties for k\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n",
  "\n",
  "9",
  " ",
  "'",
  ", line 1; ",
  ", line 1; error ",
  " bytes, ",
  "' requires .target ",
  "8 bytes cmem[0], ",
];
const BEGINNINGS: readonly string[] = [
  "",
  "ptxas ",
  "ptxas fatal   : ",
  "ptxas warning : on line '",
  "ptxas error   : Entry function 'k' uses too much ",
  "ptxas error   : Feature '",
  "ptxas info    : Used ",
  "ptxas info    : 1",
  "ptxas         . ",
];

test.each(BEGINNINGS)("long logs after %j", (beginning) => {
  for (const shape of SHAPES) readEverything(beginning + shape.repeat(Math.ceil(LONG / shape.length)));
});
