// Memory barrier objects on both engines: counts of arrivals and bytes, phases, misuse, and waits that never end.
import { describe, expect, it } from "vitest";
import { ENGINES, run, values } from "../support/both-engines.js";

const SHARED = ".shared .align 8 .b64 bar; .shared .align 8 .b64 other;";
const BEGIN = (count: number) =>
  `setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [bar], ${count}; bar.sync 0;`;
const WAIT = (parity: string) =>
  `$w${parity}: mbarrier.try_wait.parity.shared.b64 %p2, [bar], ${parity}; @!%p2 bra $w${parity};`;
const store = (value: string) => `st.global.u32 [%rd1], ${value};`;

describe.each(Object.keys(ENGINES))("barrier objects, %s", (engine) => {
  const of = (body: string, threads: number) =>
    run(engine, SHARED + body, { threads, words: Math.max(2, threads) });

  it("complete a phase when all have arrived, and begin the next", async () => {
    const found = await of(
      `${BEGIN(64)} mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.pending_count.b64 %r1, %rd2;
      $a: mbarrier.test_wait.shared.b64 %p2, [bar], %rd2; @!%p2 bra $a;
      mbarrier.arrive.shared.b64 _, [bar]; ${WAIT("1")}
      mbarrier.test_wait.parity.shared.b64 %p3, [bar], 0; selp.u32 %r2, 1000, 2000, %p3; add.u32 %r1, %r1, %r2; ${store("%r1")}`,
      64,
    );
    expect(found.fault).toBeUndefined();
    // Each thread finds the arrivals that are pending before its own. The third phase has parity 0 and goes on.
    expect(values(found)).toEqual(Array.from({ length: 64 }, (_, thread) => 2000 + 64 - thread));
  });

  it("wait for bytes, and count dropped arrivals no longer", async () => {
    const found = await of(
      `${BEGIN(3)} setp.eq.u32 %p3, %r0, 1; setp.eq.u32 %p4, %r0, 2; mov.u32 %r1, 7;
      @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;
      @%p3 mbarrier.arrive_drop.shared.b64 _, [bar];
      @%p4 mbarrier.arrive.shared.b64 _, [bar];
      bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p5, [bar], 0; selp.u32 %r1, 100, 0, %p5; bar.sync 0;
      @%p1 mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 32;
      ${WAIT("0")} @%p1 mbarrier.arrive.shared.b64 %rd3, [bar]; @%p1 mbarrier.pending_count.b64 %r2, %rd3;
      @%p1 add.u32 %r1, %r1, %r2; ${store("%r1")}`,
      4,
    );
    expect(found.fault).toBeUndefined();
    expect(values(found)).toEqual([2, 0, 0, 0]);
  });

  it.each([
    ["mbarrier.arrive.shared.b64 %rd2, [other];", "expected an initialized barrier object, found 0x0"],
    ["mbarrier.arrive.shared.b64 %rd2, [bar], 3;", "expected 2 more arrivals in this phase"],
    ["mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 2;", "found one that does"],
    ["mbarrier.init.shared.b64 [other], 0;", "expected a count of 1 to 1048575 arrivals"],
    ["mbarrier.init.shared.b64 [other], 1048576;", "found 1048576"],
    ["mbarrier.inval.shared.b64 [bar]; mbarrier.inval.shared.b64 [bar];", "found 0x0 in shared memory"],
    ["mbarrier.init.b64 [%rd1], 1;", "expected a barrier object in shared memory, found the address 0x7f00"],
    ["mov.u64 %rd2, 5; mbarrier.test_wait.shared.b64 %p2, [bar], %rd2;", "found 0x5"],
    ["mbarrier.test_wait.parity.shared.b64 %p2, [bar], 2;", "expected 0 or 1 as the parity"],
    ["mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 2000000;", "expected at most 1048575 bytes"],
  ])("misuse `%s` is a fault", async (body, message) => {
    const { fault } = await of(BEGIN(2) + body, 1);
    expect(fault).toMatchObject({
      kind: "TRAP",
      detail: expect.stringContaining(message),
      thread: [0, 0, 0],
    });
  });

  it("a misaligned object is a fault", async () => {
    const { fault } = await of("mov.u32 %r1, bar; mbarrier.init.shared.b64 [%r1+4], 1;", 1);
    expect(fault).toMatchObject({ kind: "MISALIGNED", address: 4n, bytes: 8, space: "shared" });
  });

  it("a wait that never ends is a deadlock", async () => {
    const { fault } = await of(`${BEGIN(3)} mbarrier.arrive.shared.b64 _, [bar]; ${WAIT("0")}`, 2);
    expect(fault).toMatchObject({ kind: "DEADLOCK" });
    const waiting = (fault?.kind === "DEADLOCK" ? fault.waiting : []).map(({ detail }) => detail);
    const detail = "`mbarrier.try_wait.parity.shared.b64` of a phase that does not complete";
    expect(waiting).toEqual([detail, detail]);
  });

  it("a thread that gives up its wait can complete the phase itself", async () => {
    const found = await of(
      `${BEGIN(1)} mov.u32 %r1, 0;
      $w: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @%p2 bra $d;
      add.u32 %r1, %r1, 1; setp.eq.u32 %p3, %r1, 5; @%p3 mbarrier.arrive.shared.b64 _, [bar]; bra $w;
      $d: ${store("%r1")}`,
      1,
    );
    expect(values(found)[0]).toBe(5);
  });
});
