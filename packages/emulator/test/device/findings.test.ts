// Findings of checks: launches go on, equal findings are counted, and each names its threads and its allocation.
import { u64 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, type EmulatedDeviceOptions } from "../../src/index.js";
import { kernelText } from "../support/launching.js";

const HEAD = `
	.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;`;

interface Launching extends EmulatedDeviceOptions {
  readonly grid?: number;
  readonly block?: number;
  readonly before?: string;
  readonly launches?: number;
}

/** Launches a body, with a buffer of 16 words, on a device with checks. */
async function checked(
  check: NonNullable<EmulatedDeviceOptions["check"]>,
  body: string,
  { grid = 1, block = 32, before = "", launches = 1, ...options }: Launching = {},
) {
  const device = EmulatedDevice.open({ check, ...options });
  const kernel = device.load(kernelText(`${HEAD}\n${body}`, { before })).kernel("kernel");
  const buffer = device.allocateUint32(16);
  await buffer.copyFrom(new Uint32Array(16).fill(7));
  for (let i = 0; i < launches; i++) await device.stream.run(kernel, { grid, block }, [u64(buffer.address)]);
  const words = await buffer.read();
  return { device, buffer, words: [...words], findings: device.findings };
}

describe("the check of memory", () => {
  it("gives zero for loads, drops stores, counts equal findings, and goes on", async () => {
    const body = `
	ld.global.u32 %r1, [%rd1];
	add.u32 %r1, %r1, 1;
	st.global.u32 [%rd1], %r1;
	setp.eq.u32 %p0, %r0, 31;
	@%p0 st.global.u32 [%a0], %r1;`;
    const { words, findings } = await checked({ memory: true }, body, { grid: 2 });
    expect(words.slice(0, 3)).toEqual([1, 9, 9]);
    expect(
      findings.map(({ kind, access, occurrences, threadCount, blockCount }) => [
        kind,
        access,
        occurrences,
        threadCount,
        blockCount,
      ]),
    ).toEqual([
      ["OUT_OF_BOUNDS", "load", 32, 32, 2],
      ["OUT_OF_BOUNDS", "store", 32, 32, 2],
    ]);
    const [load] = findings;
    expect(load).toMatchObject({
      severity: "error",
      check: "memory",
      kernel: "kernel",
      threads: expect.objectContaining({ length: 8 }),
      allocation: { label: "buffer 1", byteLength: 64, distance: 64 },
    });
    expect(load!.threads[0]).toEqual({ block: [0, 0, 0], thread: [16, 0, 0] });
    expect(load!.allocation!.madeAt[0]).toMatchObject({ file: expect.stringContaining("findings.test.ts") });
    expect(load!.place!.instruction).toBe("ld.global.u32 %r1, [%rd1]");
  });

  it("joins the findings of several launches, and keeps as many as the option says", async () => {
    const body = "\tst.global.u32 [%rd1+256], 1;\n\tst.global.u32 [%rd1+2], 1;";
    const all = await checked({ memory: true }, body, { block: 1, launches: 3 });
    expect(all.findings.map(({ kind, occurrences }) => [kind, occurrences])).toEqual([
      ["OUT_OF_BOUNDS", 3],
      ["MISALIGNED", 3],
    ]);
    const few = await checked({ memory: true }, body, { block: 1, launches: 3, mostFindings: 1 });
    expect([few.findings.length, few.device.findingsLeftOut]).toEqual([1, 3]);
  });
});

it.each(["interpreter", "webassembly"] as const)(
  "threads write once beside wrong accesses: %s",
  async (engine) => {
    // Threads with odd numbers access what is not there.
    const body = `
	and.b32 %r1, %r0, 1;
	mad.wide.u32 %rd1, %r1, 4000, %rd1;
	ld.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, %r0;
	st.global.u32 [%rd1], %r2;`;
    const { words, findings } = await checked({ memory: true }, body, { block: 16, engine });
    expect(words).toEqual(words.map((_, i) => (i % 2 === 0 ? 7 + i : 7)));
    expect(findings.map(({ access, occurrences }) => [access, occurrences])).toEqual([
      ["load", 8],
      ["store", 8],
    ]);
  },
);

