// Runs the threads of a block in rounds: each thread that can continue runs until it waits or exits, in order of thread
// number. Then complete operations are carried out: warps in order, then barriers, then `activemask`, then the phases of barrier objects. This order is the
// same for every engine.
import { Barriers, type BarrierUse } from "./barriers.js";
import { ACTIVE_MASK_WAIT, barrierWait, phaseWait, strangerProblem, warpWait } from "./waits.js";

const WARP = 32;

/** The state of a thread between two rounds. States from `TURN` on run in the next round. */
export const ThreadState = Object.freeze({
  EXITED: 0,
  /** It waits for lanes of its warp. */
  WARP: 1,
  ACTIVE_MASK: 2,
  BARRIER: 3,
  /** It has arrived at a barrier without waiting. */
  ARRIVAL: 4,
  /** It waits for a phase of a barrier object. */
  PHASE: 5,
  /** It may spin in a loop until others write something, and lets them run first. */
  TURN: 6,
  READY: 7,
});

/** A thread that cannot continue, and a description of what it waits for. */
export interface WaitingThread {
  readonly thread: number;
  readonly detail: string;
}

/** The threads of a block as the engine that runs them knows them, by their numbers in the block. */
export interface BlockThreads {
  /**
   * Runs a thread that can continue, and those after it that continue together with it, until each of them waits, exits
   * or has had its turn, and sets their states.
   *
   * @returns the first thread after those that ran, or the given one when the launch pauses before it is done
   */
  run(thread: number): number;
  /** Whether other blocks may complete the phases for which threads wait. */
  readonly isHelped?: boolean;
  /** A number that identifies the instruction at which a thread waits or has let others run. */
  place(thread: number): number;
  /** For a thread that waits for its warp, the bits of the lanes that have to come. */
  lanes(thread: number): number;
  /**
   * For a thread that waits for its warp or for a phase, the instruction with its modifiers, which is the same for all
   * lanes that meet.
   */
  operation(thread: number): string;
  /** The barrier that a thread has reached. */
  barrier(thread: number): BarrierUse;
  /**
   * Carries out the operation for which all 32 lanes of the warp that begins with a thread wait, if it is the same for all of them and
   * quickly done; returns whether it did.
   */
  operateWhole?(first: number): boolean;
  /** Carries out the operation for which the lanes of a mask wait, in the warp that begins with a thread. */
  operate(first: number, lanes: number): void;
  /** Carries out the reduction of threads at a barrier that is now complete. */
  meet(barrier: BarrierUse, threads: readonly number[]): void;
  /**
   * Whether the phase for which a thread waits is complete. If so, or if the thread waits `noLonger`, the thread gets
   * that as its result.
   */
  testPhase(thread: number, noLonger: boolean): boolean;
  /** Returns what to throw when a thread does something invalid. */
  trap(thread: number, detail: string): unknown;
  /** Returns what to throw when no thread can continue. */
  deadlock(waiting: readonly WaitingThread[]): unknown;
}

/** How far a block has run: to its end, until its threads wait for other blocks, or until the launch pauses. */
export type Progress = "ended" | "waiting" | "paused";

/**
 * How often all threads of a block may give up their waits for phases, one after another, before none of them counts as
 * making progress.
 */
const MOST_FRUITLESS = 2 ** 12;

/** How often the threads of a block wait before other blocks get a turn, which may do what these threads wait for. */
export const MOST_ROUNDS = 2 ** 12;

/** The place of a thread that has exited, and of one whose place is not known yet. */
const NOWHERE = -1;
const UNKNOWN = Infinity;

/** The states of a warp's threads as bits. */
const bitOf = (state: number): number => 1 << state;
const EXITED = bitOf(ThreadState.EXITED);
const WARPS = bitOf(ThreadState.WARP);
const ACTIVE_MASKS = bitOf(ThreadState.ACTIVE_MASK);
const BARRIERS = bitOf(ThreadState.BARRIER) | bitOf(ThreadState.ARRIVAL);
const PHASES = bitOf(ThreadState.PHASE);
const READY = bitOf(ThreadState.READY);
const RUNNABLE = bitOf(ThreadState.TURN) | READY;

export class BlockSchedule {
  /** The {@link ThreadState} of each thread. */
  readonly states: Int8Array;
  /** For each warp, the bits of its threads' states after the last round. */
  readonly #found: Uint8Array;
  readonly #threads: BlockThreads;
  readonly #barriers = new Barriers();
  /** The place of each thread one round before. */
  readonly #before: Float64Array;
  /** The current round: the next thread, whether any has run, and whether all runnable threads had let others run. */
  #next = 0;
  #hasRun = false;
  #areTurns = false;
  /** How often all threads have given up their waits for phases since one of them last made progress. */
  #fruitless = 0;
  /** Rounds since other blocks had a turn. */
  #rounds = 0;

