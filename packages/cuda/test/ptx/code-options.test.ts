// Every row of the table of options that change machine code: the values that it refuses, the key of the
// cache, and the cubin of each backend.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { cacheKey } from "../../src/cache/key.js";
import {
  diffMachineCode,
  inspectCubin,
  PtxCompiler,
  type PtxCompilerOptions,
  readCubin,
} from "../../src/index.js";
import { CODE_OPTIONS } from "../../src/ptx/code-options.js";
import { resolveOptions } from "../../src/ptx/options.js";
import { codeConflict, compilerArguments, resolveTarget } from "../../src/ptx/target.js";
import { BACKENDS } from "../support/backends.js";
import { ROWS, VARIATIONS, valuesOf } from "../support/code-options.js";
import { module } from "../support/ptx.js";

const PLAIN = { arch: "sm_80" };

const keyOf = (options: object): string =>
  cacheKey(
    { source: module(), target: resolveOptions({ ...PLAIN, ...options }), timeoutMs: 0, priority: 0 },
    { version: "13.0.88" },
  );

describe("the key of the cache", () => {
  test.each(ROWS)("differs with each value of `%s`, unless the row says why not", (name, row) => {
    const values = valuesOf(row.values);
    const keys = new Set([{}, ...values.map((value) => ({ [name]: value }))].map(keyOf));
    if (row.sameCubin === undefined) {
      const isAmong = name in PLAIN || values.includes(row.default);
      expect(keys.size).toBe(isAmong ? values.length : values.length + 1);
    } else {
      expect(keys.size).toBe(1);
      expect(row.sameCubin.length).toBeGreaterThan(20);
    }
  });

  test("is the same for two lists of options if and only if they mean the same", () => {
    const options = fc
      .record(
        Object.fromEntries(ROWS.map(([name, { values }]) => [name, fc.constantFrom(...valuesOf(values))])),
        { requiredKeys: ["arch"] },
      )
      .map((given) => given as unknown as PtxCompilerOptions)
      .filter((given) => codeConflict(given) === undefined);
    const decisive = (given: PtxCompilerOptions): object => {
      const target = Object.entries(resolveTarget(given));
      return Object.fromEntries(
        target.filter(([name]) => ROWS.find((row) => row[0] === name)![1].sameCubin === undefined),
      );
    };
    fc.assert(
      fc.property(options, options, (a, b) => {
        const same = JSON.stringify(decisive(a)) === JSON.stringify(decisive(b));
        expect(keyOf(a) === keyOf(b)).toBe(same);
      }),
      { numRuns: smoke(2000) },
    );
  });
});

describe("a row", () => {
  test.each(ROWS)("`%s` excludes only existing options, and its default is one of its values", (_, row) => {
    const names = ROWS.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(row.excludes ?? {})));
    if (row.default !== undefined) expect(valuesOf(row.values)).toContain(row.default);
  });

  test.each(ROWS)("`%s` refuses a value of another kind", (name) => {
    for (const value of [null, {}, Number.NaN, "?"]) {
      expect(() => resolveOptions({ ...PLAIN, [name]: value })).toThrow(
        expect.objectContaining({ message: expect.stringMatching(`^option \`${name}\`: expected `) }),
      );
    }
  });

  test("types agree with the rows", () => {
    const options: PtxCompilerOptions = { arch: "sm_90", effort: "draft", maxRegisters: 3, lineInfo: true };
    // @ts-expect-error: not one of the values
    const word: PtxCompilerOptions = { arch: "sm_90", effort: "fnal" };
    // @ts-expect-error: the architecture is required
    const empty: PtxCompilerOptions = {};
    // @ts-expect-error: a number
    const text: PtxCompilerOptions = { arch: "sm_90", maxRegisters: "3" };
    // @ts-expect-error: no such option
    const unknown: PtxCompilerOptions = { arch: "sm_90", efort: "draft" };
    expect(() => resolveOptions(options)).not.toThrow();
    for (const wrong of [word, empty, text, unknown]) expect(() => resolveOptions(wrong)).toThrow();
  });

  test("the options of the table are exactly those of a target", () => {
    expect(Object.keys(resolveTarget(PLAIN))).toEqual(Object.keys(CODE_OPTIONS));
  });
});

describe.each(BACKENDS)("backend %s", (backend) => {
  const told = async (options: object): Promise<string | undefined> => {
    using compiler = new PtxCompiler({ ...PLAIN, cache: false, backend, workers: 1, ...options });
    return inspectCubin((await compiler.compile(module())).cubin).tool?.options;
  };

  const visible = ROWS.filter(([, { sameCubin }]) => sameCubin === undefined);

  // The linker leaves out the note with the compiler's options.
  test.skipIf(backend === "nvjitlink").each(visible)(
    "passes each value of `%s` to the compiler",
    async (name) => {
      const variations = VARIATIONS.filter((each) => each.name === name && each.value !== PLAIN.arch);
      const all = [await told({})];
      for (const { value } of variations) all.push(await told({ [name]: value }));
      expect(all).not.toContain(undefined);
      expect(new Set(all).size).toBe(variations.length + 1);
    },
  );
});

describe.runIf(BACKENDS.includes("nvjitlink"))("nvJitLink", () => {
  test.each(VARIATIONS)(
    "makes the same code as the other backends: `$name` $value",
    async ({ name, value }) => {
      const [one, other] = await Promise.all(
        [BACKENDS[0]!, "nvjitlink" as const].map((backend) => {
          using compiler = new PtxCompiler({ ...PLAIN, cache: false, backend, workers: 1, [name]: value });
          return compiler.compileSync(module()).cubin;
        }),
      );
      const code = diffMachineCode(one!, other!).filter((each) => /^\.(text|nv\.constant)/.test(each));
      expect(code).toEqual([]);
      expect(readCubin(other!).entries).toEqual(readCubin(one!).entries);
    },
  );
});

test("passes each argument once, as one word", () => {
  for (const { name, value } of VARIATIONS) {
    const words = compilerArguments(resolveTarget({ ...PLAIN, [name]: value }));
    expect(words.filter((word) => !/^--[\w-]+(=\w+)?$/.test(word))).toEqual([]);
    expect(new Set(words.map((word) => word.split("=")[0])).size).toBe(words.length);
  }
});
