// Rare features of kernels, on both engines: recursive functions and functions called by address, loops with two
// entries, barriers that threads pass without waiting, warp-level matrix loads. Both engines have to agree with the
// results written here.
import { describe, expect, it } from "vitest";
import { ENGINES, run, values } from "../support/both-engines.js";

/** `f(n)` is 1 for 0, otherwise n times the result of `g` for n - 1. A word of local memory has to survive the call. */
const FACTORIAL = (name: string, next: string) => `
.func (.param .u32 result) ${next}(.param .u32 n);
.func (.param .u32 result) ${name}(.param .u32 n)
{
	.reg .b32 %r<8>; .reg .pred %p; .reg .b64 %l;
	.local .align 4 .u32 kept;
	ld.param.u32 %r0, [n];
	st.local.u32 [kept], %r0;
	mov.u32 %r3, 1;
	setp.eq.u32 %p, %r0, 0;
	@%p bra $OUT;
	sub.u32 %r1, %r0, 1;
	{
	.param .u32 given; .param .u32 taken;
	st.param.u32 [given], %r1;
	call (taken), ${next}, (given);
	ld.param.u32 %r2, [taken];
	}
	mov.u64 %l, kept;
	cvta.local.u64 %l, %l;
	ld.u32 %r4, [%l];
	mul.lo.u32 %r3, %r2, %r4;
$OUT:
	st.param.u32 [result], %r3;
	ret;
}`;

const CALL = (callee: string, rest = "") => `
	{
	.param .u32 given; .param .u32 taken;
	st.param.u32 [given], %r0;
	call (taken), ${callee}, (given)${rest};
	ld.param.u32 %r1, [taken];
	}
	st.global.u32 [%rd1], %r1;`;

const factorials = (count: number) => {
  const found = [1];
  for (let n = 1; n < count; n++) found.push(Math.imul(found[n - 1]!, n) >>> 0);
  return found;
};

/** A function of one word. `body` computes %r1 from %r0. */
const FUNCTION = (name: string, body: string) => `
.func (.param .u32 result) ${name}(.param .u32 n)
{
	.reg .b32 %r<4>;
	ld.param.u32 %r0, [n];
	${body}
	st.param.u32 [result], %r1;
	ret;
}`;
const TABLE = [
  FUNCTION("twice", "shl.b32 %r1, %r0, 1;"),
  FUNCTION("opposite", "neg.s32 %r1, %r0;"),
  ".func nothing() { ret; }",
  ".global .align 8 .u64 table[4] = {twice, opposite, nothing, 12345};",
].join("\n");
const INDIRECT = (index: string) => `
	${index}
	shl.b32 %r3, %r2, 3; cvt.u64.u32 %rd2, %r3;
	mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2; ld.global.u64 %rd4, [%rd3];
	prototype: .callprototype (.param .u32 _) _ (.param .u32 _);${CALL("%rd4", ", prototype")}`;

