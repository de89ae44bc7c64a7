// How launches run and end in the interpreter: calls, budgets, text, traces, and instructions that the
// descriptions lack.
import { describe, expect, it } from "vitest";
import { HEAD, run, u32, words } from "../support/interpreting.js";

describe("instructions that the descriptions lack", () => {
  /** Runs instructions and returns `%r1` to `%r4`. */
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
      "mov.b64 %rd2, -1; mov.f32 %f0, 0f3fc00000; cvt.rmi.f32.f32 %rd2, %f0; mov.b64 {%r1, %r2}, %rd2; mov.b64 %rd3, -1; cvt.rn.f32.u32 %rd3, 3; mov.b64 {%r3, %r4}, %rd3;",
      [0x3f800000, 0, 0x40400000, 0],
    ],
    [
      "table: .branchtargets zero, one; mov.u32 %r5, 1; brx.idx %r5, table; zero: mov.u32 %r1, 100; one: mov.u32 %r2, 200;",
      [0, 200, 0, 0],
    ],
  ])("%s", async (instructions, expected) => {
    expect(await results(instructions)).toEqual(expected);
  });

  it("fault when they branch past their targets", async () => {
    const body = `${HEAD}
table: .branchtargets here;
	mov.u32 %r1, 3;
	brx.idx %r1, table;
here:`;
    const { fault } = await run(body, { args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail: "an index past the targets of the branch" });
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
      detail: expect.stringMatching(/^\d+ bytes of local memory are not enough for its calls/),
    });
  });
});

describe("the end of a launch", () => {
  const LOOP = `${HEAD}\nagain:\n\tadd.u32 %r1, %r1, 1;\n\tbra.uni again;`;

  it("comes when its budget of instructions is used up, and names the loop", async () => {
    const { fault } = await run(LOOP, { args: [words(1)], limits: { instructions: 10_000 } });
    expect(fault).toMatchObject({ kind: "BUDGET", loop: { function: 0, first: 4, last: 5 } });
  });

  it("comes at its deadline and when it is aborted", async () => {
    const late = await run(LOOP, { args: [words(1)], limits: { deadline: 0 } });
    expect(late.fault).toMatchObject({ kind: "TIMEOUT", loop: { first: 4, last: 5 } });
    const aborted = await run(LOOP, { args: [words(1)], limits: { signal: AbortSignal.abort() } });
    expect(aborted.fault).toMatchObject({ kind: "ABORTED" });
  });

  it("is regular when the budget is just enough", async () => {
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
      detail: `the kernel executed \`${name}\``,
    });
  });
});

describe("text", () => {
  const TEXTS = `.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;
.global .align 1 .b8 format[20] = {"%d: %s, %.2f, %lld\\n"};
.global .align 1 .b8 name[4] = {"abc"};`.replace("\\n", "|");

  it("is printed thread by thread, with values packed as the compiler packs them", async () => {
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

  it("of a failed assertion says what failed and where", async () => {
    const body = `${HEAD}
	mov.u64 %rd4, name;
	{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
	st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd4; st.param.b32 [p2], 12; st.param.b64 [p3], %rd4; st.param.b64 [p4], 1;
	call.uni __assertfail, (p0, p1, p2, p3, p4); }`;
    const { fault } = await run(body, { before: TEXTS, args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail: "assertion `abc` failed in abc at abc:12" });
  });
});

describe("observation", () => {
  it("traces one thread: each instruction with the contents of its registers afterwards", async () => {
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
          step: ({ instruction, read }) => steps.push(`${instruction}: ${[1, 4, 5].map(read).join(" ")}`),
        },
      },
    });
    expect(steps.slice(1, 3)).toEqual(["1: 2 0 0", "2: 2 0 0"]);
    expect(steps.slice(4)).toEqual(["4: 2 3 0", "5: 2 3 4", "6: 2 3 4"]);
  });

  it("counts how often threads executed each instruction", async () => {
    const counts = [new Float64Array(8)];
    const body = `${HEAD}\n\tsetp.lt.u32 %p0, %r0, 3;\n\t@%p0 bra end;\n\tadd.u32 %r1, %r0, 1;\nend:`;
    await run(body, { grid: [2, 1, 1], block: [10, 1, 1], args: [words(10)], hooks: { counts } });
    expect([...counts[0]!]).toEqual([20, 20, 20, 20, 20, 20, 14, 20]);
  });

  it("reads the clock in instructions, with the same result in every run", async () => {
    const body = `${HEAD}\n\tmov.u32 %r1, %clock;\n\tmov.u32 %r2, %clock;\n\tsub.u32 %r1, %r2, %r1;\n\tst.global.u32 [%rd1], %r1;`;
    const { buffers } = await run(body, { block: [3, 1, 1], args: [words(3)] });
    expect(u32(buffers[0])).toEqual([1, 1, 1]);
  });
});
