// checkAll: that it finds a single wrong output wherever it is, and how it counts, reports and stops.
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { type CheckAllOptions, type CheckAllResult, ColumnsError, checkAll } from "../../src/index.js";
import { parseStub } from "../../src/stub/index.js";
import { hex, unaryCode } from "../support/unary-codes.js";
import { twoWorkers } from "../support/workers.js";

const IDENTITY = unaryCode("mov.f32 %y, %x;");
const ONE = 0x3f800000;

/** A code that returns its input, but for one input. */
const planted = (bits: number, wrong: number): CodeBuffer =>
  unaryCode(
    `.reg .b32 %r; .reg .pred %p; mov.b32 %r, %x; setp.eq.b32 %p, %r, 0x${bits.toString(16)};
     selp.f32 %y, ${hex(wrong)}, %x, %p;`,
  );

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const BACKENDS = [true, false];

describe.each(BACKENDS)("with webAssembly: %s", (webAssembly) => {
  const check = (
    code: CodeBuffer,
    reference: CodeBuffer | ((x: number) => number),
    options: CheckAllOptions,
  ): Promise<CheckAllResult> => checkAll(code, reference, { webAssembly, ...options });

  const anywhere = fc.record({
    first: fc.integer({ min: 0, max: 2 ** 32 - 40_000 }),
    count: fc.integer({ min: 1, max: 40_000 }),
    part: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  });

  it("a single wrong output is found at any position", async () => {
    const property = fc.asyncProperty(anywhere, async ({ first, count, part }) => {
      const bits = first + Math.floor(part * count);
      const [value = 0] = new Float32Array(Uint32Array.of(bits).buffer);
      const wrong = Number.isNaN(value) ? ONE : 0x7fc00000;
      const { inputs, mismatches, worst } = await check(planted(bits, wrong), IDENTITY, {
        ...{ ulp: 0, first, count },
      });
      expect({ inputs, mismatches }).toEqual({ inputs: count, mismatches: 1 });
      expect(worst).toMatchObject({ bits, input: value, expected: value, ulp: Infinity, absolute: Infinity });
      const elsewhere = await check(planted((bits + 50_000) >>> 0, wrong), (x) => x, {
        ...{ ulp: 0, first, count },
      });
      expect(elsewhere).toEqual({ inputs: count, mismatches: 0, worst: undefined });
    });
    await fc.assert(property, { numRuns: smoke(200) });
  });

  it("an output that is one unit off is a mismatch of 1 ulp, also at the first and the last input", async () => {
    for (const bits of [0, 0x7f7ffffe, 0x80000000, 0xff7ffffe, ONE, 0x00800000]) {
      for (const [first, count] of [
        [bits, 1],
        [bits, 100],
        [Math.max(0, bits - 16_384), 1 + Math.min(bits, 16_384)],
      ] as const) {
        const { mismatches, worst } = await check(planted(bits, bits + 1), IDENTITY, {
          ...{ ulp: 0.5, first, count },
        });
        expect([mismatches, worst?.bits, worst?.ulp]).toEqual([1, bits, 1]);
        const allowed = await check(planted(bits, bits + 1), IDENTITY, { ulp: 1, first, count });
        expect([allowed.mismatches, allowed.worst?.ulp]).toEqual([0, 1]);
      }
    }
  });

  it("absolute errors count in the unit of the limit", async () => {
    const code = unaryCode("add.f32 %y, %x, 0f3F000000;");
    const options = { absolute: 0.25, first: ONE, count: 1000 };
    const { mismatches, worst } = await check(code, IDENTITY, options);
    expect(mismatches).toBe(1000);
    expect(worst).toMatchObject({ bits: ONE, absolute: 0.5, ulp: 2 ** 22 });
    expect((await check(code, IDENTITY, { ...options, absolute: 0.5 })).mismatches).toBe(0);
  });

  it("references may be f64 codes or functions, with the same result", async () => {
    const code = unaryCode("sqrt.rn.f32 %y, %x;");
    const root = "sqrt.rn.f64 %y, %x;";
    const wide = unaryCode(root, "f64");
    for (const first of [0, ONE, 0x7f7fff00, 0x80000000 - 100, 0xff7fff00]) {
      const options = { ulp: 0.5, first, count: 1000 };
      const result = await check(code, Math.sqrt, options);
      expect(result.mismatches).toBe(0);
      expect(await check(code, wide, options)).toEqual(result);
      expect((await check(code, unaryCode("sqrt.rn.f32 %y, %x;"), options)).worst).toBeUndefined();
    }
  });

  it("an f64 reference that rounds to an infinity expects one", async () => {
    const code = unaryCode("mul.f32 %y, %x, 0f40000000;");
    const result = await check(code, (x) => 2 * x, { ulp: 0, first: 0x7f000000, count: 0x01000000 / 64 });
    expect(result.mismatches).toBe(0);
  });

  it("an abort rejects with the signal's reason", async () => {
    const reason = new Error("enough");
    const before = check(IDENTITY, IDENTITY, { ulp: 0, signal: AbortSignal.abort(reason) });
    expect(await rejection(before)).toBe(reason);
    const controller = new AbortController();
    const parts: number[] = [];
    const during = check(IDENTITY, IDENTITY, {
      ulp: 0,
      signal: controller.signal,
      progress: (part) => {
        parts.push(part);
        if (parts.length === 2) controller.abort(reason);
      },
    });
    expect(await rejection(during)).toBe(reason);
    expect(parts).toHaveLength(2);
    expect(parts[0]).toBeGreaterThan(0);
    expect(parts[1]).toBeGreaterThan(parts[0]!);
    expect(parts[1]).toBeLessThan(1);
  });

  it("progress ends with 1", async () => {
    const parts: number[] = [];
    await check(IDENTITY, (x) => x, { ulp: 0, count: 100_000, progress: (part) => parts.push(part) });
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
  });

  it("a reference that throws is named with the input, and what it threw is the cause", async () => {
    const cause = new Error("no");
    const failing = (x: number): number => {
      if (x === 1) throw cause;
      return x;
    };
    const error = await rejection(check(IDENTITY, failing, { ulp: 0, first: ONE - 20_000, count: 40_000 }));
    expect(error).toBeInstanceOf(ColumnsError);
    expect(error).toMatchObject({ code: "REFERENCE_FAILED", cause });
    expect((error as Error).message).toBe("the reference threw `no` for the input 0x3f800000 (1)");
    const wrong = check(IDENTITY, (() => 1n) as unknown as (x: number) => number, { ulp: 0, first: ONE });
    await expect(wrong).rejects.toThrow(
      "the reference returned a bigint, not a number, for the input 0x3f800000 (1)",
    );
  });
});

