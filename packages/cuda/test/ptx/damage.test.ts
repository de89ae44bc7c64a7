// Damaged PTX in worker processes: each text fails alone and says why, and the valid jobs in between succeed
// as if they were alone. The compiler crashes on some of it, which is why there are workers.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type JobResult, PtxCompileError, type PtxCompileErrorCode, PtxCompiler } from "../../src/index.js";
import { ISOLATED } from "../support/backends.js";
import { module } from "../support/ptx.js";

const KERNELS = new URL("../../../../tests/kernels/", import.meta.url);
/** Longer texts take so long to compile that few of them could be tried. */
const LONGEST = 9000;
/** PTX of real kernels, written by nvcc. */
const TEXTS = readdirSync(KERNELS)
  .map((name) => readFileSync(new URL(`${name}/macro.ptx`, KERNELS), "utf8"))
  .filter(({ length }) => length <= LONGEST);
/** PTX with device functions: edits of its lines crash the compiler far more often than other damage. */
const CALLS = readFileSync(new URL("called/macro.ptx", KERNELS), "utf8").split("\n");
const CRASHERS = new URL("crashers/", import.meta.url);
const CRASHING = readdirSync(CRASHERS).map((name) => readFileSync(new URL(name, CRASHERS), "latin1"));

const GOOD = Array.from({ length: 7 }, (_, i) => module(`good_${i}`));
/** The number of texts in one call, and the interval at which a valid one is inserted. */
const BATCH = 200;
const EVERY = 8;
/** The codes that a damaged text may fail with; any other would not be the fault of the text. */
const CODES: readonly PtxCompileErrorCode[] = [
  "SYNTAX",
  "SEMANTIC",
  "UNSUPPORTED_VERSION",
  "VERSION_TOO_LOW",
  "TARGET_TOO_LOW",
  "RESOURCE",
  "UNRESOLVED",
  "INVALID_ARGUMENT",
  "OUT_OF_MEMORY",
  "CRASHED",
  "TIMEOUT",
];

/** A place in a text, scaled to its length. */
const place = fc.nat();
const text = fc.constantFrom(...TEXTS);

/** Flips bits of some bytes, which may leave ASCII, or replaces characters. */
const flips = fc
  .tuple(
    text,
    fc.array(fc.tuple(place, fc.nat(7), fc.option(fc.integer({ min: 32, max: 126 }))), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([whole, changes]) => {
    const bytes = Buffer.from(whole, "latin1");
    for (const [place, bit, character] of changes) {
      const index = place % bytes.length;
      bytes[index] = character ?? bytes[index]! ^ (1 << bit);
    }
    return bytes;
  });
const cuts = fc.tuple(text, place).map(([whole, end]) => whole.slice(0, end % whole.length));
const splices = fc
  .tuple(text, place, text, place)
  .map(([head, end, tail, start]) => head.slice(0, end % head.length) + tail.slice(start % tail.length));
const LINE_EDITS: Readonly<Record<string, (lines: string[], one: number, other: number) => void>> = {
  remove: (lines, one) => lines.splice(one, 1),
  repeat: (lines, one) => lines.splice(one, 0, lines[one]!),
  move: (lines, one, other) => lines.splice(other, 0, ...lines.splice(one, 1)),
  swap: (lines, one, other) => {
    [lines[one], lines[other]] = [lines[other]!, lines[one]!];
  },
};
const lineEdits = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(LINE_EDITS)), place, place), { minLength: 1, maxLength: 3 })
  .map((edits) => {
    const lines = [...CALLS];
    for (const [kind, one, other] of edits)
      LINE_EDITS[kind]!(lines, one % lines.length, other % lines.length);
    return lines.join("\n");
  });

/** 20,000 texts in all; the last kind is the same each time, and costs a new worker. */
const DAMAGE: readonly (readonly [kind: string, texts: fc.Arbitrary<string | Uint8Array>, count: number])[] =
  [
    ["other bytes", flips, 6000],
    ["cuts", cuts, 3000],
    ["splices", splices, 4000],
    ["edits of lines", lineEdits, 6800],
    ["texts that are known to crash the compiler", fc.constantFrom(...CRASHING), 200],
  ];

describe.runIf(ISOLATED)("damaged PTX", { timeout: 1_800_000 }, () => {
  const seen = new Map<string, number>();
  let compiler: PtxCompiler;
  let goodCubins: readonly Uint8Array[];
  beforeAll(async () => {
    compiler = new PtxCompiler({ arch: "sm_80", backend: "isolated", cache: false, timeoutMs: 60_000 });
    goodCubins = (await Promise.all(GOOD.map((ptx) => compiler.compile(ptx)))).map(({ cubin }) => cubin);
  });
  afterAll(() => {
    compiler[Symbol.dispose]();
    // Otherwise most of the damage would do no harm, or all of it would fail at the first check.
    for (const code of ["ok", "SYNTAX", "SEMANTIC", "INVALID_ARGUMENT", "CRASHED"])
      expect(seen.get(code), code).toBeGreaterThan(0);
  });

  /** The code of a result that is as expected. */
  const codeOf = (result: JobResult): string => {
    if (result.ok) return "ok";
    const { error } = result;
    expect(error).toBeInstanceOf(PtxCompileError);
    expect(CODES).toContain(error.code);
    expect(error.message).not.toBe("");
    if (error.code === "CRASHED")
      expect(error.message).toMatch(/^the compiler's process was killed by SIG[A-Z]+$/);
    return error.code;
  };

  test.each(DAMAGE)("fails alone: %s", async (_, texts, count) => {
    const holds = async (batch: readonly (string | Uint8Array)[]): Promise<void> => {
      const jobs = batch.flatMap((ptx, i) => (i % EVERY === 0 ? [GOOD[i % GOOD.length]!, ptx] : [ptx]));
      const crashedBefore = compiler.stats.workersCrashed;
      const results = await compiler.compileAll(jobs);
      expect(results.map(({ index }) => index)).toEqual([...jobs.keys()]);
      let crashed = 0;
      for (const [i, result] of results.entries()) {
        const code = codeOf(result);
        const good = GOOD.indexOf(jobs[i] as string);
        if (good === -1) seen.set(code, (seen.get(code) ?? 0) + 1);
        else expect(result.ok && Buffer.compare(result.cubin, goodCubins[good]!)).toBe(0);
        if (code === "CRASHED") crashed++;
      }
      expect(compiler.stats.workersCrashed - crashedBefore).toBe(crashed);
    };
    const size = Math.min(BATCH, smoke(count));
    // All places are equally likely; biased ones are mostly at the beginning, where comments are.
    const batch = fc.array(fc.noBias(texts), { minLength: size, maxLength: size });
    await fc.assert(fc.asyncProperty(batch, holds), { numRuns: Math.ceil(smoke(count) / size) });
  });
});
