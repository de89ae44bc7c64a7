// The scheduler of blocks with threads that follow scripts: the order in which threads run, which threads meet, and
// what is reported of threads that can never continue. No engine takes part.
import { describe, expect, it } from "vitest";
import type { BarrierUse } from "../../src/schedule/barriers.js";
import { BlockSchedule, type BlockThreads, ThreadState } from "../../src/schedule/block.js";
import { atOnce, type Resident, Residents } from "../../src/schedule/residents.js";

/** What a thread does next. It exits after the last act. */
type Act =
  | { readonly state: "WARP"; readonly lanes: number; readonly operation?: string }
  | { readonly state: "BARRIER" | "ARRIVAL"; readonly barrier?: number; readonly count?: number }
  | { readonly state: "ACTIVE_MASK"; readonly place?: number }
  /** Lets others run until a flag is set. */
  | { readonly until: string }
  | { readonly set: string }
  | "pause";

const warp = (lanes: number, operation = "vote"): Act => ({ state: "WARP", lanes, operation });
const barrier = (number = 0, count?: number): Act => ({
  state: "BARRIER",
  barrier: number,
  ...(count === undefined ? {} : { count }),
});
const arrival = (number = 0, count?: number): Act =>
  ({ ...(barrier(number, count) as object), state: "ARRIVAL" }) as Act;

/** The properties of a waiting thread. */
interface Waiting {
  readonly place?: number;
  readonly lanes: number;
  readonly operation: string;
  readonly barrier?: number;
  readonly count?: number;
}

/** A block of scripts, which records what happens as text. */
class Scripts implements BlockThreads {
  readonly log: string[] = [];
  readonly schedule: BlockSchedule;
  readonly #next: number[];

  constructor(
    readonly scripts: readonly (readonly Act[])[],
    readonly flags = new Set<string>(),
  ) {
    this.#next = scripts.map(() => 0);
    this.schedule = new BlockSchedule(scripts.length, this);
    this.schedule.begin();
  }

  /** What a thread waits for according to its script. */
  #act(thread: number): Waiting {
    return this.scripts[thread]![this.#next[thread]! - 1] as Waiting;
  }