it("a group of threads does not start over when one of them has written", async () => {
  const body = `
	and.b32 %r1, %r0, 1;
	mad.wide.u32 %rd2, %r1, 4000, %rd1;
	ld.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd2], %r2;`;
  const { words, findings } = await checked({ memory: true }, body, { block: 16, engine: "webassembly" });
  expect(words).toEqual(words.map((_, i) => (i % 2 === 0 ? 8 : 7)));
  expect(findings.map(({ access, occurrences }) => [access, occurrences])).toEqual([["store", 8]]);
});

describe("the check of races", () => {
  it("tells stores of the same value apart", async () => {
    const { findings, words } = await checked(
      { races: true },
      "\tst.global.u32 [%a0], 5;\n\tst.global.u32 [%a0+4], %r0;",
      { block: 64 },
    );
    expect(words.slice(0, 2)).toEqual([5, 63]);
    expect(findings.map(({ kind, severity, occurrences }) => [kind, severity, occurrences])).toEqual([
      ["RACE", "error", 63],
      ["SAME_VALUE_WRITES", "warning", 1],
    ]);
    expect(findings[0]).toMatchObject({ access: "store", other: { access: "store", thread: [0, 0, 0] } });
  });
});

describe("one store of a warp", () => {
  it("may write a value several times, but not different values", async () => {
    const body = "\tst.global.u32 [%a0], 5;\n\tand.b32 %r1, %r0, 1;\n\tst.global.u32 [%a0+4], %r1;";
    const { findings } = await checked({ races: true }, body);
    expect(findings.map(({ kind, occurrences }) => [kind, occurrences])).toEqual([["RACE", 31]]);
  });
});

describe("accesses that synchronize", () => {
  const body = (load: string) => `
	setp.eq.u32 %p1, %r0, 0;
	@%p1 st.release.cta.shared.u32 [tile], 1;
	@!%p1 ${load} %r3, [tile];`;
  const before = ".shared .align 4 .b8 tile[64];";

  it("do not race with each other, but with plain and volatile ones", async () => {
    const fine = await checked({ races: true }, body("ld.acquire.cta.shared.u32"), { before });
    expect(fine.findings).toEqual([]);
    for (const load of ["ld.shared.u32", "ld.volatile.shared.u32"])
      expect((await checked({ races: true }, body(load), { before })).findings).toMatchObject([
        { kind: "RACE", access: "load", other: { access: "store" } },
      ]);
  });

  it("run in WebAssembly unless races are looked for", async () => {
    const ordering = `${body("ld.acquire.cta.shared.u32")}
	@!%p1 st.release.cta.u32 [%rd1], %r3;
	atom.acq_rel.cta.global.add.u32 %r4, [%a0+32], 1;`;
    const engine = "webassembly";
    const others = { memory: true, uninitialized: true, sync: true };
    for (const check of [{}, others]) {
      const { words, findings } = await checked(check, ordering, { before, engine, block: 8 });
      expect(words).toEqual([7, ...new Array(7).fill(1), 15, ...new Array(7).fill(7)]);
      expect(findings).toEqual([]);
    }
    await expect(checked({ races: true }, ordering, { before, engine })).rejects.toThrow(
      "found it has `st.release.cta.shared.u32`",
    );
  });
});

