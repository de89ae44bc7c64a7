// When threads of a block wait for each other, and when they don't.
import { describe, expect, it } from "vitest";
import { HEAD, run, u32, words } from "../support/interpreting.js";

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

  it("of different numbers synchronize halves of a block, and reduce over each half", async () => {
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

  it("that not all threads reach are a deadlock, with threads and places", async () => {
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
    ["bar.sync %r1;", 16, "barrier 16, which is not in 0 to 15"],
    ["bar.sync 0, %r1;", 40, "40 threads at barrier 0, which is not a multiple of 32"],
  ])("refuse %s with %i", async (instruction, value, detail) => {
    const { fault } = await run(`${HEAD}\n\tmov.u32 %r1, ${value};\n\t${instruction}`, { args: [words(1)] });
    expect(fault).toMatchObject({ kind: "TRAP", detail });
  });
});

describe("warps", () => {
  it("converge at operations after their lanes diverged", async () => {
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

  it("know which lanes are active at each place", async () => {
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

  it("with a lane that is not in its own mask are a fault", async () => {
    const { fault } = await run(`${HEAD}\n\tbar.warp.sync 2;`, { args: [words(1)] });
    const detail = "lane 0, which is not among the lanes 0x2 that it waits for";
    expect(fault).toMatchObject({ kind: "TRAP", detail });
  });
});

describe("threads that wait in a loop", () => {
  it("continue after a later thread has written", async () => {
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

  it("are not confused with long computations: such a block ends before the next one begins", async () => {
    const body = `${HEAD}
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p0, %r1, 0;
	@%p0 bra done;
	mov.u32 %r2, 0;
again:
	ld.global.u32 %r3, [%a0+8];
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, 1100000;
	@%p1 bra again;
done:
	atom.global.add.u32 %r4, [%a0+8], 1;
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd2, %a0, %rd2;
	st.global.u32 [%rd2], %r1;`;
    const { fault, buffers } = await run(body, { grid: [2, 1, 1], args: [words(3)] });
    expect(fault).toBeUndefined();
    expect(u32(buffers[0])).toEqual([0, 1, 2]);
  });
});
