// `alloca`, `stacksave` and `stackrestore`, which become arithmetic before the engines see them.
import { describe, expect, it } from "vitest";
import { ENGINES, run, values } from "../support/both-engines.js";

describe.each(Object.keys(ENGINES))("stack memory, %s", (engine) => {
  it("is taken in order, aligned, and given back by `stackrestore`", async () => {
    const body = `
	.reg .b64 %s<8>;
	alloca.u64 %s0, 5;
	stacksave.u64 %s1;
	alloca.u64 %s2, 4, 64;
	stackrestore.u64 %s1;
	alloca.u64 %s3, 16, 1;
	sub.u64 %s4, %s2, %s0; cvt.u32.u64 %r1, %s4; st.global.u32 [%a0], %r1;
	and.b64 %s4, %s2, 63; cvt.u32.u64 %r1, %s4; st.global.u32 [%a0+4], %r1;
	sub.u64 %s4, %s3, %s0; cvt.u32.u64 %r1, %s4; st.global.u32 [%a0+8], %r1;
	st.local.u8 [%s3+8], 77;
	cvta.local.u64 %s5, %s3; cvta.to.local.u64 %s6, %s5;
	ld.local.u8 %r2, [%s6+8]; st.global.u32 [%a0+12], %r2;`;
    const launched = await run(engine, body, { threads: 1, words: 4 });
    expect(launched.fault).toBeUndefined();
    const [distance, rest, again, value] = values(launched);
    expect([distance! >= 5, rest, again, value]).toEqual([true, 0, 5, 77]);
  });

  it("has 32-bit addresses, and branches keep their targets", async () => {
    const body = `
	mov.u32 %r1, 0;
	mov.u32 %r4, 0;
again:
	stacksave.u32 %r2;
	alloca.u32 %r3, 4096;
	st.local.u32 [%r3], %r1;
	ld.local.u32 %r5, [%r3];
	add.u32 %r4, %r4, %r5;
	stackrestore.u32 %r2;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p0, %r1, 10;
	@%p0 bra again;
	st.global.u32 [%rd1], %r4;`;
    expect(values(await run(engine, body, { threads: 4 }))).toEqual([45, 45, 45, 45]);
  });

  it("is not taken where the guard is false", async () => {
    const body = `
	.reg .b64 %s<4>;
	setp.eq.u32 %p0, %r0, 1;
	mov.b64 %s1, 100000;
	stacksave.u64 %s2;
	@!%p0 mov.b64 %s1, 16;
	@!%p0 alloca.u64 %s0, %s1;
	@%p0 mov.b64 %s0, %s2;
	sub.u64 %s0, %s0, %s2; cvt.u32.u64 %r1, %s0; st.global.u32 [%rd1], %r1;`;
    expect(values(await run(engine, body, { threads: 2 }))).toEqual([0, 0]);
  });

  it.each(["8192", "8193", "-1"])("traps if a call takes %s bytes, which do not fit", async (size) => {
    const body = `
	.reg .b64 %s<4>;
	alloca.u64 %s0, 1;
	mov.b64 %s1, ${size};
	alloca.u64 %s0, %s1;
	st.local.u32 [%s0], 1;`;
    const { fault } = await run(engine, body, { threads: 1 });
    expect(fault).toMatchObject({
      kind: "TRAP",
      detail: "`alloca.u64` takes more than the 8192 bytes of stack memory of a call",
    });
  });
});