  constructor(count: number, threads: BlockThreads) {
    this.states = new Int8Array(count);
    this.#found = new Uint8Array(Math.ceil(count / WARP));
    this.#before = new Float64Array(count).fill(UNKNOWN);
    this.#threads = threads;
  }

  /** Called when a block begins: all threads can run. */
  begin(): void {
    this.states.fill(ThreadState.READY);
    this.#found.fill(READY);
    this.#before.fill(UNKNOWN);
    this.#barriers.clear();
    this.#fruitless = 0;
    this.#rounds = 0;
    this.#beginRound();
  }

  /** Called when a block has ended before all of its threads have. */
  end(): void {
    this.states.fill(ThreadState.EXITED);
    this.#found.fill(EXITED);
    this.#barriers.clear();
    this.#beginRound();
  }

  /** Carries out complete operations after threads have run and their states were set. */
  meet(): void {
    const found = this.#look();
    if ((found & WARPS) !== 0)
      for (let warp = 0; warp < this.#found.length; warp++)
        if ((this.#found[warp]! & WARPS) !== 0) this.#meetWarp(warp * WARP);
    this.#meetBarriers((found & BARRIERS) !== 0);
    // `activemask` comes last: its mask consists of the lanes that nothing else lets continue.
    if ((found & ACTIVE_MASKS) !== 0)
      for (let first = 0; first < this.states.length; first += WARP) this.#meetActiveMask(first);
    if ((found & PHASES) !== 0) this.#testPhases(false);
    this.#beginRound();
  }

  /** Looks at the states of all threads; returns those that were found, as bits. */
  #look(): number {
    const { states } = this;
    const found = this.#found;
    let all = 0;
    for (let warp = 0; warp < found.length; warp++) {
      // Threads that have exited stay so.
      if (found[warp] !== EXITED) {
        const end = Math.min(WARP * (warp + 1), states.length);
        let own = 0;
        for (let thread = WARP * warp; thread < end; thread++) own |= 1 << states[thread]!;
        found[warp] = own;
      }
      all |= found[warp]!;
    }
    return all;
  }

  /**
   * Runs the threads as far as they can go.
   *
   * @returns "waiting" when all runnable threads let others run and are back where they were, or when other blocks may
   * complete the phases for which threads wait; it may be called again then
   * @throws what `deadlock` and `trap` of the threads return
   */
  goOn(): Progress {
    for (;;) {
      if (this.#rounds === MOST_ROUNDS) {
        this.#rounds = 0;
        return "waiting";
      }
      if (!this.#runRound()) return "paused";
      if (!this.#hasRun) {
        const isHelped = this.#threads.isHelped === true;
        if ((this.#look() & PHASES) !== 0 && (isHelped || this.#fruitless++ < MOST_FRUITLESS)) {
          this.#testPhases(true);
          this.#beginRound();
          if (isHelped) return "waiting";
          continue;
        }
        this.#checkEnd();
        return "ended";
      }
      this.#rounds++;
      // No threads met, and all of them are back where they were.
      const isIdle = this.#areTurns && this.#isSame();
      this.meet();
      if (!isIdle) continue;
      this.#before.fill(UNKNOWN);
      return "waiting";
    }
  }

  #beginRound(): void {
    this.#next = 0;
    this.#hasRun = false;
    this.#areTurns = (this.#look() & READY) === 0;
  }

  /** @returns false when the launch pauses before the round is over */
  #runRound(): boolean {
    const { states } = this;
    while (this.#next < states.length) {
      const thread = this.#next;
      if ((this.#found[thread >> 5]! & RUNNABLE) === 0) this.#next = (thread | (WARP - 1)) + 1;
      else if (states[thread]! < ThreadState.TURN) this.#next++;
      else {
        this.#hasRun = true;
        this.#next = this.#threads.run(thread);
        if (this.#next === thread) return false;
      }
    }
    return true;
  }

  /** Whether all threads are where they were one round before. */
  #isSame(): boolean {
    let isSame = true;
    for (let thread = 0; thread < this.states.length; thread++) {
      const place = this.states[thread] === ThreadState.EXITED ? NOWHERE : this.#threads.place(thread);
      if (this.#before[thread] === place) continue;
      this.#before[thread] = place;
      isSame = false;
    }
    return isSame;
  }

  #checkEnd(): void {
    if (this.#look() === EXITED) return;
    const waiting = [...this.states.keys()].filter((thread) => this.states[thread] !== ThreadState.EXITED);
    throw this.#threads.deadlock(waiting.map((thread) => ({ thread, detail: this.#describe(thread) })));
  }

  /** Lets threads continue whose phase is complete, or all of those that wait for one. */
  #testPhases(noLonger: boolean): void {
    const { states } = this;
    for (let thread = 0; thread < states.length; thread++) {
      if (states[thread] !== ThreadState.PHASE) continue;
      const isComplete = this.#threads.testPhase(thread, noLonger);
      if (isComplete) this.#fruitless = 0;
      if (isComplete || noLonger) states[thread] = ThreadState.READY;
    }
  }

  #describe(thread: number): string {
    const threads = this.#threads;
    if (this.states[thread] === ThreadState.PHASE) return phaseWait(threads.operation(thread));
    if (this.states[thread] === ThreadState.ACTIVE_MASK) return ACTIVE_MASK_WAIT;
    if (this.states[thread] === ThreadState.BARRIER) return barrierWait(threads.barrier(thread));
    return warpWait(threads.operation(thread), threads.lanes(thread));
  }

  #release(first: number, lanes: number): void {
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      this.states[first + 31 - Math.clz32(rest & -rest)] = ThreadState.READY;
    }
  }

  #meetWarp(first: number): void {
    const { states } = this;
    const threads = this.#threads;
    const end = Math.min(first + WARP, states.length);
    if (this.#found[first >> 5] === WARPS && end - first === WARP && threads.operateWhole?.(first)) {
      states.fill(ThreadState.READY, first, end);
      return;
    }
    let alive = 0;
    for (let thread = first; thread < end; thread++)
      if (states[thread] !== ThreadState.EXITED) alive |= 1 << (thread - first);
    for (let thread = first; thread < end; thread++) {
      if (states[thread] !== ThreadState.WARP) continue;
      const lane = thread - first;
      const lanes = threads.lanes(thread);
      if (((lanes >>> lane) & 1) === 0) throw threads.trap(thread, strangerProblem(lane, lanes));
      if (!this.#areAt(first, lanes & alive, lanes, threads.operation(thread))) continue;
      threads.operate(first, lanes & alive);
      this.#release(first, lanes & alive);
    }
  }

  /** Whether some lanes of a warp all wait at the same operation for the same lanes. */
  #areAt(first: number, waiting: number, lanes: number, operation: string): boolean {
    const threads = this.#threads;
    for (let rest = waiting; rest !== 0; rest &= rest - 1) {
      const thread = first + 31 - Math.clz32(rest & -rest);
      const isHere =
        this.states[thread] === ThreadState.WARP &&
        threads.operation(thread) === operation &&
        threads.lanes(thread) === lanes;
      if (!isHere) return false;
    }
    return true;
  }