describe.each(Object.keys(ENGINES))("on the engine %s", (engine) => {
  it("a function calls itself", async () => {
    const found = await run(engine, CALL("f"), { before: FACTORIAL("f", "f"), threads: 40 });
    expect([found.fault, values(found)]).toEqual([undefined, factorials(40)]);
  });

  it("two functions call each other", async () => {
    const before = FACTORIAL("f", "g") + FACTORIAL("g", "f");
    const found = await run(engine, CALL("g"), { before, threads: 33 });
    expect([found.fault, values(found)]).toEqual([undefined, factorials(33)]);
  });

  it("infinite recursion is a fault of the thread that calls", async () => {
    const before = FACTORIAL("f", "f").replace("@%p bra $OUT;", "");
    expect((await run(engine, CALL("f"), { before, threads: 1 })).fault).toMatchObject({
      kind: "TRAP",
      thread: [0, 0, 0],
      function: 0,
    });
  });

  it("functions are called by their addresses", async () => {
    const found = await run(engine, INDIRECT("and.b32 %r2, %r0, 1;"), { before: TABLE, threads: 4 });
    expect([found.fault, values(found)]).toEqual([undefined, [0, 2 ** 32 - 1, 4, 2 ** 32 - 3]]);
  });

  it.each([
    [2, "a function with other parameters"],
    [3, "no function"],
  ])("a call by address %i of the table, %s, is a fault", async (index) => {
    const found = await run(engine, INDIRECT(`mov.u32 %r2, ${index};`), { before: TABLE, threads: 1 });
    expect(found.fault?.kind).toBe("TRAP");
  });

  it("16-bit numbers are added and compared in memory", async () => {
    // Each thread adds 1.5 in f16, and 0.5 and 1 in a pair of bf16. The first one changes half of a word.
    const body = `
	.reg .b16 %h<4>;
	mov.b16 %h0, 0x3e00; mov.b32 %r1, 0x3f803f00; mov.b16 %h1, 0xffff; mov.b16 %h2, 0;
	atom.global.add.noftz.f16 %h3, [%a0], %h0;
	red.global.add.noftz.bf16x2 [%a0+4], %r1;
	atom.global.cas.b16 %h3, [%a0+10], %h2, %h1;
	cvt.u32.u16 %r2, %h3;
	st.global.u32 [%a0+12], %r2;`;
    const found = await run(engine, body, { threads: 4 });
    expect([found.fault, values(found)]).toEqual([undefined, [0x4600, 0x40804000, 0xffff0000, 0xffff]]);
  });

  it("values are passed in registers", async () => {
    const before = `
.func (.reg .u32 %sum, .reg .pred %odd) f(.reg .u32 %a, .reg .u32 %b)
{
	.reg .u32 %low;
	add.u32 %sum, %a, %b;
	and.b32 %low, %sum, 1;
	setp.eq.u32 %odd, %low, 1;
	ret;
}
.func (.param .u32 result) g(.param .u16 a)
{
	.reg .u16 %h; .reg .u32 %w;
	ld.param.u16 %h, [a];
	mul.wide.u16 %w, %h, 2;
	st.param.u32 [result], %w;
	ret;
}`;
    const body = `
	.reg .u16 %h;
	call (%r1, %p0), f, (%r0, 100);
	selp.u32 %r2, 1000, 0, %p0;
	add.u32 %r1, %r1, %r2;
	cvt.u16.u32 %h, %r0;
	call (%r3), g, (%h);
	add.u32 %r1, %r1, %r3;
	call (_, %p0), f, (%r0, %r0);
	st.global.u32 [%rd1], %r1;`;
    const found = await run(engine, body, { before, threads: 4 });
    expect([found.fault, values(found)]).toEqual([undefined, [100, 1103, 106, 1109]]);
  });

  it("registers that were never written are 0, in each thread and each call", async () => {
    const before = `
.func (.param .u32 result) f(.param .u32 n)
{
	.reg .b32 %r<4>; .reg .pred %p<2>;
	ld.param.u32 %r0, [n];
	add.u32 %r1, %r1, %r0;
	@%p1 add.u32 %r1, %r1, 1000;
	setp.ge.u32 %p1, %r1, 0;
	st.param.u32 [result], %r1;
	ret;
}`;
    // The function begins with a loop, in which registers keep their values.
    const body = `
$LOOP:
	add.u32 %r9, %r9, 1;
	addc.u32 %r10, %r10, 0;
	setp.gt.u32 %p0, %r0, 0;
	@%p0 mov.u32 %r11, %r0;
	{
	.param .u32 given; .param .u32 taken;
	st.param.u32 [given], %r9;
	call (taken), f, (given);
	ld.param.u32 %r12, [taken];
	}
	add.u32 %r13, %r13, %r12;
	setp.lt.u32 %p2, %r9, 3;
	@%p2 bra $LOOP;
	mad.lo.u32 %r13, %r11, 100, %r13;
	add.u32 %r13, %r13, %r10;
	st.global.u32 [%rd1], %r13;`;
    const found = await run(engine, body, { before, threads: 6 });
    expect([found.fault, values(found)]).toEqual([undefined, [6, 106, 206, 306, 406, 506]]);
  });

  it("addresses are asked for their space", async () => {
    const before = ".const .u32 fixed[4] = {1, 2, 3, 4};\n.global .u32 word;\n.shared .u32 box[4];";
    const asked = ["const", "global", "shared", "local"];
    const pointers = [
      "mov.u64 %rd2, fixed; cvta.const.u64 %rd2, %rd2; add.u64 %rd2, %rd2, 12;",
      "mov.u64 %rd2, word; cvta.global.u64 %rd2, %rd2;",
      "mov.u64 %rd2, box; cvta.shared.u64 %rd2, %rd2;",
      "mov.u64 %rd2, own; cvta.local.u64 %rd2, %rd2;",
      "mov.u64 %rd2, 12345;",
    ];
    const ask = (space: string, bit: number) =>
      `isspacep.${space} %p0, %rd2; selp.u32 %r2, ${1 << bit}, 0, %p0; or.b32 %r1, %r1, %r2;`;
    const body = `
	.local .align 8 .b8 own[8];
	${pointers
    .map(
      (pointer, i) =>
        `${pointer} mov.u32 %r1, 0; ${asked.map(ask).join(" ")} st.global.u32 [%a0+${4 * i}], %r1;`,
    )
    .join("\n\t")}`;
    const found = await run(engine, body, { before, threads: 1, words: 5 });
    expect([found.fault, values(found)]).toEqual([undefined, [1, 2, 4, 8, 0]]);
  });

  it("any function of three bits reports whether its result is not 0", async () => {
    const body = `
	setp.eq.u32 %p0, %r0, 3;
	lop3.or.b32 %r1|%p1, %r0, 1, 3, 0x80, %p0;
	lop3.and.b32 _|%p2, %r0, 2, 3, 0x80, %p0;
	selp.u32 %r2, 100, 0, %p1;
	selp.u32 %r3, 1000, 0, %p2;
	add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;
	st.global.u32 [%rd1], %r1;`;
    const found = await run(engine, body, { threads: 4 });
    expect([found.fault, values(found)]).toEqual([undefined, [0, 101, 0, 1101]]);
  });

  it("a loop has two entries", async () => {
    const body = `
	mov.u32 %r1, 0; mov.u32 %r2, 0;
	and.b32 %r3, %r0, 1; setp.eq.u32 %p0, %r3, 1;
	@%p0 bra $SECOND;
$FIRST:
	add.u32 %r1, %r1, 1;
$SECOND:
	add.u32 %r1, %r1, 100;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, 3;
	@%p1 bra $FIRST;
	st.global.u32 [%rd1], %r1;`;
    const found = await run(engine, body, { threads: 2 });
    expect([found.fault, values(found)]).toEqual([undefined, [303, 302]]);
  });

  it("an indexed branch beyond its targets is a fault", async () => {
    const body = `
	$T: .branchtargets $A, $B;
	brx.idx %r0, $T;
$A:
	st.global.u32 [%rd1], 1;
	ret;
$B:
	st.global.u32 [%rd1], 2;`;
    const found = await run(engine, body, { threads: 3 });
    expect(found.fault).toMatchObject({ kind: "TRAP", thread: [2, 0, 0] });
    expect(values(found)).toEqual([1, 2, 0]);
  });

  it("threads arrive at a barrier and continue", async () => {
    // The first warp writes what the second waits for, then continues to a barrier that only it uses.
    const body = `
	.shared .u32 box[32];
	and.b32 %r1, %r0, 31; shl.b32 %r1, %r1, 2; mov.u32 %r2, box; add.u32 %r2, %r2, %r1;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra $WAITS;
	st.shared.u32 [%r2], %r0;
	bar.arrive 1, 64;
	bar.sync 2, 32;
	ret;
$WAITS:
	bar.sync 1, 64;
	ld.shared.u32 %r3, [%r2];
	st.global.u32 [%rd1], %r3;`;
    const found = await run(engine, body, { threads: 64 });
    const expected = Array.from({ length: 64 }, (_, thread) => (thread < 32 ? 0 : thread - 32));
    expect([found.fault, values(found)]).toEqual([undefined, expected]);
  });

  it("a warp's arrival counts when it comes to the barrier itself", async () => {
    const body = "\n\tbar.arrive 1, 64;\n\tbar.arrive 2, 32;\n\tbar.sync 1, 32;\n\tst.global.u32 [%rd1], 1;";
    const found = await run(engine, body, { threads: 32 });
    expect([found.fault, values(found)]).toEqual([undefined, Array(32).fill(1)]);
  });

  const MATRICES = (load: string, store: string) => `
	.shared .align 16 .b8 box[1024];
	mov.u32 %r2, box; shl.b32 %r1, %r0, 4; add.u32 %r2, %r2, %r1;
	shl.b32 %r3, %r0, 3; mul.lo.u32 %r3, %r3, 65537; add.u32 %r3, %r3, 65536;
	add.u32 %r4, %r3, 131074; add.u32 %r5, %r4, 131074; add.u32 %r6, %r5, 131074;
	st.shared.v4.u32 [%r2], {%r3, %r4, %r5, %r6};
	bar.sync 0;
	${load}
	${store}
	bar.sync 0;
	ld.shared.v4.u32 {%r12, %r13, %r14, %r15}, [%r2];
	shl.b32 %r1, %r0, 4; cvt.u64.u32 %rd2, %r1; add.u64 %rd2, %a0, %rd2;
	st.global.v4.u32 [%rd2], {%r12, %r13, %r14, %r15};`;

  it("a warp loads matrices and stores them transposed", async () => {
    const body = MATRICES(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r2];",
      "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3; stmatrix.sync.aligned.m8n8.x4.trans.b16 [%rd3], {%r8, %r9, %r10, %r11};",
    );
    const found = await run(engine, body, { threads: 32, words: 128 });
    expect(found.fault).toBeUndefined();
    const halves = new Uint16Array(found.buffers[0]!.slice().buffer);
    // Element (row, column) of matrix m was 64 m + 8 row + column.
    const expected = Array.from({ length: 256 }, (_, at) => 64 * (at >> 6) + 8 * (at & 7) + ((at >> 3) & 7));
    expect([...halves]).toEqual(expected);
  });

  it.each([
    ["OUT_OF_BOUNDS", "add.u32 %r2, %r2, 976;", 3],
    ["MISALIGNED", "add.u32 %r2, %r2, 8;", 0],
  ])("a row of a matrix may be %s", async (kind, move, thread) => {
    const load = `${move} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r2];`;
    const found = await run(engine, MATRICES(load, ""), { threads: 32, words: 128 });
    expect(found.fault).toMatchObject({ kind, space: "shared", bytes: 16, thread: [thread, 0, 0] });
  });

  it("fewer threads than a warp cannot multiply matrices", async () => {
    const found = await run(engine, MATRICES("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r2];", ""), {
      threads: 31,
      words: 128,
    });
    expect(found.fault?.kind).toBe("TRAP");
  });

  it.each([
    ["min", "", 0xc0000000],
    ["max", "", 0x40a00000],
    ["min", ".abs", 0x00000000],
    ["max", ".abs", 0x40a00000],
    ["max", ".NaN", 0x7fffffff],
    ["min", ".abs.NaN", 0x7fffffff],
  ])("redux.%s%s of floats ignores NaNs, or returns one", async (name, modifiers, result) => {
    // -2, -1, 0, 1, ... 5, and a NaN with a payload.
    const body = `
	.reg .f32 %f<4>;
	sub.u32 %r1, %r0, 2; cvt.rn.f32.s32 %f0, %r1;
	setp.eq.u32 %p0, %r0, 8; selp.f32 %f0, 0f7FC12345, %f0, %p0;
	redux.sync.${name}${modifiers}.f32 %f1, %f0, 0x1ff;
	st.global.f32 [%rd1], %f1;`;
    const found = await run(engine, body, { threads: 9, target: "sm_100a" });
    expect([found.fault, values(found)]).toEqual([undefined, Array(9).fill(result)]);
  });

  it("redux of one lane without a sign is its absolute value", async () => {
    const body =
      "\n\tmov.b32 %r1, 0xc0000000;\n\tredux.sync.max.abs.f32 %r2, %r1, 1;\n\tst.global.u32 [%rd1], %r2;";
    const found = await run(engine, body, { threads: 1, target: "sm_100a" });
    expect([found.fault, values(found)]).toEqual([undefined, [0x40000000]]);
  });

  it.each([4, 8, 16])(
    "an asynchronous copy of %i bytes ignores its source when a predicate says so",
    async (bytes) => {
      const body = `
	.shared .align 16 .b8 box[64];
	st.global.u32 [%rd1], 7;
	bar.sync 0;
	setp.eq.u32 %p0, %r0, 1;
	mov.u32 %r2, box; shl.b32 %r1, %r0, 5; add.u32 %r2, %r2, %r1;
	st.shared.v4.u32 [%r2], {9, 9, 9, 9};
	mov.u64 %rd2, %a0; selp.u64 %rd2, 1, %rd2, %p0;
	cp.async.ca.shared.global [%r2], [%rd2], ${bytes}, %p0;
	cp.async.wait_all;
	ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2 + ${bytes - 4}];
	mad.lo.u32 %r3, %r3, 100, %r4;
	bar.sync 0;
	st.global.u32 [%rd1], %r3;`;
      const found = await run(engine, body, { threads: 2, words: 4 });
      // The last two words of 16 bytes are zeros.
      const copied = bytes === 16 ? 700 : 707;
      expect([found.fault, values(found).slice(0, 2)]).toEqual([undefined, [copied, 0]]);
    },
  );
});
