// The threads of a block in the interpreter. Each thread runs step by step until it waits, exits or has to yield. A
// block has its own memory, so several blocks can be in progress.
import type { Dimensions } from "../run/dimensions.js";
import type { BarrierUse } from "../schedule/barriers.js";
import {
  BlockSchedule,
  type BlockThreads,
  type Progress,
  ThreadState,
  type WaitingThread,
} from "../schedule/block.js";
import type { Resident } from "../schedule/residents.js";
import { barrierProblems, isSyncFault } from "../schedule/sync-check.js";
import { CLUSTER_WAIT } from "../schedule/waits.js";
import { Cluster } from "./cluster.js";
import { Lockstep } from "./lockstep.js";
import { type BlockMemory, KernelFault, LITTLE_PATIENCE, type Machine } from "./machine.js";
import { RegisterFile } from "./registers.js";
import { Spinning } from "./spinning.js";
import type { BarrierWait, Code, PhaseWait, Thread, Wait, WarpWait } from "./thread.js";
import { type Tracer, tracer } from "./trace.js";
import { Watch } from "./watch.js";

const LANES = 32;

/** Runs the entered thread until it waits, exits, or a pause is due. */
export type Execute = () => void;

const STATES: Readonly<Record<Wait["kind"], number>> = {
  warp: ThreadState.WARP,
  activemask: ThreadState.ACTIVE_MASK,
  barrier: ThreadState.BARRIER,
  arrival: ThreadState.ARRIVAL,
  phase: ThreadState.PHASE,
};

export class InterpretedBlock implements BlockThreads, Resident {
  readonly #machine: Machine;
  readonly #execute: Execute;
  readonly #memory: BlockMemory;
  readonly #schedule: BlockSchedule;
  readonly #registers: RegisterFile;
  readonly #watch: Watch | undefined;
  #cluster = new Cluster(1, 0);
  #rank = 0;
  #threads: readonly Thread[] = [];
  /** Runs the threads of each warp in step; undefined when they run one after another. */
  #lockstep: readonly Lockstep[] | undefined;
  #warps: readonly (readonly Thread[])[] = [];
  /** Instructions left before the running thread yields; undefined before its turn begins. */
  #patience: number | undefined;
  /** The history of turns of each thread that has yielded. */
  readonly #spinning = new Map<Thread, Spinning>();

  constructor(machine: Machine, execute: Execute, memory: BlockMemory) {
    const { launch, checks } = machine;
    const { block } = launch;
    this.#machine = machine;
    this.#execute = execute;
    this.#memory = memory;
    this.#schedule = new BlockSchedule(block[0] * block[1] * block[2], this);
    this.#registers = new RegisterFile();
    if (checks?.races === true || checks?.uninitialized === true) this.#watch = new Watch(checks);
  }

  /** Makes this a block of a cluster, in which it has a rank. */
  join(cluster: Cluster, rank: number): void {
    this.#cluster.leave(this.#rank);
    this.#cluster = cluster;
    this.#rank = rank;
    const watch = this.#watch;
    cluster.join(rank, {
      shared: this.#memory.shared,
      wrote: (offset, bytes) => watch?.wrote(offset, bytes),
    });
  }

