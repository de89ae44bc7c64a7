// The progress of a compiler, and options that depend on the machine or the text.

import { afterEach, describe, expect, test } from "vitest";
import { type Progress, PtxCompiler } from "../../src/index.js";
import { asciiComments } from "../../src/ptx/ascii-comments.js";
import { BACKENDS, IN_PROCESS } from "../support/backends.js";
import { CAN_FAKE_DRIVER, fakeDriver } from "../support/driver.js";
import { module } from "../support/ptx.js";

test.runIf(BACKENDS.length > 0)("progress counts every job and ends with the compiler", async () => {
  const compiler = new PtxCompiler({ arch: "sm_80", cache: { maxBytes: 0 }, workers: 2 });
  const events: Progress[] = [];
  const listening = (async () => {
    for await (const event of compiler.progress({ intervalMs: 5 })) events.push(event);
  })();
  const jobs = Array.from({ length: 60 }, (_, i) => (i % 6 === 5 ? `no ptx ${i}` : module(`k${i % 12}`)));
  await compiler.compileAll(jobs);
  await compiler.compileAll(jobs.slice(0, 5));
  compiler[Symbol.dispose]();
  await listening;
  expect(events[0]).toMatchObject({ done: 0, failed: 0 });
  expect(events.at(-1)).toMatchObject({ done: 55, failed: 10, cached: 45, queued: 0, running: 0 });
  for (const [i, { done, failed }] of events.entries()) {
    const before = events[i - 1];
    if (before !== undefined) expect(done + failed).toBeGreaterThanOrEqual(before.done + before.failed);
  }
  expect(events.some(({ perSecond }) => perSecond > 0)).toBe(true);
});

test.runIf(BACKENDS.length > 0)("progress ends with its signal, and its loop can be left", async () => {
  using compiler = new PtxCompiler({ arch: "sm_80" });
  const controller = new AbortController();
  let count = 0;
  for await (const _ of compiler.progress({ intervalMs: 1, signal: controller.signal })) {
    if (++count === 3) controller.abort();
  }
  expect(count).toBe(4);
  for await (const { done } of compiler.progress()) {
    expect(done).toBe(0);
    break;
  }
  expect(() => compiler.progress({ intervalMs: 0 })).toThrow("option `intervalMs`: expected a whole number");
});

describe("comments in other alphabets", () => {
  const ptx = module().replace("ret;", 'ret; // schön, "größer"\n/* 東京\n\n🙂 */');

  test("become ASCII without any other change", () => {
    expect(asciiComments(ptx)).toBe(module().replace("ret;", 'ret; // sch?n, "gr??er"\n/* ??\n\n?? */'));
    expect(asciiComments('ä "ö // ü" // é')).toBe('ä "ö // ü" // ?');
    // Strings have no escapes, so the first one here ends at the second quotation mark.
    expect(asciiComments('"\\" // é\n"é" // é /* é */\né')).toBe('"\\" // ?\n"é" // ? /* ? */\né');
    expect(asciiComments('"\\"é" // é\né')).toBe('"\\"é" // é\né');
    expect(asciiComments("/* é")).toBe("/* ?");
    expect(asciiComments('é "')).toBe('é "');
    expect(asciiComments("plain")).toBe("plain");
  });

  test.each(BACKENDS)("are compiled only on request, backend %s", async (backend) => {
    using strict = new PtxCompiler({ arch: "sm_80", backend, cache: false });
    expect(await strict.compile(ptx).catch(({ code }) => code)).toBe("INVALID_ARGUMENT");
    using tolerant = new PtxCompiler({ arch: "sm_80", backend, cache: false, asciiComments: true });
    expect((await tolerant.compile(ptx)).info.kernels).toHaveLength(1);
    expect((await tolerant.compile(Buffer.from(ptx))).info.kernels).toHaveLength(1);
    const wrong = module("schön");
    expect(await tolerant.compile(wrong).catch(({ code }) => code)).toBe("INVALID_ARGUMENT");
  });
});

describe.runIf(IN_PROCESS)("the architecture of this machine's GPU", () => {
  const driver = process.env.MM_PTX_DRIVER;
  afterEach(() => {
    if (driver === undefined) delete process.env.MM_PTX_DRIVER;
    else process.env.MM_PTX_DRIVER = driver;
  });

  test("needs a driver", () => {
    process.env.MM_PTX_DRIVER = "libnosuchdriver.so";
    expect(() => new PtxCompiler({ arch: "native" })).toThrow(
      expect.objectContaining({
        name: "PtxCompileError",
        code: "UNAVAILABLE",
        what: "driver",
        message: expect.stringMatching(/^`native` needs a GPU with its driver: .*libnosuchdriver/),
      }),
    );
  });

  test.runIf(CAN_FAKE_DRIVER).each([
    [0, 9, 0, "sm_90"],
    [0, 12, 1, "sm_121"],
    [0, 13, 7, "its architecture sm_137 is newer than this compiler"],
    [100, 9, 0, "cuInit returned 100"],
  ])("is what the driver reports: cuInit %i, %i.%i", async (status, major, minor, expected) => {
    const fake = fakeDriver(major, minor, status);
    try {
      process.env.MM_PTX_DRIVER = fake.path;
      const make = (): PtxCompiler => new PtxCompiler({ arch: "native" });
      using other = new PtxCompiler({ arch: "sm_80", cache: false });
      const job = other.compile({ ptx: module(), arch: "native" });
      if (expected.startsWith("sm_")) {
        expect(make().options.arch).toBe(expected);
        expect((await job).arch).toBe(expected);
      } else {
        expect(make).toThrow(expected);
        await expect(job).rejects.toThrow(expected);
      }
    } finally {
      fake.remove();
    }
  });
});
