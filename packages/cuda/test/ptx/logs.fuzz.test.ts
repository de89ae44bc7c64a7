// Texts that are not logs: damaged logs, and long texts of every shape that a pattern could be slow on.
// Reading them never throws and takes linear time; otherwise this test would not end.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { primaryOf } from "../../src/ptx/causes.js";
import { firstErrors, parseDiagnostics } from "../../src/ptx/diagnostics.js";
import { refusedPtx } from "../../src/ptx/failure.js";
import { CAUSES } from "../../src/ptx/hints.js";
import { parseInfoLog } from "../../src/ptx/info.js";
import { resolveOptions } from "../../src/ptx/options.js";
import { module } from "../support/ptx.js";

const FOLDER = new URL("logs/", import.meta.url);
const LOGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".log"))
  .map((file) => readFileSync(new URL(file, FOLDER), "utf8"));
const JOB = { source: module(), target: resolveOptions({ arch: "sm_90" }), timeoutMs: 0, priority: 0 };

function readEverything(log: string): void {
  const info = parseInfoLog(log, { maxRegisters: 16 });
  for (const kernel of [...info.kernels, ...info.functions])
    for (const value of Object.values(kernel))
      expect(typeof value === "string" || Number.isSafeInteger(value)).toBe(true);
  const all = parseDiagnostics(log).filter(({ severity }) => severity !== "warning");
  const { count, errors } = firstErrors(log);
  expect(count).toBe(all.length);
  expect(primaryOf(errors)).toEqual(primaryOf(all));
  const error = refusedPtx(log, JOB);
  expect(error.log).toBe(log);
  expect(error.diagnostics.every(({ message }) => typeof message === "string")).toBe(true);
  expect(error.message.length).toBeLessThan(2000);
  const lines = error.diagnostics.map(({ line = Number.MAX_SAFE_INTEGER }) => line);
  expect(lines.every(Number.isSafeInteger)).toBe(true);
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
    "9".repeat(400),
  ),
  fc.constantFrom("Function properties for ", "Compiling entry function '", " bytes cmem[", "(0x", "\0", "ä"),
  fc.string({ maxLength: 8 }),
);

type Edit = readonly [at: number, length: number, insert: string];

/** A text with pieces removed and others inserted. */
function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, [at, length, insert]) => {
    const start = at % (current.length + 1);
    return current.slice(0, start) + insert + current.slice(start + length);
  }, text);
}

test("corrupt logs are read", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(40), piece), { maxLength: 6 });
  const holds = (log: string, changes: readonly Edit[]): void => readEverything(edited(log, changes));
  fc.assert(fc.property(fc.constantFrom(...LOGS), edits, holds), { numRuns: rare(20_000), verbose: true });
});

test.each([
  "",
  "\r",
  " ",
  "\u00a0",
  "a\rb",
  "a\u2028b",
  " Ptx assembly aborted due to errors\r",
  "xPtx assembly aborted due to errors",
])("%j as the message of a later line counts alike for both readers", (message) => {
  const line = (number: number, text: string) =>
    `ptxas application ptx input, line ${number}; error   : ${text}\n`;
  readEverything(line(5, "a") + line(7, message) + line(9, "b"));
});

test("excessive numbers are ignored", () => {
  const many = "9".repeat(400);
  readEverything(
    [
      "ptxas info    : Compiling entry function 'k' for 'sm_90'",
      "ptxas info    : Function properties for k",
      `ptxas         .     ${many} bytes stack frame, ${many} bytes spill stores, ${many} bytes spill loads`,
      `ptxas info    : Used ${many} registers, used ${many} barriers, ${many} bytes smem`,
      `ptxas application ptx input, line ${many}; error   : a`,
      "ptxas application ptx input, line 5; error   : b",
      "",
    ].join("\n"),
  );
});

/** PTX that does not compile, with the compiler's messages about it. */
const HINTS = new URL("hints/", import.meta.url);
const REFUSED = readdirSync(HINTS)
  .filter((file) => file.endsWith(".ptx"))
  .map((file) => readFileSync(new URL(file, HINTS), "utf8"));
const SAYS = CAUSES.flatMap(({ says }) => says);

test("hints are found in corrupt texts, too, at any line", () => {
  const scene = fc.record({
    ptx: fc.constantFrom(...REFUSED, module()),
    edits: fc.array(fc.tuple(fc.nat(), fc.nat(30), piece), { maxLength: 4 }),
    says: fc.constantFrom(...SAYS),
    found: fc.constantFrom("%f9", "%x", "add", "sm_90", "8.0", "0x9c40", "scale", "", "'", "%f<"),
    line: fc.integer({ min: 0, max: 40 }),
    asTemplate: fc.boolean(),
  });
  const holds = ({ ptx, edits, says, found, line, asTemplate }: FuzzScene): void => {
    const text = edited(ptx, edits);
    const half = text.indexOf("\n", text.length / 2) + 1;
    const log = `ptxas application ptx input, line ${line}; error   : ${says.replaceAll("…", found)}\n`;
    const source = asTemplate ? filled(text.slice(0, half), text.slice(half), line) : text;
    const error = refusedPtx(log, { ...JOB, source });
    if (/[^']/.test(found)) expect(error.hint).toBeDefined();
    expect(error.diagnostics[0]?.line).toBe(line);
  };
  fc.assert(fc.property(scene, holds), { numRuns: rare(20_000), verbose: true });
});

interface FuzzScene {
  readonly ptx: string;
  readonly edits: readonly Edit[];
  readonly says: string;
  readonly found: string;
  readonly line: number;
  readonly asTemplate: boolean;
}

/** A template whose only stub is the end of the text. */
function filled(before: string, stub: string, kernelLine: number) {
  const lines = before.split("\n").length - 1;
  const template = {
    names: ["func"],
    segments: [before, ""],
    holes: [0],
    lines: [
      { kernelLine: 1, lines, head: 0, tail: 0 },
      { kernelLine, lines: 0, head: 0, tail: 0 },
    ],
  };
  return { template, stubs: [stub] };
}

/** Characters of a long log. */
const LONG = rare(10_000_000);
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

test.each(BEGINNINGS)("long logs after %j are read", (beginning) => {
  for (const shape of SHAPES) readEverything(beginning + shape.repeat(Math.ceil(LONG / shape.length)));
});