  run(thread: number): number {
    this.log.push(`${thread} runs`);
    for (;;) {
      const act = this.scripts[thread]![this.#next[thread]!];
      if (act === "pause") {
        this.#next[thread]!++;
        return thread;
      }
      if (act !== undefined && "until" in act && !this.flags.has(act.until)) {
        this.schedule.states[thread] = ThreadState.TURN;
        return thread + 1;
      }
      this.#next[thread]!++;
      if (act !== undefined && "set" in act) this.flags.add(act.set);
      if (act !== undefined && !("state" in act)) continue;
      this.schedule.states[thread] = act === undefined ? ThreadState.EXITED : ThreadState[act.state];
      return thread + 1;
    }
  }

  place(thread: number): number {
    return (this.#act(thread) as Waiting | undefined)?.place ?? this.#next[thread]!;
  }

  lanes(thread: number): number {
    return this.#act(thread).lanes;
  }

  operation(thread: number): string {
    return this.#act(thread).operation;
  }

  barrier(thread: number): BarrierUse {
    const { barrier: number = 0, count } = this.#act(thread);
    return { barrier: number, count };
  }

  operate(first: number, lanes: number): void {
    this.log.push(`warp ${first / 32} at 0x${(lanes >>> 0).toString(16)}`);
  }

  meet({ barrier: number }: BarrierUse, threads: readonly number[]): void {
    this.log.push(`barrier ${number}: ${threads.join(" ")}`);
  }

  testPhase(): boolean {
    return true;
  }

  trap(thread: number, detail: string): unknown {
    return new Error(`${thread}: ${detail}`);
  }

  deadlock(waiting: readonly { thread: number; detail: string }[]): unknown {
    return new Error(waiting.map(({ thread, detail }) => `${thread}: ${detail}`).join("; "));
  }
}

/** Several copies of a script. */
const times = (count: number, script: readonly Act[]) => Array.from({ length: count }, () => script);

describe("rounds", () => {
  it.each<[string, readonly (readonly Act[])[], readonly string[]]>([
    ["threads run in order, to their ends", [[], []], ["0 runs", "1 runs"]],
    [
      "lanes meet when all lanes of the mask are at the same operation",
      [[warp(3)], [warp(3, "shfl"), warp(3)], [warp(4)]],
      [
        "0 runs",
        "1 runs",
        "2 runs",
        "warp 0 at 0x4",
        "2 runs",
        "0: `vote` of lanes 0x3; 1: `shfl` of lanes 0x3",
      ],
    ],
    [
      "lanes that have exited are not waited for",
      [[warp(3)], []],
      ["0 runs", "1 runs", "warp 0 at 0x1", "0 runs"],
    ],
    [
      "warps meet in their order, then barriers in theirs",
      [...times(31, []), [barrier(2)], [warp(1)], [barrier(1, 32)], ...times(30, [])],
      [
        ...Array.from({ length: 64 }, (_, i) => `${i} runs`),
        ...["warp 1 at 0x1", "32 runs", "barrier 1: 33", "33 runs", "barrier 2: 31", "31 runs"],
      ],
    ],
    [
      "a barrier counts threads that arrived and continued, even if they exit",
      [...times(32, [arrival(0, 64)]), ...times(32, [barrier(0, 64)])].map((script, i) =>
        i % 32 === 0 ? script : [],
      ),
      [...Array.from({ length: 64 }, (_, i) => `${i} runs`), ...["barrier 0: 32", "0 runs", "32 runs"]],
    ],
    [
      "activemask comes last, place by place",
      [
        [{ state: "ACTIVE_MASK", place: 7 }],
        [{ state: "ACTIVE_MASK", place: 8 }],
        [warp(4)],
        [{ state: "ACTIVE_MASK", place: 7 }],
      ],
      [
        ...["0 runs", "1 runs", "2 runs", "3 runs", "warp 0 at 0x4", "2 runs"],
        ...["warp 0 at 0x9", "warp 0 at 0x2", "0 runs", "1 runs", "3 runs"],
      ],
    ],
    [
      "a thread that lets others run continues in the next round",
      [
        [{ until: "flag" }, barrier()],
        [{ set: "flag" }, barrier()],
      ],
      ["0 runs", "1 runs", "0 runs", "barrier 0: 0 1", "0 runs", "1 runs"],
    ],
    [
      "a deadlock names all waiting threads and what they wait for",
      [[barrier(3, 64)], [{ state: "BARRIER", barrier: 1 }], [warp(12)], [barrier(1)]],
      [
        "0 runs",
        "1 runs",
        "2 runs",
        "3 runs",
        "0: barrier 3 with 64 threads; 1: barrier 1; 2: `vote` of lanes 0xc; 3: barrier 1",
      ],
    ],
    [
      "a lane may only wait for lanes that include itself",
      [[warp(2)]],
      ["0 runs", "0: lane 0, which is not among the lanes 0x2 that it waits for"],
    ],
    ["there are sixteen barriers", [[barrier(16)]], ["0 runs", "0: barrier 16, which is not in 0 to 15"]],
    [
      "a barrier is for whole warps",
      [[arrival(0, 33)]],
      ["0 runs", "0: 33 threads at barrier 0, which is not a multiple of 32"],
    ],
  ])("%s", (_, scripts, expected) => {
    const block = new Scripts(scripts);
    try {
      expect(block.schedule.goOn()).toBe("ended");
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      block.log.push(error.message);
    }
    expect(block.log).toEqual(expected);
  });

  it("pause in the middle of a thread, and continue it", () => {
    const block = new Scripts([[barrier()], ["pause", "pause", barrier()]]);
    expect([block.schedule.goOn(), block.schedule.goOn(), block.schedule.goOn()]).toEqual([
      "paused",
      "paused",
      "ended",
    ]);
    expect(block.log).toEqual(["0 runs", "1 runs", "1 runs", "1 runs", "barrier 0: 0 1", "0 runs", "1 runs"]);
  });

  it("wait for other blocks when all runnable threads let others run, twice at one place", () => {
    const block = new Scripts([[{ until: "flag" }], [barrier()]]);
    expect([block.schedule.goOn(), block.schedule.goOn()]).toEqual(["waiting", "waiting"]);
    block.flags.add("flag");
    expect(block.schedule.goOn()).toBe("ended");
  });

  it("start afresh with each block, whatever the last one left at its barriers", () => {
    const block = new Scripts([[arrival(0, 32), arrival(0, 64)]]);
    expect(block.schedule.goOn()).toBe("ended");
    block.schedule.begin();
    expect(block.schedule.goOn()).toBe("ended");
    expect(block.log.filter((line) => line.startsWith("barrier"))).toEqual(["barrier 0: "]);
  });
});

describe("blocks that wait for others", () => {
  /** Runs blocks with memory for `most` of them; returns how they ran. */
  const run = (scripts: readonly (readonly (readonly Act[])[])[], most: number): string[] => {
    const log: string[] = [];
    const flags = new Set<string>();
    let blocks: Scripts[] = [];
    class Memory implements Resident {
      block = 0;
      goOn() {
        const progress = blocks[this.block]!.schedule.goOn();
        log.push(`${this.block} ${progress}`);
        return progress;
      }
    }
    blocks = scripts.map((each) => new Scripts(each, flags));
    let taken = 1;
    const residents = new Residents<Memory>(new Memory(), {
      more: () => (taken++ < most ? new Memory() : undefined),
      enter: (block, memory) => {
        memory.block = block;
      },
    });
    for (let block = 0; block < blocks.length; block++) {
      residents.current.block = block;
      if (residents.current.goOn() === "waiting") atOnce(residents.park(block));
    }
    while (!atOnce(residents.resume())) {}
    expect(residents.isEmpty).toBe(true);
    return log;
  };

  it("continue when later blocks have run", () => {
    const chain = [[[{ until: "b" }]], [[{ until: "c" }, { set: "b" }]], [[{ set: "c" }]]] as const;
    const log = ["0 waiting", "1 waiting", "2 ended", "0 waiting", "1 ended", "0 ended"];
    expect(run(chain, 3)).toEqual(log);
  });

  it("end to make room when there is no memory for more", () => {
    const blocks = [[[{ until: "b" }]], [[{ set: "b" }, { until: "c" }]], [[{ set: "c" }]]] as const;
    const log = run([...blocks, ...blocks.map((block) => [...block])], 2);
    expect(log.slice(0, 3)).toEqual(["0 waiting", "1 waiting", "0 ended"]);
    expect(log.filter((line) => line.endsWith("ended")).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `${n} ended`),
    );
  });
});