  /** Makes this the running block, with an index in the grid. */
  enter(block: Dimensions): void {
    const machine = this.#machine;
    machine.block = block;
    machine.shared = this.#memory.shared;
    machine.locals = this.#memory.locals;
    machine.watch = this.#watch;
    machine.cluster = this.#cluster;
    machine.rank = this.#rank;
    machine.registers.use(this.#registers);
  }

  /** Creates the threads of the entered block and clears their memory. */
  begin(kernel: Code): void {
    const { launch, shared, locals, registers, bytes, watch } = this.#machine;
    bytes.fill(0, shared.offset, shared.offset + shared.bytes);
    bytes.fill(0, locals.offset, locals.offset + locals.bytes);
    registers.clear();
    this.#spinning.clear();
    const [x, y, z] = launch.block;
    watch?.begin(this.#machine, x * y * z);
    this.#threads = Array.from({ length: x * y * z }, (_, index): Thread => {
      const id: Dimensions = [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))];
      const frame = {
        code: kernel,
        base: registers.take(kernel.frame),
        local: 0,
        pc: 0,
        whenDone: undefined,
      };
      return {
        ...{ index, id, warp: Math.floor(index / LANES), lane: index % LANES, frames: [frame] },
        ...{ wait: undefined, exited: false, executed: 0, carry: 0 },
      };
    });
    this.#warps = Array.from({ length: Math.ceil(this.#threads.length / LANES) }, (_, warp) =>
      this.#threads.slice(LANES * warp, LANES * (warp + 1)),
    );
    this.#lockstep =
      launch.lockstep === true
        ? this.#warps.map((warp) => new Lockstep(this.#machine, this.#execute, warp))
        : undefined;
    this.#schedule.begin();
  }

  /** With the synchronization check, a block whose threads cannot continue counts as ended. */
  goOn(): Progress {
    try {
      return this.#schedule.goOn();
    } catch (error) {
      const { checks } = this.#machine;
      if (checks?.sync !== true || !(error instanceof KernelFault) || !isSyncFault(error.fault)) throw error;
      checks.record(error.fault);
      for (const thread of this.#threads) if (!thread.exited) this.#cluster.exit(thread);
      return "ended";
    } finally {
      this.#watch?.settle(this.#machine);
    }
  }

  get isStuck(): boolean {
    const { states } = this.#schedule;
    const waits = (thread: Thread) => atClusterBarrier(thread) && !this.#cluster.isComplete(thread);
    return this.#threads.every((thread) => {
      const state = states[thread.index]!;
      return state < ThreadState.TURN || (state === ThreadState.TURN && waits(thread));
    });
  }

  get isHelped(): boolean {
    return this.#cluster.size > 1;
  }

  stuck(): KernelFault {
    const waiting = this.#threads.filter(({ exited }) => !exited);
    return this.deadlock(waiting.map(({ index }) => ({ thread: index, detail: CLUSTER_WAIT })));
  }

  run(index: number): number {
    const lockstep = this.#lockstep?.[Math.floor(index / LANES)];
    return lockstep === undefined ? this.#runThread(index) : this.#runWarp(index, lockstep);
  }

  /** Runs the threads of a warp in step. */
  #runWarp(index: number, lockstep: Lockstep): number {
    const machine = this.#machine;
    const { states } = this.#schedule;
    const warp = this.#warps[Math.floor(index / LANES)]!;
    const isFirst = this.#patience === undefined;
    if (isFirst) {
      this.#patience = machine.patience;
      lockstep.begin(machine.patience);
      for (const thread of warp) if (states[thread.index]! >= ThreadState.TURN) thread.wait = undefined;
    }
    const stopped = lockstep.run(isFirst);
    if (stopped === "paused") return index;
    this.#patience = undefined;
    for (const thread of warp) {
      const isParked = !thread.exited && thread.wait === undefined && stopped === "waiting";
      states[thread.index] = isParked ? ThreadState.TURN : this.#stateOf(thread);
    }
    const areStuck = warp.every(
      ({ index: each }, i) =>
        states[each] !== ThreadState.TURN || this.#spinning.get(warp[i]!)?.isStuck === true,
    );
    if (stopped === "spinning" && areStuck) lockstep.letOthersRun();
    return warp.at(-1)!.index + 1;
  }

  #runThread(index: number): number {
    const machine = this.#machine;
    const thread = this.#threads[index]!;
    let patience = this.#patience ?? machine.patience;
    this.#patience = undefined;
    machine.enter(thread);
    machine.yields = patience <= 0;
    while (machine.running) {
      if (machine.left === 0) {
        machine.leave();
        this.#patience = patience;
        return index;
      }
      if (machine.yields) this.#execute();
      else {
        patience -= machine.atMost(patience, this.#execute);
        machine.yields = patience <= 0;
      }
    }
    machine.leave();
    this.#schedule.states[index] = this.#stateOf(thread);
    return index + 1;
  }

  #stateOf(thread: Thread): number {
    if (thread.exited) return ThreadState.EXITED;
    if (thread.wait !== undefined) return STATES[thread.wait.kind];
    this.#machine.patience = LITTLE_PATIENCE;
    let spinning = this.#spinning.get(thread);
    if (spinning === undefined) {
      spinning = new Spinning();
      this.#spinning.set(thread, spinning);
    }
    spinning.turn(thread, this.#machine.registers.u32);
    return ThreadState.TURN;
  }

  place(index: number): number {
    const thread = this.#threads[index]!;
    // A thread that yields counts as being in the same place only if it would continue exactly as it did before.
    if (thread.wait === undefined) return -2 - (this.#spinning.get(thread)?.progress ?? 0);
    const { code, pc } = thread.frames.at(-1)!;
    return 2 ** 32 * code.index + pc;
  }

  lanes(index: number): number {
    return (this.#threads[index]!.wait as WarpWait).mask;
  }

  operation(index: number): string {
    return (this.#threads[index]!.wait as WarpWait | PhaseWait).operation.opcode;
  }

  barrier(index: number): BarrierUse {
    return this.#threads[index]!.wait as BarrierWait;
  }

  operate(first: number, lanes: number): void {
    const warp = this.#warps[first / LANES]!;
    const meeting = warp.filter(({ lane }) => ((lanes >>> lane) & 1) === 1);
    const { wait } = meeting[0]!;
    // `bar.warp.sync` is the only warp operation that orders memory accesses.
    if (wait?.kind === "warp" && wait.operation.name === "bar") {
      const named = warp.filter(({ lane }) => ((wait.mask >>> lane) & 1) === 1);
      this.#watch?.met(meeting, named);
    }
    if (wait !== undefined && "complete" in wait) wait.complete(meeting);
    for (const thread of meeting) thread.wait = undefined;
    this.#machine.running = false;
  }

  meet({ barrier, count }: BarrierUse, waiting: readonly number[]): void {
    const threads = waiting.map((index) => this.#threads[index]!);
    if (this.#machine.checks?.sync === true) this.#checkBarrier(waiting, count);
    const reductions = threads.flatMap(({ wait }) => (wait as BarrierWait).reduction ?? []);
    const values = reductions.map(({ value }) => value);
    for (const { take } of reductions) take(values);
    for (const thread of threads) thread.wait = undefined;
    this.#watch?.metAtBarrier(barrier, count, threads, this.#warps);
  }

  /** Records what a GPU may carry out differently, though the barrier is complete here. */
  #checkBarrier(waiting: readonly number[], count: number | undefined): void {
    const machine = this.#machine;
    for (const [kind, thread, detail] of barrierProblems(waiting, this.#schedule.states, count, this))
      machine.checks?.record({ kind, detail, ...machine.place(this.#threads[thread]) });
  }

  isAligned(index: number): boolean {
    const { code, pc } = this.#threads[index]!.frames.at(-1)!;
    const { name, words } = code.function.instructions[pc - 1]!.operation;
    return name === "bar" || words.has("aligned");
  }

  testPhase(index: number, noLonger: boolean): boolean {
    const thread = this.#threads[index]!;
    const { test } = thread.wait as PhaseWait;
    this.#machine.resume(thread.frames.at(-1)!);
    const isComplete = test(noLonger);
    if (isComplete || noLonger) thread.wait = undefined;
    return isComplete;
  }

  trap(index: number, detail: string): KernelFault {
    return this.#machine.wrongSync(detail, this.#threads[index]);
  }

  deadlock(waiting: readonly WaitingThread[]): KernelFault {
    const places = waiting.map(({ thread, detail }) => ({
      ...this.#machine.place(this.#threads[thread]),
      detail,
    }));
    return new KernelFault({ kind: "DEADLOCK", waiting: places });
  }
}

/** Whether a thread is to execute `barrier.cluster.wait`. */
function atClusterBarrier({ frames }: Thread): boolean {
  const { code, pc } = frames.at(-1)!;
  const { words, name } = code.function.instructions[pc]?.operation ?? { words: new Set(), name: "" };
  return name === "barrier" && words.has("cluster") && words.has("wait");
}

/** Returns the function that runs the threads of a launch. */
export function executor(machine: Machine): Execute {
  const { counts, trace } = machine.launch.hooks;
  if (counts === undefined && trace === undefined) return () => executePlain(machine);
  const follow = trace === undefined ? undefined : tracer(machine, trace);
  return () => executeObserved(machine, counts, follow);
}

function executePlain(machine: Machine): void {
  while (machine.running && machine.left > 0) {
    machine.left--;
    machine.at = machine.pc++;
    machine.code.steps[machine.at]!();
  }
}

function executeObserved(
  machine: Machine,
  counts: readonly Float64Array[] | undefined,
  follow: Tracer | undefined,
): void {
  while (machine.running && machine.left > 0) {
    follow?.before();
    machine.left--;
    machine.at = machine.pc++;
    const { code, at } = machine;
    const count = counts?.[code.index];
    if (count !== undefined && at < count.length) count[at]!++;
    code.steps[at]!();
    follow?.after();
  }
}
