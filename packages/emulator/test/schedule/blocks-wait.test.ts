// Blocks that wait in loops with barriers or operations of warps for what a later block writes.
import { describe, expect, it } from "vitest";
import { ENGINES, HEAD, values } from "../support/both-engines.js";
import { kernelText, launch } from "../support/launching.js";

const BLOCKS = 3;
const THREADS = 32;

/** Loops that end when the word at `%a1` is 1. `%p1` is free, and so are registers from `%r3` on. */
const LOOPS: Readonly<Record<string, string>> = {
  "a barrier": "ld.volatile.global.u32 %r3, [%a1]; bar.sync 0; setp.eq.u32 %p1, %r3, 0;",
  "a reduction": "ld.volatile.global.u32 %r3, [%a1]; setp.eq.u32 %p1, %r3, 0; bar.red.or.pred %p1, 0, %p1;",
  "a vote": "ld.volatile.global.u32 %r3, [%a1]; setp.eq.u32 %p1, %r3, 0; vote.sync.any.pred %p1, %p1, -1;",
  "a shuffle":
    "ld.relaxed.gpu.global.u32 %r3, [%a1]; shfl.sync.idx.b32 %r3, %r3, 0, 31, -1; setp.eq.u32 %p1, %r3, 0;",
  "an atomic operation": "atom.global.add.u32 %r3, [%a1], 0; bar.warp.sync -1; setp.eq.u32 %p1, %r3, 0;",
  "one thread that looks for all": `
	setp.eq.u32 %p2, %r0, 0;
	@%p2 ld.volatile.global.u32 %r3, [%a1];
	@%p2 st.shared.u32 [seen], %r3;
	bar.sync 0;
	ld.shared.u32 %r4, [seen];
	bar.sync 0;
	setp.eq.u32 %p1, %r4, 0;`,
};

describe.each(Object.keys(ENGINES))("blocks that wait for a later one, %s", (engine) => {
  it.each(Object.keys(LOOPS))("in a loop with %s", async (name) => {
    const body = `${HEAD}
	.shared .align 4 .b32 seen;
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1;
	mad.lo.u32 %r5, %r1, ${THREADS}, %r0; mul.wide.u32 %rd2, %r5, 4; add.u64 %rd1, %a0, %rd2;
	setp.lt.u32 %p0, %r1, %r2;
	@%p0 bra again;
	mov.u32 %r3, 1; st.volatile.global.u32 [%a1], %r3;
	bra done;
again:
	${LOOPS[name]}
	@%p1 bra again;
done:
	st.global.u32 [%rd1], %r1;`;
    const launched = await launch(ENGINES[engine]!(), {
      ptx: kernelText(body, { params: 2 }),
      grid: [BLOCKS, 1, 1],
      block: [THREADS, 1, 1],
      args: [{ buffer: new Uint32Array(BLOCKS * THREADS) }, { buffer: new Uint32Array(1) }],
    });
    expect(launched.fault).toBeUndefined();
    expect(values(launched)).toEqual(
      Array.from({ length: BLOCKS * THREADS }, (_, i) => Math.floor(i / THREADS)),
    );
  });
});