it("both backends find the same", async () => {
  const code = unaryCode("sin.approx.f32 %y, %x;");
  const reference = unaryCode(".reg .f32 %a; mul.f32 %a, %x, %x; fma.rn.f32 %y, %a, %x, %x;");
  for (const first of [0, ONE, 0x7f7fff00, 0x80000000 - 100, 0xff7fff00, 0xffffff00]) {
    const options = { ulp: 3, first, count: Math.min(30_000, 2 ** 32 - first) };
    const [there, here] = await Promise.all(
      BACKENDS.map((webAssembly) => checkAll(code, reference, { ...options, webAssembly })),
    );
    expect(there).toEqual(here);
  }
});

describe("on two workers", () => {
  const { workers } = twoWorkers();
  afterAll(() => workers.dispose());

  it("the same is found", async () => {
    const code = unaryCode("sin.approx.f32 %y, %x;");
    const reference = unaryCode(".reg .f32 %a; mul.f32 %a, %x, %x; fma.rn.f32 %y, %a, %x, %x;");
    for (const [first, count] of [
      [0x3f000000, 200_000],
      [0xffff0000, 0x10000],
      [7, 1],
    ] as const) {
      const parts: number[] = [];
      const options = { ulp: 3, first, count };
      const one = await checkAll(code, reference, options);
      const two = await checkAll(code, reference, {
        ...options,
        workers,
        progress: (part) => parts.push(part),
      });
      expect(two).toEqual(one);
      expect(parts.at(-1)).toBe(1);
    }
    const wrong = 0x00100000 + 77;
    const { mismatches, worst } = await checkAll(planted(wrong, ONE), IDENTITY, {
      ...{ ulp: 0, first: 0x00100000, count: 1_000_000, workers },
    });
    expect([mismatches, worst?.bits]).toEqual([1, wrong]);
  });

  it("of equal errors the first one is the worst", async () => {
    const code = unaryCode("add.f32 %y, %x, 0f3F000000;");
    const { worst } = await checkAll(code, IDENTITY, {
      ...{ absolute: 0.25, first: ONE, count: 300_000, workers },
    });
    expect(worst?.bits).toBe(ONE);
  });

  it("an error of `progress` ends the check", async () => {
    const error = new Error("no");
    const progress = (): void => {
      throw error;
    };
    expect(await rejection(checkAll(IDENTITY, IDENTITY, { ulp: 0, workers, progress }))).toBe(error);
    expect(await checkAll(IDENTITY, IDENTITY, { ulp: 0, count: 10, workers })).toMatchObject({ inputs: 10 });
  });

  it("an abort and a damaged reference reject", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const aborted = checkAll(IDENTITY, IDENTITY, {
      ...{ ulp: 0, workers, signal: controller.signal, progress: () => controller.abort(reason) },
    });
    expect(await rejection(aborted)).toBe(reason);
    const damaged = { words: IDENTITY.words.slice(), offsets: IDENTITY.offsets };
    damaged.words[1] = 9;
    const error = await rejection(checkAll(IDENTITY, damaged, { ulp: 0, count: 100_000, workers }));
    expect(error).toBeInstanceOf(ColumnsError);
    expect(error).toMatchObject({ code: "BAD_CODE" });
  });
});

