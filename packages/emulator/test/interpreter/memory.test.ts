// Memory in the interpreter: bounds, atomic operations, and the checks for races and uninitialized reads.
import { describe, expect, it } from "vitest";
import { ENGINES } from "../support/both-engines.js";
import { checkedRun, HEAD, run, u32, words } from "../support/interpreting.js";

describe("memory", () => {
  const load = (address: string) => `${HEAD}\n\tld.global.u32 %r1, ${address};`;

  it("ends where an allocation ends", async () => {
    const { fault, addresses } = await run(load("[%rd1+16]"), { args: [words(4)] });
    expect(fault).toMatchObject({
      kind: "OUT_OF_BOUNDS",
      address: addresses[0]! + 16n,
      bytes: 4,
      space: "global",
      access: "load",
      block: [0, 0, 0],
      thread: [0, 0, 0],
    });
  });

  it("has no address 0, and no truncated addresses", async () => {
    const zero = await run(`${HEAD}\n\tmov.u64 %rd2, 0;\n\tst.u32 [%rd2], 1;`, { args: [words(4)] });
    expect(zero.fault).toMatchObject({
      kind: "OUT_OF_BOUNDS",
      address: 0n,
      access: "store",
      space: "generic",
    });
    const cut = await run(`${HEAD}\n\tcvt.u32.u64 %r1, %rd1; cvt.u64.u32 %rd2, %r1;\n\tst.u32 [%rd2], 1;`, {
      args: [words(4)],
    });
    expect(cut.fault).toMatchObject({ kind: "OUT_OF_BOUNDS", address: cut.addresses[0]! & 0xffffffffn });
  });

  it("requires aligned addresses", async () => {
    const { fault } = await run(load("[%rd1+2]"), { args: [words(4)] });
    expect(fault).toMatchObject({ kind: "MISALIGNED", bytes: 4 });
    const vector = await run(`${HEAD}\n\tst.global.v2.u32 [%rd1+4], {%r0, %r0};`, { args: [words(4)] });
    expect(vector.fault).toMatchObject({ kind: "MISALIGNED", bytes: 8 });
  });

  it("of a block has the size that the launch says", async () => {
    const body = `${HEAD}
	shl.b32 %r1, %r0, 2;
	st.shared.u32 [%r1], %r0;`;
    const { fault } = await run(body, { block: [17, 1, 1], dynamicSharedBytes: 64, args: [words(1)] });
    expect(fault).toMatchObject({ kind: "OUT_OF_BOUNDS", space: "shared", address: 64n, thread: [16, 0, 0] });
  });

  it("is copied whole by cp.async with a cache policy and without a size", async () => {
    const body = `${HEAD}
	.shared .align 4 .u32 tile[1];
	mov.u64 %rd2, 0;
	cp.async.ca.shared.global.L2::cache_hint [tile], [%rd1], 4, %rd2;
	cp.async.wait_all;
	ld.shared.u32 %r1, [tile];
	st.global.u32 [%rd1+4], %r1;`;
    const { fault, buffers } = await run(body, { args: [{ buffer: Uint32Array.from([7, 9]) }] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0]!)).toEqual([7, 7]);
  });

  it("of a thread is private, also by generic addresses", async () => {
    const body = `${HEAD}
	.local .align 8 .u32 mine[4];
	mov.u64 %rd2, mine; cvta.local.u64 %rd3, %rd2;
	st.u32 [%rd3+8], %r0;
	ld.local.u32 %r1, [mine+8];
	isspacep.local %p0, %rd3;
	selp.u32 %r2, 100, 0, %p0;
	add.u32 %r1, %r1, %r2;
	st.global.u32 [%rd1], %r1;`;
    const { fault, buffers } = await run(body, { block: [3, 1, 1], args: [words(3)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([100, 101, 102]);
  });

  it("begins with zeros in each block", async () => {
    const body = `${HEAD}
	.shared .u32 total; .reg .b32 %c;
	atom.shared.add.u32 %r1, [total], 1;
	mov.u32 %c, %ctaid.x; mul.wide.u32 %rd2, %c, 4; add.u64 %rd2, %rd2, %a0;
	red.global.max.u32 [%rd2], %r1;`;
    const { buffers } = await run(body, { grid: [3, 1, 1], block: [5, 1, 1], args: [words(3)] });
    expect(u32(buffers[0])).toEqual([4, 4, 4]);
  });
});

describe("atomic operations", () => {
  it("on f32 flush subnormals in global memory, not in shared memory", async () => {
    const body = `${HEAD}
	.shared .f32 cell;
	st.shared.u32 [cell], 1;
	mov.b32 %f0, 1;
	red.shared.add.f32 [cell], %f0;
	ld.shared.u32 %r1, [cell];
	st.global.u32 [%a0], 1;
	red.global.add.f32 [%a0], %f0;
	st.global.u32 [%a0+4], %r1;`;
    const { fault, buffers } = await run(body, { args: [words(2)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([0, 2]);
  });

  it.each([
    ["inc.u32", 5, 5, 0, 0],
    ["inc.u32", 4, 5, 0, 5],
    ["dec.u32", 0, 5, 0, 5],
    ["dec.u32", 7, 5, 0, 5],
    ["dec.u32", 3, 5, 0, 2],
    ["min.s32", 1, 0xffffffff, 0, 0xffffffff],
    ["max.u32", 1, 0xffffffff, 0, 0xffffffff],
    ["exch.b32", 1, 9, 0, 9],
    ["and.b32", 12, 10, 0, 8],
    ["xor.b32", 12, 10, 0, 6],
    ["cas.b32", 4, 4, 9, 9],
    ["cas.b32", 5, 4, 9, 5],
    ["add.noftz.f16x2", 0x3c003c00, 0x40003c00, 0, 0x42004000],
  ])("%s on %i with %i", async (operation, before, a, b, after) => {
    const third = operation.startsWith("cas") ? ", %r2" : "";
    const body = `${HEAD}
	mov.u32 %r1, ${a}; mov.u32 %r2, ${b};
	atom.global.${operation} %r3, [%a0], %r1${third};
	st.global.u32 [%a0+4], %r3;`;
    const { fault, buffers } = await run(body, { args: [{ buffer: Uint32Array.of(before, 0) }] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([after, before]);
  });
});

describe.each(Object.keys(ENGINES))("checks, in %s,", (name) => {
  const engine = ENGINES[name]!();
  const STORE = `${HEAD}
	.shared .u32 cell[2];
	st.shared.u32 [cell], %r0;`;

  it("find two threads that write a word without synchronization", async () => {
    const { faults } = await checkedRun({ races: true }, STORE, {
      block: [2, 1, 1],
      args: [words(2)],
      engine,
    });
    expect(faults[0]).toMatchObject({
      kind: "RACE",
      space: "shared",
      address: 0n,
      thread: [1, 0, 0],
      other: { thread: [0, 0, 0] },
    });
    const body = `${HEAD}\n\tld.global.u32 %r1, [%a0];\n\tst.global.u32 [%rd1], %r1;`;
    const global = await checkedRun({ races: true }, body, { block: [2, 1, 1], args: [words(2)], engine });
    expect(global.faults[0]).toMatchObject({
      kind: "RACE",
      space: "global",
      thread: [1, 0, 0],
      other: { thread: [0, 0, 0] },
    });
  });

  it.each(["bar.sync 0;", "bar.warp.sync -1;"])("find no race if `%s` is in between", async (barrier) => {
    const body = `${HEAD}
	.shared .u32 cells[64];
	mov.u32 %r1, cells; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2;
	st.shared.u32 [%r3], %r0;
	${barrier}
	xor.b32 %r3, %r3, 4; ld.shared.u32 %r4, [%r3];
	${barrier}
	st.shared.u32 [%r3], %r4;
	red.global.add.u32 [%a0], 1;`;
    const { faults } = await checkedRun({ races: true }, body, {
      block: [64, 1, 1],
      args: [words(1)],
      engine,
    });
    expect(faults).toEqual([]);
  });

  it("find races between warps in spite of barriers of a warp", async () => {
    const body = `${HEAD}
	.shared .u32 cell;
	setp.eq.u32 %p0, %r0, 0;
	@%p0 st.shared.u32 [cell], 5;
	bar.warp.sync -1;
	ld.shared.u32 %r1, [cell];`;
    const { faults } = await checkedRun({ races: true }, body, {
      block: [64, 1, 1],
      args: [words(1)],
      engine,
    });
    expect(faults[0]).toMatchObject({ kind: "RACE", thread: [32, 0, 0], other: { thread: [0, 0, 0] } });
  });

  it("find reads of registers and shared memory that were never written", async () => {
    const check = (body: string) => checkedRun({ uninitialized: true }, body, { args: [words(1)], engine });
    const register = await check(`${HEAD}\n\tadd.u32 %r1, %r2, 1;`);
    expect(register.faults[0]).toMatchObject({ kind: "UNINITIALIZED", what: "register `%r2`" });
    const shared = await check(`${STORE}\n\tld.shared.u32 %r1, [cell+4];`);
    expect(shared.faults[0]).toMatchObject({ kind: "UNINITIALIZED", what: "shared memory at 4" });
    const packed = (use: string) =>
      check(`${HEAD}\n\tmov.b64 %rd2, {%r0, %r2};\n\tmov.u32 %r4, %r3;\n\t${use}`);
    expect((await packed("cvt.u32.u64 %r1, %rd2;\n\tadd.u32 %r2, %r1, 1;")).faults).toEqual([]);
    expect((await packed("add.u32 %r1, %r4, 1;")).faults[0]).toMatchObject({ what: "register `%r4`" });
    const selected = (which: number) =>
      packed(`setp.eq.u32 %p0, %r0, ${which}; selp.u32 %r5, %r2, 7, %p0;\n\tadd.u32 %r6, %r5, 1;`);
    expect((await selected(1)).faults).toEqual([]);
    expect((await selected(0)).faults[0]).toMatchObject({ what: "register `%r5`" });
    const undecided = await packed("selp.u32 %r5, 1, 2, %p1;");
    expect(undecided.faults[0]).toMatchObject({ what: "register `%p1`" });
    const fine = await check(`${STORE}\n\tld.shared.u32 %r1, [cell];\n\tadd.u32 %r2, %r1, 1;`);
    expect(fine.faults).toEqual([]);
  });
});
