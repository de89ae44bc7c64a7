// The check for races: what orders the accesses of two threads, and what does not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { Clocks } from "../../src/interpreter/clocks.js";
import { checkingEngine, ENGINES } from "../support/both-engines.js";
import { checkedRun, HEAD, words } from "../support/interpreting.js";

/** Runs lines of a block of three warps: `%p0` to `%p2` are the warps, `%p3` to `%p5` the first three lanes of the first one. */
const check = async (engine: string, lines: string) => {
  const warps = [0, 1, 2].map((warp) => `setp.eq.u32 %p${warp}, %w, ${warp};`);
  const lanes = [0, 1, 2].map((lane) => `setp.eq.u32 %p${lane + 3}, %r0, ${lane};`);
  const body = `${HEAD}
	.reg .b32 %w; .shared .align 4 .u32 cell;
	shr.u32 %w, %r0, 5;
	${[...warps, ...lanes, ...lines.trim().split("\n")].join("\n\t")}`;
  const launching = { block: [96, 1, 1], args: [words(96)], engine: checkingEngine(engine) } as const;
  const { faults } = await checkedRun({ races: true }, body, launching);
  return faults[0]?.kind ?? "none";
};

describe.each(Object.keys(ENGINES))("a race, in %s,", (engine) => {
  it.each<[string, string]>([
    [
      "with a thread that was not at the barrier",
      `@%p3 st.shared.u32 [cell], 1;
@!%p0 bar.sync 1, 64;
@%p1 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "with a lane that was not in the mask",
      `setp.lt.u32 %p6, %r0, 2;
@%p5 st.shared.u32 [cell], 1;
@%p6 bar.warp.sync 3;
@%p3 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "after a shuffle, which does not order memory",
      `@%p3 st.shared.u32 [cell], 1;
shfl.sync.idx.b32 %r1, %r0, 0, 31, -1;
@%p4 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "with what a thread does after it has arrived",
      `@%p0 bar.arrive 1, 64;
@%p3 st.shared.u32 [cell], 1;
@%p1 bar.sync 1, 64;
@%p1 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "with an atomic operation before the last one",
      `@%p3 red.shared.add.u32 [cell], 1;
setp.eq.u32 %p6, %r0, 32;
@%p6 red.shared.add.u32 [cell], 1;
@!%p0 bar.sync 1, 64;
@%p2 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "with a plain load before an atomic operation of the same thread",
      `@%p3 ld.shared.u32 %r1, [cell];
@%p3 ld.relaxed.cta.shared.u32 %r1, [cell];
@%p4 red.shared.add.u32 [cell], 1;`,
    ],
    [
      "with a thread that has arrived, before it is waited for",
      `@%p3 st.shared.u32 [cell], 1;
@%p0 bar.arrive 1, 64;
@%p2 ld.shared.u32 %r1, [cell];
@%p1 bar.sync 1, 64;`,
    ],
  ])("is found %s", async (_, lines) => {
    expect(await check(engine, lines)).toBe("RACE");
  });
});

describe.each(Object.keys(ENGINES))("no race, in %s,", (engine) => {
  it.each<[string, string]>([
    [
      "with what a thread did before it arrived",
      `@%p3 st.shared.u32 [cell], 1;
@%p0 bar.arrive 1, 64;
@%p1 bar.sync 1, 64;
@%p1 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "through a third thread that met both",
      `@%p3 st.shared.u32 [cell], 1;
@!%p2 bar.sync 1, 64;
@!%p0 bar.sync 2, 64;
@%p2 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "with a thread that has exited before the block's barrier",
      `@%p3 st.shared.u32 [cell], 1;
@%p0 exit;
bar.sync 0;
@%p1 ld.shared.u32 %r1, [cell];`,
    ],
    [
      "between the lanes of a mask",
      `setp.lt.u32 %p6, %r0, 2;
@%p4 st.shared.u32 [cell], 1;
@%p6 bar.warp.sync 3;
@%p3 ld.shared.u32 %r1, [cell];`,
    ],
  ])("is found %s", async (_, lines) => {
    expect(await check(engine, lines)).toBe("none");
  });
});

it("clocks order exactly the moments that a chain of meetings connects", () => {
  const THREADS = 5;
  const some = fc.uniqueArray(fc.nat(THREADS - 1), { minLength: 1 });
  const meeting = fc.record({ waiting: some, arriving: fc.uniqueArray(fc.nat(THREADS - 1)) });
  fc.assert(
    fc.property(fc.array(meeting, { maxLength: 12 }), (meetings) => {
      const clocks = new Clocks(THREADS);
      /** For each thread, its moments and all moments that are known to precede them. */
      const known = Array.from({ length: THREADS }, (_, thread) => new Set([`${thread} 1`]));
      const next = (thread: number) => known[thread]!.add(`${thread} ${clocks.moment(thread)}`);
      for (const { waiting, arriving } of meetings) {
        const arrived = arriving.filter((thread) => !waiting.includes(thread));
        const releasing = [...waiting, ...arrived];
        const all = new Set(releasing.flatMap((thread) => [...known[thread]!]));
        clocks.acquire(
          waiting,
          releasing.map((thread) => clocks.release(thread)),
        );
        for (const thread of waiting) known[thread] = new Set(all);
        for (const thread of releasing) next(thread);
      }
      for (let from = 0; from < THREADS; from++) {
        for (let moment = 1; moment <= clocks.moment(from); moment++) {
          for (let to = 0; to < THREADS; to++) {
            const expected = from === to || known[to]!.has(`${from} ${moment}`);
            expect(clocks.isBefore(from, moment, to)).toBe(expected);
          }
        }
      }
    }),
    { numRuns: smoke(2_000) },
  );
});
