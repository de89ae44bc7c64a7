// What the interpreter does beside computing: threads that wait, faults with their places, checks, budgets, traces and counts.
import { describe, expect, it } from "vitest";
import { Interpreter } from "../src/interpreter/index.js";
import { type Argument, kernelText, type Launching, launch } from "./support/launching.js";

const engine = new Interpreter();
const run = (body: string, rest: Omit<Launching, "ptx"> & { params?: number; before?: string } = {}) => {
  const { params, before, ...launching } = rest;
  const ptx = kernelText(body, { params: params ?? 1, before: before ?? "" });
  return launch(engine, { ptx, ...launching });
};
const words = (count: number): Argument => ({ buffer: new Uint32Array(count) });
const u32 = (bytes: Uint8Array | undefined): number[] => [...new Uint32Array(bytes!.slice().buffer)];

/** `%r0` is the thread's index, `%rd1` its word of the buffer. */
const HEAD = `
	.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>; .reg .f32 %f<8>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;`;

describe("barriers", () => {
  it("wait for all threads of several warps", async () => {
    const body = `${HEAD}
	.shared .u32 box[96];
	mov.u32 %r1, box; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2;
	st.shared.u32 [%r3], %r0;
	bar.sync 0;
	sub.u32 %r4, 95, %r0; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1;
	ld.shared.u32 %r5, [%r4];
	st.global.u32 [%rd1], %r5;`;
    const { fault, buffers } = await run(body, { block: [96, 1, 1], args: [words(96)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual(Array.from({ length: 96 }, (_, index) => 95 - index));
  });

  it("do not wait for threads that have exited", async () => {
    const body = `${HEAD}
	setp.ge.u32 %p0, %r0, 40;
	@%p0 exit;
	bar.sync 0;
	st.global.u32 [%rd1], 1;`;
    const { fault, buffers } = await run(body, { block: [64, 1, 1], args: [words(64)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0]).reduce((sum, value) => sum + value)).toBe(40);
  });

  it("of different numbers hold halves of a block, and reductions count both", async () => {
    const body = `${HEAD}
	setp.lt.u32 %p0, %r0, 64;
	selp.u32 %r1, 1, 2, %p0;
	and.b32 %r2, %r0, 3; setp.eq.u32 %p1, %r2, 0;
	barrier.cta.red.popc.u32 %r3, %r1, 64, %p1;
	barrier.cta.red.and.pred %p2, %r1, 64, %p0;
	selp.u32 %r4, 100, 0, %p2;
	add.u32 %r3, %r3, %r4;
	st.global.u32 [%rd1], %r3;`;
    const { fault, buffers } = await run(body, { block: [128, 1, 1], args: [words(128)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual(Array.from({ length: 128 }, (_, index) => (index < 64 ? 116 : 16)));
  });

  it("that not all reach are a deadlock, with threads and places", async () => {
    const body = `${HEAD}
	setp.lt.u32 %p0, %r0, 2;
	@%p0 bra first;
	bar.sync 1;
	bra.uni end;
first:
	bar.sync 0;
end:`;
    const { fault } = await run(body, { block: [4, 1, 1], args: [words(4)] });
    if (fault?.kind !== "DEADLOCK") throw new Error(`found ${fault?.kind}`);
    expect(fault.waiting.map(({ thread, detail }) => `${thread[0]} ${detail}`)).toEqual([
      "0 barrier 0",
      "1 barrier 0",
      "2 barrier 1",
      "3 barrier 1",
    ]);
    expect(new Set(fault.waiting.map(({ instruction }) => instruction)).size).toBe(2);
  });

  it.each([
    ["bar.sync %r1;", 16, "expected a barrier from 0 to 15, found 16"],
    ["bar.sync 0, %r1;", 40, "expected a multiple of 32 threads at barrier 0, found 40"],
  ])("refuse %s with %i", async (instruction, value, detail) => {
    const { fault } = await run(`${HEAD}\n\tmov.u32 %r1, ${value};\n\t${instruction}`, { args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail });
  });
});

describe("warps", () => {
  it("meet at operations after their lanes went different ways", async () => {
    const body = `${HEAD}
	and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 0;
	mov.u32 %r2, %r0;
	@%p0 bra even;
	mul.lo.u32 %r2, %r0, 10;
even:
	shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;
	st.global.u32 [%rd1], %r3;`;
    const { buffers } = await run(body, { block: [32, 1, 1], args: [words(32)] });
    const expected = Array.from({ length: 32 }, (_, lane) => (lane % 2 === 0 ? (lane + 1) * 10 : lane - 1));
    expect(u32(buffers[0])).toEqual(expected);
  });

  it("operate on exactly the lanes of a mask", async () => {
    const body = `${HEAD}
	setp.lt.u32 %p0, %r0, 8;
	@%p0 bra low;
	vote.sync.ballot.b32 %r3, %p0, 0xffffff00;
	redux.sync.add.u32 %r4, %r0, 0xffffff00;
	bra.uni end;
low:
	vote.sync.ballot.b32 %r3, %p0, 0xff;
	redux.sync.max.u32 %r4, %r0, 0xff;
end:
	add.u32 %r3, %r3, %r4;
	st.global.u32 [%rd1], %r3;`;
    const { fault, buffers } = await run(body, { block: [32, 1, 1], args: [words(32)] });
    expect(fault).toBeUndefined();
    const sum = Array.from({ length: 24 }, (_, index) => index + 8).reduce((a, b) => a + b);
    expect(u32(buffers[0])).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 8 ? 0xff + 7 : sum)));
  });

  it("know which lanes are active, one place at a time", async () => {
    const body = `${HEAD}
	setp.lt.u32 %p0, %r0, 5;
	@%p0 bra low;
	activemask.b32 %r3;
	bra.uni end;
low:
	activemask.b32 %r3;
end:
	st.global.u32 [%rd1], %r3;`;
    const { buffers } = await run(body, { block: [32, 1, 1], args: [words(32)] });
    expect(u32(buffers[0])).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 5 ? 0x1f : 0xffffffe0)));
  });

  it("that wait for a lane elsewhere are a deadlock", async () => {
    const body = `${HEAD}
	setp.eq.u32 %p0, %r0, 3;
	@%p0 bra other;
	bar.warp.sync 0xf;
	bra.uni end;
other:
	bar.sync 0;
end:`;
    const { fault } = await run(body, { block: [4, 1, 1], args: [words(4)] });
    if (fault?.kind !== "DEADLOCK") throw new Error(`found ${fault?.kind}`);
    expect(fault.waiting.map(({ detail }) => detail)).toEqual([
      ...Array.from({ length: 3 }, () => "`bar.warp.sync` of lanes 0xf"),
      "barrier 0",
    ]);
  });

  it("whose lane is not among those that it waits for are a fault", async () => {
    const { fault } = await run(`${HEAD}\n\tbar.warp.sync 2;`, { args: [words(1)] });
    const detail = "lane 0 is not among the lanes 0x2 that it waits for";
    expect(fault).toMatchObject({ kind: "TRAP", detail });
  });
});

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

  it("has no address 0, and none that was cut off", async () => {
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

  it("is read and written where values are aligned", async () => {
    const { fault } = await run(load("[%rd1+2]"), { args: [words(4)] });
    expect(fault).toMatchObject({ kind: "MISALIGNED", bytes: 4 });
    const vector = await run(`${HEAD}\n\tst.global.v2.u32 [%rd1+4], {%r0, %r0};`, { args: [words(4)] });
    expect(vector.fault).toMatchObject({ kind: "MISALIGNED", bytes: 8 });
  });

  it("of a block ends where the launch says", async () => {
    const body = `${HEAD}
	shl.b32 %r1, %r0, 2;
	st.shared.u32 [%r1], %r0;`;
    const { fault } = await run(body, { block: [17, 1, 1], dynamicSharedBytes: 64, args: [words(1)] });
    expect(fault).toMatchObject({ kind: "OUT_OF_BOUNDS", space: "shared", address: 64n, thread: [16, 0, 0] });
  });

  it("of a thread is its own, also by generic addresses", async () => {
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
  it("on f32 flush in global memory, not in shared", async () => {
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

describe("instructions that the descriptions do not have", () => {
  /** Runs one, and gives `%r1` to `%r4` afterwards. */
  const results = async (instructions: string) => {
    const body = `${HEAD}
	.reg .b128 %q<2>;
	${instructions}
	st.global.v4.u32 [%a0], {%r1, %r2, %r3, %r4};`;
    const { fault, buffers } = await run(body, { args: [words(4)] });
    expect(fault).toBeUndefined();
    return u32(buffers[0]);
  };

  it.each([
    ["mov.u32 %r5, -1; add.cc.u32 %r1, %r5, 1; addc.cc.u32 %r2, %r5, 0; addc.u32 %r3, 5, 0;", [0, 0, 6, 0]],
    ["add.cc.u32 %r1, 1, 2; addc.u32 %r2, 5, 0;", [3, 5, 0, 0]],
    ["sub.cc.u32 %r1, 0, 1; subc.cc.u32 %r2, 0, 0; subc.u32 %r3, 5, 1;", [0xffffffff, 0xffffffff, 3, 0]],
    ["sub.cc.u32 %r1, 5, 5; subc.u32 %r2, 5, 1;", [0, 4, 0, 0]],
    ["mov.u32 %r5, -1; mad.lo.cc.u32 %r1, %r5, %r5, %r5; madc.hi.u32 %r2, %r5, %r5, 7;", [0, 6, 0, 0]],
    ["mov.u32 %r5, -1; mad.lo.cc.u32 %r1, %r5, 2, 2; madc.hi.s32 %r2, %r5, 2, 0;", [0, 0, 0, 0]],
    ["lop3.or.b32 %r1|%p0, 12, 10, 6, 0x80, 0; selp.u32 %r2, 1, 0, %p0;", [0, 0, 0, 0]],
    ["lop3.or.b32 %r1|%p0, 12, 10, 9, 0x80, 0; selp.u32 %r2, 1, 0, %p0;", [8, 1, 0, 0]],
    ["lop3.and.b32 %r1|%p0, 12, 10, 9, 0xfe, 0; selp.u32 %r2, 1, 0, %p0;", [15, 0, 0, 0]],
    ["lop3.b32 %r1, 0xf0, 0xcc, 0xaa, 0x1b; and.b32 %r1, %r1, 0xff;", [0x1b, 0, 0, 0]],
    [
      "mov.b128 %q0, {%a0, %a0}; mov.b64 %rd2, 7; mov.b128 %q1, {%rd2, %rd2}; mov.b128 {%rd3, %rd4}, %q1; cvt.u32.u64 %r1, %rd3; cvt.u32.u64 %r2, %rd4;",
      [7, 7, 0, 0],
    ],
    [
      ".reg .b8 %b<4>; mov.u32 %r5, 0x84030201; mov.b32 {%b0, %b1, %b2, %b3}, %r5; cvt.u32.u8 %r1, %b0; cvt.s32.s8 %r2, %b3; mov.b32 %r3, {%b3, %b2, %b1, %b0};",
      [1, 0xffffff84, 0x01020384, 0],
    ],
    [
      "mov.pred %p0, 1; setp.lt.and.s32 %p1|%p2, 1, 2, !%p0; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2;",
      [0, 0, 0, 0],
    ],
    ["slct.u32.s32 %r1, 5, 6, -1; @!%p7 mov.u32 %r2, 9; @%p7 mov.u32 %r3, 9;", [6, 9, 0, 0]],
    [
      "mov.u32 %r1, %lanemask_le; mov.u32 %r2, %nwarpid; mov.u32 %r3, %ntid.y; mov.u32 %r4, %warpid;",
      [1, 64, 1, 0],
    ],
    [
      ".reg .b16 %h<2>; mov.u16 %h0, -1; mul.wide.u16 %r1, %h0, 2; cvt.s32.s16 %r2, %h0; shl.b16 %h1, %h0, 4; cvt.u32.u16 %r3, %h1; shr.s16 %h1, %h1, 15; cvt.u32.u16 %r4, %h1;",
      [0x1fffe, 0xffffffff, 0xfff0, 0xffff],
    ],
    [
      "table: .branchtargets zero, one; mov.u32 %r5, 1; brx.idx %r5, table; zero: mov.u32 %r1, 100; one: mov.u32 %r2, 200;",
      [0, 200, 0, 0],
    ],
  ])("%s", async (instructions, expected) => {
    expect(await results(instructions)).toEqual(expected);
  });

  it("branch to none of their targets only as a fault", async () => {
    const body = `${HEAD}
table: .branchtargets here;
	mov.u32 %r1, 3;
	brx.idx %r1, table;
here:`;
    const { fault } = await run(body, { args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail: "index 3 is beyond the 1 targets of the branch" });
  });
});

describe("calls", () => {
  const FIBONACCI = `.func (.param .b32 result) fibonacci(.param .b32 n)
{
	.reg .b32 %r<8>; .reg .pred %p;
	ld.param.b32 %r1, [n];
	setp.lt.u32 %p, %r1, 2;
	@%p bra small;
	{ .param .b32 in; .param .b32 out;
	sub.u32 %r2, %r1, 1; st.param.b32 [in], %r2;
	call.uni (out), fibonacci, (in);
	ld.param.b32 %r3, [out]; }
	{ .param .b32 in; .param .b32 out;
	sub.u32 %r2, %r1, 2; st.param.b32 [in], %r2;
	call.uni (out), fibonacci, (in);
	ld.param.b32 %r4, [out]; }
	add.u32 %r1, %r3, %r4;
small:
	st.param.b32 [result], %r1;
	ret;
}
.func (.reg .b32 %d) twice(.reg .b32 %s)
{
	add.u32 %d, %s, %s;
	ret;
}`;
  const CALL = (n: string) => `${HEAD}
	{ .param .b32 in; .param .b32 out;
	st.param.b32 [in], ${n};
	call.uni (out), fibonacci, (in);
	ld.param.b32 %r1, [out]; }
	call (%r2), twice, (%r1);
	st.global.u32 [%rd1], %r2;`;

  it("have their own registers and parameters, also when a function calls itself", async () => {
    const { fault, buffers } = await run(CALL("%r0"), {
      before: FIBONACCI,
      block: [10, 1, 1],
      args: [words(10)],
    });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([0, 1, 1, 2, 3, 5, 8, 13, 21, 34].map((value) => 2 * value));
  });

  it("that never return run out of local memory", async () => {
    const before = FIBONACCI.replace("@%p bra small;", "").replaceAll(/sub\.u32/g, "add.u32");
    const { fault } = await run(CALL("5"), { before, args: [words(1)] });
    expect(fault).toMatchObject({
      kind: "TRAP",
      detail: expect.stringMatching(/^\d+ bytes of local memory do not/),
    });
  });
});

describe("the end of a launch", () => {
  const LOOP = `${HEAD}\nagain:\n\tadd.u32 %r1, %r1, 1;\n\tbra.uni again;`;

  it("comes when its instructions are used up, and names the loop", async () => {
    const { fault } = await run(LOOP, { args: [words(1)], limits: { instructions: 10_000 } });
    expect(fault).toMatchObject({ kind: "BUDGET", loop: { function: 0, first: 4, last: 5 } });
  });

  it("comes at its deadline, and when it is aborted", async () => {
    const late = await run(LOOP, { args: [words(1)], limits: { deadline: 0 } });
    expect(late.fault).toMatchObject({ kind: "TIMEOUT", loop: { first: 4, last: 5 } });
    const aborted = await run(LOOP, { args: [words(1)], limits: { signal: AbortSignal.abort() } });
    expect(aborted.fault).toMatchObject({ kind: "ABORTED" });
  });

  it("is right when the budget is just enough", async () => {
    const { fault } = await run(HEAD, { args: [words(1)], limits: { instructions: 5 } });
    expect(fault).toBeUndefined();
    const short = await run(HEAD, { args: [words(1)], limits: { instructions: 4 } });
    expect(short.fault).toMatchObject({ kind: "BUDGET", loop: undefined });
  });

  it.each(["trap", "brkpt"])("comes at `%s`", async (name) => {
    const body = `${HEAD}\n\tsetp.eq.u32 %p0, %r0, 2;\n\t@%p0 ${name};`;
    const { fault } = await run(body, { block: [4, 1, 1], args: [words(1)] });
    expect(fault).toMatchObject({
      kind: "TRAP",
      thread: [2, 0, 0],
      instruction: 5,
      detail: `the kernel ran into \`${name}\``,
    });
  });
});

describe("threads that wait in a loop", () => {
  it("for what a later thread writes are let go", async () => {
    const body = `${HEAD}
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra write;
again:
	ld.volatile.global.u32 %r1, [%a0];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra again;
	st.global.u32 [%a0+4], %r1;
	ret;
write:
	st.volatile.global.u32 [%a0], 7;`;
    const { fault, buffers } = await run(body, { block: [2, 1, 1], args: [words(2)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([7, 7]);
  });
});

describe("text", () => {
  const TEXTS = `.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;
.global .align 1 .b8 format[20] = {"%d: %s, %.2f, %lld\\n"};
.global .align 1 .b8 name[4] = {"abc"};`.replace("\\n", "|");

  it("is printed thread by thread, values packed as the compiler packs them", async () => {
    const body = `${HEAD}
	.local .align 8 .b8 values[32]; .reg .f64 %fd<2>;
	st.local.u32 [values], %r0;
	mov.u64 %rd2, name; st.local.u64 [values+8], %rd2;
	mov.f64 %fd0, 0d3FF4000000000000; st.local.f64 [values+16], %fd0;
	mov.u64 %rd3, -5; st.local.u64 [values+24], %rd3;
	mov.u64 %rd4, format; mov.u64 %rd5, values; cvta.local.u64 %rd5, %rd5;
	{ .param .b64 p0; .param .b64 p1; .param .b32 result;
	st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd5;
	call.uni (result), vprintf, (p0, p1);
	ld.param.b32 %r1, [result]; }
	st.global.u32 [%rd1], %r1;`;
    const { fault, printed, buffers } = await run(body, {
      before: TEXTS,
      block: [2, 1, 1],
      args: [words(2)],
    });
    expect(fault).toBeUndefined();
    expect(printed).toEqual(["0: abc, 1.25, -5|", "1: abc, 1.25, -5|"]);
    expect(u32(buffers[0])).toEqual([4, 4]);
  });

  it("of a failed assertion says what failed, and where", async () => {
    const body = `${HEAD}
	mov.u64 %rd4, name;
	{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
	st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd4; st.param.b32 [p2], 12; st.param.b64 [p3], %rd4; st.param.b64 [p4], 1;
	call.uni __assertfail, (p0, p1, p2, p3, p4); }`;
    const { fault } = await run(body, { before: TEXTS, args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail: "assertion `abc` failed in abc at abc:12" });
  });
});

describe("checks", () => {
  const STORE = `${HEAD}
	.shared .u32 cell[2];
	st.shared.u32 [cell], %r0;`;

  it("find two threads that write a word with nothing between", async () => {
    const { fault } = await run(STORE, { block: [2, 1, 1], args: [words(2)], hooks: { races: true } });
    expect(fault).toMatchObject({
      kind: "RACE",
      space: "shared",
      address: 0n,
      thread: [1, 0, 0],
      other: { thread: [0, 0, 0] },
    });
    const global = await run(`${HEAD}\n\tld.global.u32 %r1, [%a0];\n\tst.global.u32 [%rd1], %r1;`, {
      block: [2, 1, 1],
      args: [words(2)],
      hooks: { races: true },
    });
    expect(global.fault).toMatchObject({
      kind: "RACE",
      space: "global",
      thread: [1, 0, 0],
      other: { thread: [0, 0, 0] },
    });
  });

  it.each(["bar.sync 0;", "bar.warp.sync -1;"])("find none where %s stands between", async (barrier) => {
    const body = `${HEAD}
	.shared .u32 cells[64];
	mov.u32 %r1, cells; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2;
	st.shared.u32 [%r3], %r0;
	${barrier}
	xor.b32 %r3, %r3, 4; ld.shared.u32 %r4, [%r3];
	${barrier}
	st.shared.u32 [%r3], %r4;
	red.global.add.u32 [%a0], 1;`;
    const { fault } = await run(body, { block: [64, 1, 1], args: [words(1)], hooks: { races: true } });
    expect(fault).toBeUndefined();
  });

  it("of warps do not count for threads of other warps", async () => {
    const body = `${HEAD}
	.shared .u32 cell;
	setp.eq.u32 %p0, %r0, 0;
	@%p0 st.shared.u32 [cell], 5;
	bar.warp.sync -1;
	ld.shared.u32 %r1, [cell];`;
    const { fault } = await run(body, { block: [64, 1, 1], args: [words(1)], hooks: { races: true } });
    expect(fault).toMatchObject({ kind: "RACE", thread: [32, 0, 0], other: { thread: [0, 0, 0] } });
  });

  it("find registers and shared memory that nobody wrote", async () => {
    const register = await run(`${HEAD}\n\tadd.u32 %r1, %r2, 1;`, {
      args: [words(1)],
      hooks: { uninitialized: true },
    });
    expect(register.fault).toMatchObject({ kind: "UNINITIALIZED", what: "register `%r2`" });
    const shared = await run(`${STORE}\n\tld.shared.u32 %r1, [cell+4];`, {
      args: [words(1)],
      hooks: { uninitialized: true },
    });
    expect(shared.fault).toMatchObject({ kind: "UNINITIALIZED", what: "shared memory at 4" });
    const fine = await run(`${STORE}\n\tld.shared.u32 %r1, [cell];\n\tadd.u32 %r2, %r1, 1;`, {
      args: [words(1)],
      hooks: { uninitialized: true },
    });
    expect(fine.fault).toBeUndefined();
  });
});

describe("seeing", () => {
  it("traces one thread: each instruction with what its registers hold afterwards", async () => {
    const steps: string[] = [];
    const body = `${HEAD}\n\tshfl.sync.idx.b32 %r1, %r0, 3, 31, 0xf;\n\tadd.u32 %r2, %r1, 1;`;
    await run(body, {
      grid: [2, 1, 1],
      block: [4, 1, 1],
      args: [words(4)],
      hooks: {
        trace: {
          block: [1, 0, 0],
          thread: [2, 0, 0],
          step: ({ instruction, values }) =>
            steps.push(`${instruction}: ${values.map((value) => value ?? "-").join(" ")}`),
        },
      },
    });
    expect(steps.slice(1, 3)).toEqual(["1: 2 -", "2: 8 2 -"]);
    expect(steps.slice(4)).toEqual(["4: 3 - 2 - - -", "5: 4 3 -", "6: "]);
  });

  it("counts how often threads executed each instruction", async () => {
    const counts = [new Float64Array(8)];
    const body = `${HEAD}\n\tsetp.lt.u32 %p0, %r0, 3;\n\t@%p0 bra end;\n\tadd.u32 %r1, %r0, 1;\nend:`;
    await run(body, { grid: [2, 1, 1], block: [10, 1, 1], args: [words(10)], hooks: { counts } });
    expect([...counts[0]!]).toEqual([20, 20, 20, 20, 20, 20, 14, 20]);
  });

  it("reads time in instructions, the same at every run", async () => {
    const body = `${HEAD}\n\tmov.u32 %r1, %clock;\n\tmov.u32 %r2, %clock;\n\tsub.u32 %r1, %r2, %r1;\n\tst.global.u32 [%rd1], %r1;`;
    const { buffers } = await run(body, { block: [3, 1, 1], args: [words(3)] });
    expect(u32(buffers[0])).toEqual([1, 1, 1]);
  });
});