  /**
   * Completes an `activemask` for the lanes that wait at the same one, when no lane of the warp can continue otherwise.
   */
  #meetActiveMask(first: number): void {
    const { states } = this;
    const threads = this.#threads;
    const end = Math.min(first + WARP, states.length);
    const warp = states.subarray(first, end);
    if (!warp.includes(ThreadState.ACTIVE_MASK) || warp.includes(ThreadState.READY)) return;
    for (let thread = first; thread < end; thread++) {
      if (states[thread] !== ThreadState.ACTIVE_MASK) continue;
      const place = threads.place(thread);
      let lanes = 0;
      for (let other = thread; other < end; other++) {
        const isHere = states[other] === ThreadState.ACTIVE_MASK && threads.place(other) === place;
        if (isHere) lanes |= 1 << (other - first);
      }
      threads.operate(first, lanes);
      this.#release(first, lanes);
    }
  }

  #meetBarriers(haveCome: boolean): void {
    const { states } = this;
    const threads = this.#threads;
    for (let thread = haveCome ? 0 : states.length; thread < states.length; thread++) {
      const state = states[thread];
      if (state !== ThreadState.BARRIER && state !== ThreadState.ARRIVAL) continue;
      const barrier = threads.barrier(thread);
      const problem = this.#barriers.come(thread, barrier, state === ThreadState.ARRIVAL);
      if (problem !== undefined) throw threads.trap(thread, problem);
      if (state === ThreadState.ARRIVAL) states[thread] = ThreadState.READY;
    }
    const hasExited = (thread: number) => states[thread] === ThreadState.EXITED;
    for (const { barrier, waiting } of this.#barriers.complete(states.length, hasExited)) {
      threads.meet(barrier, waiting);
      for (const thread of waiting) states[thread] = ThreadState.READY;
      this.#fruitless = 0;
    }
  }
}
