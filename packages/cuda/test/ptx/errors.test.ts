// Every code has a case that raises it.

import { afterAll, describe, expect, test } from "vitest";
import { type BackendName, PtxCompileError, type PtxCompileErrorCode, PtxCompiler } from "../../src/index.js";
import type { BackendOutcome } from "../../src/ptx/backend.js";
import { failureOf } from "../../src/ptx/native.js";
import { resolveOptions } from "../../src/ptx/options.js";
import { readOutcome } from "../../src/ptx/outcome.js";
import { scanPtx } from "../../src/ptx/refuse.js";
import { BACKENDS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

const LONG = "x".repeat(70_000);

/** PTX that the compiler refuses, with the line that it names. */
const BAD_PTX: readonly (readonly [
  PtxCompileErrorCode,
  string,
  ptx: string,
  line: number | undefined,
  message: string,
])[] = [
  ["SYNTAX", "no PTX at all", "hello", 1, "Missing .version directive"],
  ["SYNTAX", "a bracket too few", module().replace("[%rd2]", "[%rd2"), 13, "syntax error"],
  [
    "SEMANTIC",
    "an unknown instruction",
    module("k", "\tmadd.f32 %f1, %f1, %f1;\n"),
    15,
    "Not a name of any known",
  ],
  ["SEMANTIC", "an undeclared register", module("k", "\tmov.f32 %f1, %nosuch;\n"), 15, "Unknown symbol"],
  ["UNSUPPORTED_VERSION", "a version to come", module().replace("7.5", "9.9"), 1, "Unsupported .version 9.9"],
  [
    "VERSION_TOO_LOW",
    "a target of a later version",
    module().replace("sm_75", "sm_80").replace("7.5", "6.5"),
    2,
    "does not support .target sm_80",
  ],
  [
    "TARGET_TOO_LOW",
    "a later target",
    module().replace("sm_75", "sm_90").replace("7.5", "8.0"),
    undefined,
    "SM version",
  ],
  [
    "TARGET_TOO_LOW",
    "a target of its own",
    module().replace("sm_75", "sm_90a").replace("7.5", "8.0"),
    undefined,
    "SM version",
  ],
  [
    "RESOURCE",
    "too much shared memory",
    module("k", "\t.shared .b8 big[200000];\n\tst.shared.f32 [big], %f1;\n"),
    undefined,
    "too much shared data",
  ],
  [
    "UNRESOLVED",
    "a function that is nowhere",
    module("k", "\tcall ext;\n").replace(".visible", ".extern .func ext;\n.visible"),
    undefined,
    "Unresolved extern ",
  ],
];

const REFUSED: readonly (readonly [string, ptx: string | Uint8Array, message: string])[] = [
  ["empty text", "", "found an empty text"],
  ["no bytes", new Uint8Array(), "found an empty text"],
  ["a NUL", module().replace(".target", "\0.target"), "found a NUL byte at line 2, column 1"],
  ["another alphabet", module().replace("scale(", "scäle("), "found `ä` (U+00E4) at line 5, column 19"],
  ["beyond Latin-1", `// Ł\n${module()}`, "found `Ł` (U+0141) at line 1, column 4"],
  ["beyond the basic plane", `${module()}// 🙂`, "(U+1F642) at line 18, column 4"],
  ["half a character", `// \ud800\n${module()}`, "at line 1, column 4"],
  ["bytes that are not ASCII", new Uint8Array([0x2e, 0xff]), "found `ÿ` (U+00FF) at line 1, column 2"],
  ["a long name", module(LONG), "expected tokens of at most 65536 bytes"],
  [
    "a long string",
    `${module()}.pragma "${"a b ".repeat(20_000)}";`,
    "expected tokens of at most 65536 bytes",
  ],
  ["a long string that never ends", `${module()}.pragma "${LONG}`, "expected tokens of at most 65536 bytes"],
];

describe.each(BACKENDS)("backend %s", (backend) => {
  const compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend });
  afterAll(() => compiler[Symbol.dispose]());
  const failure = async (ptx: string | Uint8Array): Promise<PtxCompileError> => {
    const error = await compiler.compile(ptx).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(PtxCompileError);
    return error as PtxCompileError;
  };

  test.each(BAD_PTX)("%s: %s", async (code, _, ptx, line, message) => {
    const error = await failure(ptx);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.log).toContain("ptxas");
    expect(error.options).toMatchObject({ arch: "sm_80" });
    const located = error.diagnostics.find((each) => each.message.includes(message));
    expect(located?.line).toBe(line);
    if (line !== undefined) expect(error.message).toContain(`${line}`.padStart(5));
  });

  test.each(REFUSED)("INVALID_ARGUMENT: %s", async (_, ptx, message) => {
    const error = await failure(ptx);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(message);
  });

  test("long comments and many short tokens are accepted", async () => {
    const lines = "// a comment of some length\n".repeat(5_000);
    await compiler.compile(`/* ${LONG} */ // ${LONG}\n${lines}${module()}`);
  });

  test("semantic errors are in line order, with the first in the message", async () => {
    const error = await failure(module("k", "\tmov.f32 %f1, %nosuch;\n\tadd.f32 %f1, %f1, %rd1;\n"));
    const lines = error.diagnostics.map(({ line }) => line ?? Infinity);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(error.message).toBe(
      "PTX does not compile for `sm_80`: line 15: Unknown symbol '%nosuch' (and 2 more)\n" +
        "   15 | \tmov.f32 %f1, %nosuch;\n      | \t             ^^^^^^^\n" +
        "hint: declare it before its use, in the same or an enclosing scope",
    );
  });

  test("TIMEOUT: a compile that takes too long", async () => {
    const error = await compiler.compile(slowModule(4000), { timeoutMs: 50 }).catch((caught) => caught);
    expect(error).toMatchObject({ code: "TIMEOUT" });
    expect(error.message).toMatch(/^expected the compile to finish within 50 ms, stopped it after \d+ ms$/);
    await compiler.compile(module());
  });

  test("ABORTED: a signal before and during a compile", async () => {
    const reason = new Error("changed my mind");
    const before = await compiler
      .compile(module(), { signal: AbortSignal.abort(reason) })
      .catch((caught) => caught);
    expect(before).toMatchObject({ code: "ABORTED", cause: reason });
    const controller = new AbortController();
    const pending = compiler.compile(slowModule(4000), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    expect(await pending.catch((caught) => caught)).toMatchObject({ code: "ABORTED", cause: reason });
    await compiler.compile(module());
  });

  test("DISPOSED: a compiler after its disposal", async () => {
    const other = new PtxCompiler({ cache: false, arch: "sm_80", backend });
    const pending = other.compile(slowModule(4000)).catch((caught) => caught);
    other[Symbol.dispose]();
    other[Symbol.dispose]();
    expect(await pending).toMatchObject({ code: "DISPOSED" });
    expect(await other.compile(module()).catch((caught) => caught)).toMatchObject({ code: "DISPOSED" });
    const [result] = await other.compileAll([module()]);
    expect(result).toMatchObject({ ok: false, error: { code: "DISPOSED" } });
    await other[Symbol.asyncDispose]();
  });
});

