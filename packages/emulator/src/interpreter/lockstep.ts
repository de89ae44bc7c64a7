// A warp whose threads run in step, as on hardware before Volta: they execute each instruction together. Where they
// diverge, one group runs first and waits for the others at the immediate postdominator of the branch.
import { immediatePostdominators } from "../control/postdominators.js";
import type { Machine } from "./machine.js";
import type { Code, Frame, Thread } from "./thread.js";

/**
 * The point at which the threads of a group meet those from which they diverged: the depth of calls, and the
 * instruction.
 */
interface Meeting {
  readonly depth: number;
  readonly pc: number;
}

/** Threads that run together until they meet others. */
interface Group {
  /** The bits of their lanes. */
  lanes: number;
  /** Undefined for threads that do not meet others before they end. */
  readonly until: Meeting | undefined;
}

/** Why a warp has stopped: no thread can continue before others have run, one spins in a loop, or a pause is due. */
export type Stopped = "waiting" | "spinning" | "paused";

const meetings = new WeakMap<Code, Int32Array>();

const frameOf = ({ frames }: Thread): Frame => frames.at(-1)!;

export class Lockstep {
  readonly #machine: Machine;
  readonly #execute: () => void;
  readonly #threads: readonly Thread[];
  /** Groups that have diverged follow the group that they will join. A thread belongs to its last group. */
  readonly #groups: Group[];
  /** Instructions left before threads in a loop yield. */
  #patience = 0;
  /** The threads that were in a loop when that was used up. */
  #spinning: readonly Thread[] = [];

  constructor(machine: Machine, execute: () => void, threads: readonly Thread[]) {
    this.#machine = machine;
    this.#execute = execute;
    this.#threads = threads;
    this.#groups = [{ lanes: maskOf(threads), until: undefined }];
  }

  /** Begins a turn, in which the threads execute `patience` instructions at most before those in a loop yield. */
  begin(patience: number): void {
    this.#patience = patience;
  }

  /** Runs the threads that can continue. @param isFirst whether this is the beginning of the turn */
  run(isFirst: boolean): Stopped {
    const machine = this.#machine;
    let isBeginning = isFirst;
    for (;;) {
      const threads = this.#next();
      if (threads.length === 0) {
        // Threads that others wait for cannot wait at a meeting.
        if (isBeginning && this.#release()) continue;
        return "waiting";
      }
      isBeginning = false;
      const { until } = this.#groupOf(threads[0]!);
      for (let isTogether = true; isTogether; ) {
        if (machine.left < threads.length) return "paused";
        const { code, pc: at } = frameOf(threads[0]!);
        const depth = threads[0]!.frames.length;
        for (const thread of threads) this.#step(thread);
        isTogether = this.#areTogether(threads);
        if (!isTogether) this.#diverge(threads, code, at, depth);
        else if (isAt(threads[0]!, until)) isTogether = false;
        this.#patience -= threads.length;
        if (this.#patience > 0 || frameOf(threads[0]!).pc > at) continue;
        this.#spinning = threads.filter(({ exited }) => !exited);
        if (this.#spinning.length > 0) return "spinning";
      }
    }
  }

  #step(thread: Thread): void {
    const machine = this.#machine;
    machine.enter(thread);
    machine.yields = false;
    machine.atMost(1, this.#execute);
    machine.leave();
    machine.running = false;
  }

  /** Whether all threads continue, at the same instruction. */
  #areTogether(threads: readonly Thread[]): boolean {
    const [first] = threads;
    return threads.every(
      (thread) => !thread.exited && thread.wait === undefined && isSamePlace(thread, first!),
    );
  }

  /** Splits a group after an instruction that led its threads to different places. */
  #diverge(threads: readonly Thread[], code: Code, at: number, depth: number): void {
    const going = threads.filter(({ exited, wait }) => !exited && wait === undefined);
    const parts = partsOf(going);
    if (parts.length < 2) return;
    const until = meetingOf(going, code, at, depth);
    const group = this.#groupOf(going[0]!);
    // Threads that already have to meet there join that group's successor instead of a new one.
    if (isSameMeeting(group.until, until)) group.lanes &= ~maskOf(going);
    for (const part of parts) if (!isAt(part[0]!, until)) this.#groups.push({ lanes: maskOf(part), until });
  }

  /** The last group of a thread. */
  #groupOf({ lane }: Thread): Group {
    return this.#groups.findLast(({ lanes }) => ((lanes >>> lane) & 1) === 1)!;
  }