it("all inputs are checked without a range", { timeout: 600_000 }, async () => {
  const count = SOAK ? 2 ** 32 : 2 ** 18;
  const code = planted(count - 1, ONE);
  const result = await checkAll(code, IDENTITY, SOAK ? { ulp: 0 } : { ulp: 0, count });
  expect([result.inputs, result.mismatches, result.worst?.bits]).toEqual([count, 1, count - 1]);
});

describe("arguments", () => {
  const two = parseStub("add.f32 %y, %x, %x2;", [
    { direction: "in", name: "x", register: "x", registerType: "f32", type: "F32" },
    { direction: "in", name: "x2", register: "x2", registerType: "f32", type: "F32" },
    { direction: "out", name: "y", register: "y", registerType: "f32", type: "F32" },
  ]);
  const many = unaryCode("mov.f32 %y, %x;");
  many.append(many.end);
  const damaged = { words: IDENTITY.words.slice(), offsets: IDENTITY.offsets };
  damaged.words[1] = 9;
  const foreign = { words: IDENTITY.words.slice(), offsets: IDENTITY.offsets };
  foreign.words[0]!++;
  type Arguments = Parameters<typeof checkAll>;

  it.each<[string, Arguments, string, string]>([
    ["no limit", [IDENTITY, IDENTITY, {}], "INVALID_ARGUMENT", "one of `ulp` and `absolute`, found none"],
    [
      "two limits",
      [IDENTITY, IDENTITY, { ulp: 1, absolute: 1 }],
      "INVALID_ARGUMENT",
      "one of `ulp` and `absolute`, found both",
    ],
    ["a limit below 0", [IDENTITY, IDENTITY, { ulp: -1 }], "INVALID_ARGUMENT", "option `ulp`"],
    ["an unknown option", [IDENTITY, IDENTITY, { ulps: 1 } as never], "INVALID_ARGUMENT", "`ulp`"],
    [
      "too many inputs",
      [IDENTITY, IDENTITY, { ulp: 0, first: 2 ** 31, count: 2 ** 31 + 1 }],
      "INVALID_ARGUMENT",
      "expected at most 2147483648 inputs",
    ],
    ["two inputs", [two, IDENTITY, { ulp: 0 }], "INVALID_ARGUMENT", "found 2 and 1"],
    [
      "an f64 code",
      [unaryCode("neg.f64 %y, %x;", "f64"), IDENTITY, { ulp: 0 }],
      "INVALID_ARGUMENT",
      "expected a code of f32, found f64",
    ],
    [
      "a reference of integers",
      [IDENTITY, unaryCode("mov.b32 %y, %x;", "f32", "b32"), { ulp: 0 }],
      "INVALID_ARGUMENT",
      "expected a reference of f32 or f64, found b32",
    ],
    ["two codes", [many, IDENTITY, { ulp: 0 }], "INVALID_ARGUMENT", "a batch of one code, found 2 codes"],
    ["no codes", [new CodeBuffer(), IDENTITY, { ulp: 0 }], "INVALID_ARGUMENT", "found 0 codes"],
    ["no reference", [IDENTITY, 1 as never, { ulp: 0 }], "INVALID_ARGUMENT", "codes"],
    ["a damaged code", [damaged, IDENTITY, { ulp: 0 }], "BAD_CODE", "found fewer"],
    ["a damaged reference", [IDENTITY, damaged, { ulp: 0 }], "BAD_CODE", "the reference: "],
    ["another format", [IDENTITY, foreign, { ulp: 0 }], "BAD_CODE", "version 1 as a reference"],
  ])("%s", async (_, given, code, message) => {
    const error = await rejection(checkAll(...given));
    expect(error).toBeInstanceOf(ColumnsError);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toContain(message);
  });
});