describe("INVALID_ARGUMENT", () => {
  test.each<[string, unknown, string]>([
    ["no object", undefined, "expected options as an object, found undefined"],
    ["no arch", {}, "option `arch`: expected one of sm_75, sm_80"],
    ["an unknown arch", { arch: "sm_900" }, "found `sm_900`, did you mean `sm_90`?"],
    ["a number as arch", { arch: 90 }, "found 90"],
    ["a misspelt name", { arch: "sm_90", efort: "draft" }, "unknown option `efort`, did you mean `effort`?"],
    [
      "a limit that no worker keeps",
      { arch: "sm_90", memoryLimitBytes: 1 },
      "option `memoryLimitBytes`: expected a whole number from 67108864",
    ],
    [
      "a memory limit of threads",
      { arch: "sm_90", backend: "in-process", memoryLimitBytes: 2 ** 30 },
      "options `memoryLimitBytes` and `backend`: expected the backend `isolated`",
    ],
    [
      "an effort for code to debug",
      { arch: "sm_90", debug: true, effort: "draft" },
      "options `debug` and `effort`: expected only one of them",
    ],
    [
      "line numbers twice",
      { arch: "sm_90", debug: true, lineInfo: true },
      "options `debug` and `lineInfo`: expected only one of them",
    ],
    ["a word for fmad", { arch: "sm_90", fmad: "no" }, "option `fmad`: expected a boolean"],
    ["an unknown effort", { arch: "sm_90", effort: "fnal" }, "found `fnal`, did you mean `final`?"],
    ["an unknown backend", { arch: "sm_90", backend: "ptxaz" }, "found `ptxaz`, did you mean `ptxas`?"],
    [
      "a word for the cache",
      { arch: "sm_90", cache: "on" },
      "option `cache`: expected a boolean or an object",
    ],
    [
      "a cache with a misspelt option",
      { arch: "sm_90", cache: { foldr: "a" } },
      "unknown option `foldr`, did you mean `folder`?",
    ],
    [
      "a cache nowhere",
      { arch: "sm_90", cache: { folder: "" } },
      "option `cache.folder`: expected the path of a folder",
    ],
    [
      "a cache of no size",
      { arch: "sm_90", cache: { maxBytes: -1 } },
      "option `cache.maxBytes`: expected a whole number",
    ],
    [
      "no workers",
      { arch: "sm_90", workers: 0 },
      "option `workers`: expected a whole number from 1 to 1024, found 0",
    ],
    ["half a worker", { arch: "sm_90", workers: 1.5 }, "found 1.5"],
    ["too many registers", { arch: "sm_90", maxRegisters: 256 }, "from 1 to 255, found 256"],
    [
      "a text as flag",
      { arch: "sm_90", lineInfo: "yes" },
      "option `lineInfo`: expected a boolean, found `yes`",
    ],
    [
      "a timeout of nothing",
      { arch: "sm_90", timeoutMs: Number.NaN },
      "option `timeoutMs`: expected a whole number",
    ],
  ])("%s", (_, options, message) => {
    const make = () => new PtxCompiler(options as { arch: string });
    expect(make).toThrow(PtxCompileError);
    expect(make).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });

  test.runIf(BACKENDS.length > 0)("arguments of calls", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90" });
    const codes = await Promise.all(
      [{ timeout: 5 }, { timeoutMs: -1 }, { signal: {} }].map((options) =>
        compiler.compile(module(), options as object).catch(({ code, message }) => `${code} ${message}`),
      ),
    );
    expect(codes).toEqual([
      "INVALID_ARGUMENT unknown option `timeout`, did you mean `timeoutMs`?",
      "INVALID_ARGUMENT option `timeoutMs`: expected a whole number from 1 to 2147483647, found -1",
      "INVALID_ARGUMENT option `signal`: expected an AbortSignal, found an object",
    ]);
    expect(() => compiler.stream([], { ordered: 1 } as object)).toThrow(
      "option `ordered`: expected a boolean, found 1",
    );
    expect(() => compiler.stream("ptx")).toThrow("expected an iterable of jobs, found `ptx`");
    await expect(compiler.compileAll("ptx")).rejects.toThrow("expected an iterable of jobs, found `ptx`");
    await expect(compiler.compileAll(5 as never)).rejects.toThrow("expected an iterable of jobs, found 5");
  });
});