describe("the check of synchronization", () => {
  it("ends a block that cannot go on, and runs the next ones", async () => {
    const body = `
	mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0;
	setp.eq.u32 %p0, %r0, 0;
	and.pred %p0, %p0, %p1;
	@%p0 bar.sync 1, 64;
	@!%p0 bar.sync 0, 32;
	red.global.add.u32 [%a0], 1;`;
    const { findings, words } = await checked({ sync: true }, body, { grid: 3 });
    expect(words[0]).toBe(7 + 64);
    expect(findings.map(({ kind, occurrences, blockCount }) => [kind, occurrences, blockCount])).toEqual([
      ["DEADLOCK", 1, 1],
    ]);
  });

  it("finds divergent and incomplete barriers, which work here", async () => {
    const body = `
	setp.lt.u32 %p0, %r0, 8;
	@%p0 bra $A;
	bar.sync 0;
	bra $B;
$A:
	bar.sync 0;
$B:
	setp.eq.u32 %p1, %r0, 3;
	@%p1 exit;
	bar.sync 0;`;
    const { findings } = await checked({ sync: true }, body);
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual([
      ["DIVERGENT_BARRIER", "error"],
      ["EXITED_THREADS", "warning"],
    ]);
  });

  it("finds lanes that are not in their mask", async () => {
    const { findings } = await checked({ sync: true }, "\tbar.warp.sync 1;");
    expect(findings.map(({ kind }) => kind)).toEqual(["INVALID_SYNC"]);
  });
});

describe("the check of leaks", () => {
  it("finds the buffers that are left when the device is disposed, with the lines that made them", async () => {
    const device = EmulatedDevice.open({ check: { leaks: true } });
    const make = () => device.allocate(16);
    device.allocate(8).dispose();
    const kept = [make(), make()];
    expect(device.findings).toEqual([]);
    device.dispose();
    device.dispose();
    expect(kept).toHaveLength(2);
    expect(device.findings.map(({ kind, occurrences, message }) => [kind, occurrences, message])).toEqual([
      ["LEAK", 1, "expected a buffer that is freed, found buffer 2 of 16 bytes, which is not"],
      ["LEAK", 1, "expected a buffer that is freed, found buffer 3 of 16 bytes, which is not"],
    ]);
    expect(device.findings[0]!.allocation!.madeAt[0]).toMatchObject({ function: "make" });
  });
});

it("memory that kernels have not freed is a leak, counted by the call that made it", async () => {
  const device = EmulatedDevice.open({ check: { leaks: true } });
  const before = ".extern .func (.param .b64 back) malloc(.param .b64 size);";
  const body = `
	.reg .b64 %size; .reg .b64 %found;
	mov.u64 %size, 24;
	{
	.param .b64 size;
	st.param.b64 [size], %size;
	.param .b64 back;
	call.uni (back), malloc, (size);
	ld.param.b64 %found, [back];
	}`;
  const kernel = device.load(kernelText(body, { before })).kernel("kernel");
  await device.stream.run(kernel, { grid: 1, block: 4 }, [u64(0n)]);
  device.dispose();
  expect(device.findings).toMatchObject([
    { kind: "LEAK", occurrences: 4, bytes: 24, allocation: { label: "heap block 1" } },
  ]);
});

describe("the check of uninitialized values", () => {
  it.each([
    ["a predicate", "\t@%p2 add.u32 %r3, %r0, 1;"],
    ["the opposite of a predicate", "\t@!%p2 add.u32 %r3, %r0, 1;"],
    ["a register", "\tadd.u32 %r3, %r4, 1;"],
    ["shared memory", "\tld.shared.u32 %r3, [tile];"],
  ])("finds reads of %s that was never written", async (_, body) => {
    const before = ".shared .align 4 .b8 tile[64];";
    const { findings } = await checked({ uninitialized: true }, body, { before, block: 1 });
    expect(findings).toMatchObject([{ kind: "UNINITIALIZED", occurrences: 1, place: { line: 14 } }]);
  });
});

it("a register that was never written is a finding", async () => {
  const { findings } = await checked({ uninitialized: true }, "\tadd.u32 %r3, %r4, 1;");
  expect(findings).toMatchObject([{ kind: "UNINITIALIZED", occurrences: 32, threadCount: 32 }]);
});
