// `bar.red` of all threads in WebAssembly against the interpreter: blocks of any size, negated predicates, and predicates
// that are the same in all threads.
import { describe, expect, it } from "vitest";
import { ENGINES, run, values } from "../support/both-engines.js";

const PREDICATES: Readonly<Record<string, string>> = {
  "some threads": "and.b32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 1;",
  "the last thread": "mov.u32 %r2, %ntid.x; sub.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r0, %r2;",
  "all threads": "setp.ge.u32 %p1, %r0, 0;",
  "no thread": "setp.lt.u32 %p1, %r0, 0;",
  "a constant": "mov.pred %p1, 1;",
};

const BODY = (predicate: string) => `
	${predicate}
	bar.red.popc.u32 %r3, 0, %p1;
	bar.red.popc.u32 %r4, 1, !%p1;
	bar.red.and.pred %p2, 0, %p1; selp.u32 %r5, 1, 0, %p2;
	bar.red.or.pred %p2, 0, %p1; selp.u32 %r6, 1, 0, %p2;
	barrier.cta.red.and.aligned.pred %p2, 0, !%p1; selp.u32 %r7, 1, 0, %p2;
	mad.lo.u32 %r3, %r4, 1000, %r3; mad.lo.u32 %r3, %r5, 1000000, %r3;
	mad.lo.u32 %r3, %r6, 2000000, %r3; mad.lo.u32 %r3, %r7, 4000000, %r3;
	st.global.u32 [%rd1], %r3;`;

const holds: Readonly<Record<string, (thread: number, threads: number) => boolean>> = {
  "some threads": (thread) => (thread & 5) === 1,
  "the last thread": (thread, threads) => thread === threads - 1,
  "all threads": () => true,
  "no thread": () => false,
  "a constant": () => true,
};

describe.each(Object.keys(ENGINES))("reductions of blocks, %s", (engine) => {
  it.each(Object.keys(PREDICATES))("%s", async (name) => {
    for (const threads of [1, 3, 4, 31, 32, 65, 130, 256]) {
      const launched = await run(engine, BODY(PREDICATES[name]!), { threads });
      const count = Array.from({ length: threads }, (_, thread) => holds[name]!(thread, threads)).filter(
        Boolean,
      ).length;
      const bits = Number(count === threads) + 2 * Number(count > 0) + 4 * Number(count === 0);
      const expected = bits * 1_000_000 + (threads - count) * 1000 + count;
      expect(values(launched)).toEqual(Array<number>(threads).fill(expected));
    }
  });
});