describe("failures that no compiler here produces", () => {
  const context = {
    job: { source: module(), target: resolveOptions({ arch: "sm_90" }), timeoutMs: 0, priority: 0 },
    backend: "in-process" as BackendName,
  };
  const failed = (failure: Extract<BackendOutcome, { kind: "failed" }>["failure"], log = "") =>
    readOutcome({ kind: "failed", failure, log, milliseconds: 1 }, context);

  test.each<[PtxCompileErrorCode, Parameters<typeof failed>[0], string]>([
    ["OUT_OF_MEMORY", failureOf(5, 5), "the compiler ran out of memory"],
    ["CRASHED", { is: "crashed", how: "ptxas ended by SIGSEGV" }, "ptxas ended by SIGSEGV"],
    [
      "INTERNAL",
      failureOf(6, 4),
      "the compiler failed without a reason: nvPTXCompiler returned NVPTXCOMPILE_ERROR_INTERNAL (4)",
    ],
    ["INTERNAL", failureOf(6, 77), "nvPTXCompiler returned an unknown result (77)"],
    ["INTERNAL", failureOf(4, 0), "the compiler library refused an option"],
  ])("%s", (code, failure, message) => {
    expect(failed(failure)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("a version that is refused with another message", () => {
    const log = "ptxas fatal   : in other words\n";
    expect(failed({ is: "unsupported-version" }, log)).toMatchObject({
      code: "UNSUPPORTED_VERSION",
      message: "PTX does not compile for `sm_90`: in other words",
      hint: undefined,
    });
  });

  test("a log that names no error", () => {
    expect(failed({ is: "refused-by-compiler" }, "ptxas warning : odd\n")).toMatchObject({
      code: "SEMANTIC",
      message: "PTX does not compile for `sm_90`, but the compiler's log contains no error",
    });
  });

  test.each(["", "ptxas fatal   : Ptx assembly aborted due to errors\n"])(
    "no memory, with the log %j",
    (log) => {
      expect(failed({ is: "refused-by-compiler" }, log)).toMatchObject({
        code: "OUT_OF_MEMORY",
        message: "the compiler ran out of memory",
        log,
      });
    },
  );
});

test("the scan is exact at its limit in words, strings and comments", () => {
  const fits = `${"a".repeat(65_536)} ${"b".repeat(65_536)}`;
  expect(scanPtx(fits)).toBeUndefined();
  expect(scanPtx(`${fits}b`)).toEqual({ reason: "long-token", offset: 65_537 });
  expect(scanPtx(`"${"\\".repeat(66_000)}"`)).toEqual({ reason: "long-token", offset: 0 });
  // Nothing is escaped in a string, so these are many short ones.
  expect(scanPtx(`"${'\\"'.repeat(33_000)}"`)).toBeUndefined();
  expect(scanPtx(`/*${"/*".repeat(100_000)}`)).toBeUndefined();
});
