// Sessions alone: every operation arrives at the fake driver unchanged, and every failure of every function
// of the driver is returned. This says nothing about a GPU.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";
import { RawSession, WORKER } from "./support/session.js";
import { NOT_ON_TOUR, PTX, takeTour } from "./support/tour.js";

const text = new TextEncoder();
/** The lookup of functions is not an operation. */
const LOOK_UP = "cuGetProcAddress";
/** Called at intervals during waits, so the number of calls is not fixed. */
const BY_TIME = /^cuStream(IsCapturing|Query)$/;
const MISSING = -1;
const NOT_READY = 600;
const CLOSED = -3;
const MALFORMED = -4;

describe.runIf(HAS_FAKE_DRIVER).each([
  ["a thread", ""],
  ["a process", WORKER],
])("a session that is %s", (_, worker) => {
  it("supports every operation", async () => {
    using fake = new FakeDriver(["devices 2"]);
    using session = new RawSession(fake.path, worker);
    const steps = takeTour(session);
    expect(steps.filter(({ reply }) => reply.status !== 0)).toEqual([]);
    const asked = new Set([...steps.map(({ operation }) => operation), ...NOT_ON_TOUR]);
    expect([...asked].sort()).toEqual([...session.hub.addon.driverOperations()].sort());
    expect((await session.close()).status).toBe(0);
    fake.expectClean();
  });

  it("frees what was left, newest first", async () => {
    using fake = new FakeDriver();
    using session = new RawSession(fake.path, worker);
    session.call("open", [0]);
    const [stream] = session.call("cuStreamCreateWithPriority", [1, 0]).values;
    session.call("cuMemAlloc", [64]);
    session.call("load", [true, 0, 255, false], text.encode(PTX));
    session.call("cuMemHostAlloc", [64, 0]);
    session.call("cuEventCreate", [0]);
    session.call("cuMemPoolCreate", [0]);
    session.call("cuMemAllocAsync", [64, stream!]);
    expect(session.call("allocations").values.map(Number)).toEqual([2, 1, 1, 1, 1, 1, 0, 0]);
    await session.close();
    const names = fake.calls().flatMap(({ name }) => (name === LOOK_UP ? [] : name));
    expect(names.slice(names.indexOf("cuCtxSynchronize"))).toEqual([
      "cuCtxSynchronize",
      "cuMemFree",
      "cuMemPoolDestroy",
      "cuEventDestroy",
      "cuMemFreeHost",
      "cuModuleUnload",
      "cuMemFree",
      "cuStreamDestroy",
      "cuDevicePrimaryCtxRelease",
    ]);
    fake.expectClean();
  });

  it("refuses invalid requests", async () => {
    using fake = new FakeDriver();
    using session = new RawSession(fake.path, worker);
    session.call("open", [0]);
    expect(session.call("open", [0]).status).toBe(MALFORMED);
    expect(session.call("cuMemAlloc", [1, 2]).status).toBe(MALFORMED);
    expect(session.call("cuMemFree", [0x1234n]).status).toBe(MALFORMED);
    const [memory] = session.call("cuMemAlloc", [16]).values;
    expect(session.call("cuMemFreeHost", [memory!]).status).toBe(MALFORMED);
    expect(session.call("cuMemFree", [memory!]).status).toBe(0);
    expect(session.call("cuMemFree", [memory!]).status).toBe(MALFORMED);
    expect((await session.close()).status).toBe(0);
    expect(session.call("cuDriverGetVersion").status).toBe(CLOSED);
    fake.expectClean();
  });
});

describe.runIf(HAS_FAKE_DRIVER)("a session whose driver fails", () => {
  /** Calls of each function of the driver, including those of `close`. */
  const counts = new Map<string, number>();
  const FAILURE = 999;
  /**
   * Functions whose failure leaks: the driver keeps what it refuses to destroy, and copies' blocks that may
   * still be written to.
   */
  const LEAVES = /Destroy|Free|Unload|cuCtxSynchronize/;

  beforeAll(async () => {
    using fake = new FakeDriver(["devices 2"]);
    using session = new RawSession(fake.path);
    takeTour(session);
    await session.close();
    for (const { name } of fake.calls()) counts.set(name, (counts.get(name) ?? 0) + 1);
  });

  it("returns the failure of each call of each function", async () => {
    expect(counts.size).toBeGreaterThan(65);
    using fake = new FakeDriver(["devices 2"]);
    for (const [name, count] of counts) {
      if (name === LOOK_UP) continue;
      for (let nth = 1; nth <= count; nth++) {
        fake.order("devices 2", `fail ${name} ${nth} ${FAILURE}`);
        fake.forget();
        using session = new RawSession(fake.path);
        const failed = takeTour(session).filter(({ reply }) => reply.status !== 0);
        const closed = await session.close();
        const where = `call ${nth} of ${name}`;
        expect(closed.status, where).toBe(0);
        for (const { reply } of failed) expect([FAILURE, NOT_READY], where).toContain(reply.status);
        for (const { reply } of failed.filter(({ reply }) => reply.status === FAILURE))
          expect(reply.text, where).toBe(`CUDA_ERROR_UNKNOWN\0fake driver: UNKNOWN\0${name}`);
        const failedCall = fake.calls(name).some(({ result }) => result === FAILURE);
        expect(failedCall || BY_TIME.test(name), where).toBe(true);
        const violations = fake.violations();
        expect(
          violations.filter((line) => !(LEAVES.test(name) && line.startsWith("left: "))),
          where,
        ).toEqual([]);
      }
    }
  });

  it("names a missing function, and does everything else", async () => {
    for (const name of counts.keys()) {
      if ([LOOK_UP, "cuInit", "cuDeviceGet"].includes(name) || name.includes("Ctx")) continue;
      using fake = new FakeDriver(["devices 2"], [name]);
      using session = new RawSession(fake.path);
      // Without the function that waits, some work may not be done when it is queried.
      const failed = takeTour(session).filter(({ reply }) => ![0, NOT_READY].includes(reply.status));
      await session.close();
      for (const { reply } of failed) {
        expect(reply.status, name).toBe(MISSING);
        expect(reply.text, name).toMatch(new RegExp(`^${name}\0\\d+\\.\\d+$`));
      }
      expect(fake.calls(name)).toEqual([]);
      expect(
        fake.violations().filter((line) => !(LEAVES.test(name) && line.startsWith("left: "))),
        name,
      ).toEqual([]);
    }
  });

  it.each([10020, 11020, 11040, 12000, 12020])("uses what a driver of version %d has", async (version) => {
    const newer = functionsAfter(version);
    using fake = new FakeDriver(
      ["devices 2", `version ${version}`],
      version < 11030 ? [...newer, "cuGetProcAddress"] : newer,
    );
    using session = new RawSession(fake.path);
    const failed = takeTour(session).filter(({ reply }) => reply.status !== 0);
    await session.close();
    expect(failed.length).toBeGreaterThan(0);
    for (const { reply } of failed) expect(newer).toContain(reply.text.split("\0")[0]);
    expect(fake.violations()).toEqual([]);
  });

  afterAll(() => counts.clear());
});

/** Functions that are newer than a version, according to the table of native/driver. */
function functionsAfter(version: number): string[] {
  const table = readFileSync(new URL("../../../../native/driver/functions.h", import.meta.url), "utf8");
  const rows = [...table.matchAll(/FUNCTION\((\w+),\s*\\?\s*"\w+", (\d+)\)/g)];
  expect(rows.length).toBeGreaterThan(70);
  return rows.filter(([, , since]) => Number(since) > version).map(([, name]) => name!);
}