  /** The threads that run next, which are all at the same instruction; none when all of them wait. */
  #next(): readonly Thread[] {
    this.#join();
    let covered = 0;
    for (let i = this.#groups.length - 1; i >= 0; i--) {
      const { lanes, until } = this.#groups[i]!;
      const ready = this.#of(lanes & ~covered).filter(
        (thread) => thread.wait === undefined && !isAt(thread, until),
      );
      covered |= lanes;
      if (ready.length === 0) continue;
      const parts = partsOf(ready);
      if (parts.length === 1) return ready;
      for (const part of parts) this.#groups.push({ lanes: maskOf(part), until });
      return parts.at(-1)!;
    }
    return [];
  }

  /** Removes the groups whose threads have all ended or met the others. */
  #join(): void {
    let covered = 0;
    for (let i = this.#groups.length - 1; i >= 0; i--) {
      const group = this.#groups[i]!;
      const own = this.#of(group.lanes & ~covered);
      const isDone = own.every((thread) => thread.wait === undefined && isAt(thread, group.until));
      const hasOthers = (group.lanes & covered) !== 0;
      covered |= group.lanes;
      if (i > 0 && isDone && !hasOthers) {
        covered &= ~group.lanes;
        this.#groups.splice(i, 1);
      }
    }
  }

  /**
   * Lets the threads that wait for spinning threads continue first, because they may do what the spinning threads wait
   * for.
   */
  letOthersRun(): void {
    const spinning = this.#groupOf(this.#spinning[0]!);
    const others: Group[] = [];
    let covered = 0;
    for (const group of [...this.#groups].reverse()) {
      const own = this.#of(group.lanes & ~covered).filter(({ wait }) => wait === undefined);
      const parked = maskOf(own.filter((thread) => isAt(thread, group.until)));
      group.lanes &= ~parked;
      const lanes = maskOf(own) & ~parked;
      if (group !== spinning && lanes !== 0) others.push({ lanes, until: group.until });
      covered |= group.lanes;
    }
    this.#groups.push(...others);
  }

  /** Lets threads that wait at a meeting continue without the others. @returns whether there are any */
  #release(): boolean {
    let covered = 0;
    for (let i = this.#groups.length - 1; i > 0; i--) {
      const group = this.#groups[i]!;
      const parked = this.#of(group.lanes & ~covered).filter(
        (thread) => thread.wait === undefined && isAt(thread, group.until),
      );
      covered |= group.lanes;
      if (parked.length === 0) continue;
      group.lanes &= ~maskOf(parked);
      return true;
    }
    return false;
  }

  /** The threads of lanes that have not ended. */
  #of(lanes: number): Thread[] {
    return this.#threads.filter(({ lane, exited }) => !exited && ((lanes >>> lane) & 1) === 1);
  }
}

const maskOf = (threads: readonly Thread[]): number =>
  threads.reduce((mask, { lane }) => mask | (1 << lane), 0);

const isAt = (thread: Thread, until: Meeting | undefined): boolean =>
  until !== undefined &&
  (thread.frames.length < until.depth ||
    (thread.frames.length === until.depth && frameOf(thread).pc === until.pc));

const isSameMeeting = (a: Meeting | undefined, b: Meeting | undefined): boolean =>
  a?.depth === b?.depth && a?.pc === b?.pc;

function isSamePlace(a: Thread, b: Thread): boolean {
  const [x, y] = [frameOf(a), frameOf(b)];
  return x.pc === y.pc && a.frames.length === b.frames.length && x.code === y.code;
}

/** The threads by their place; those that are furthest behind come last. */
function partsOf(threads: readonly Thread[]): Thread[][] {
  const parts: Thread[][] = [];
  for (const thread of threads) {
    const part = parts.find(([first]) => isSamePlace(first!, thread));
    if (part === undefined) parts.push([thread]);
    else part.push(thread);
  }
  return parts.sort(([a], [b]) => a!.frames.length - b!.frames.length || frameOf(b!).pc - frameOf(a!).pc);
}

/** The meeting point of threads that an instruction of a function has led to different places. */
function meetingOf(threads: readonly Thread[], code: Code, at: number, depth: number): Meeting | undefined {
  if (code.function.instructions[at]?.call !== undefined) return { depth, pc: at + 1 };
  let found = meetings.get(code);
  if (found === undefined) {
    found = immediatePostdominators(code.function);
    meetings.set(code, found);
  }
  const pc = found[at] ?? Infinity;
  if (pc <= code.function.instructions.length) return { depth, pc };
  const caller = threads[0]!.frames[depth - 2];
  return caller === undefined ? undefined : { depth: depth - 1, pc: caller.pc };
}
