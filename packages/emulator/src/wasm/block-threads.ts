// The threads of a block in translated code once they no longer run together. Each thread's state is the number of the
// wait at which it is, and the segment after that wait resumes it.
import type { Step } from "../control/step.js";
import { isWarpBarrier, type WaitKind, waitKind } from "../control/waits.js";
import type { WarpEvaluator } from "../interpreter/warp-operations.js";
import type { AddressOperand } from "../program/operand.js";
import type { BarrierFault } from "../run/fault.js";
import type { BarrierUse } from "../schedule/barriers.js";
import {
  BlockSchedule,
  type BlockThreads,
  type Progress,
  ThreadState,
  type WaitingThread,
} from "../schedule/block.js";
import { barrierProblems } from "../schedule/sync-check.js";
import type { Areas } from "./areas.js";
import type { Stop } from "./fault.js";
import { fragmentMove } from "./fragments.js";
import { type AddressOf, addressOf, type MatrixMemory, type MoveMatrix, matrixMove } from "./matrices.js";
import { SavedRegisters } from "./operands.js";
import type { Translation } from "./translation.js";
import { constantOf } from "./warp/values.js";
import { FastWarps } from "./warp-fast.js";

const WARP = 32;
const ALL_LANES = -1;

/** The properties of a waiting instruction, computed once for a kernel. */
interface WaitPlan {
  readonly step: Step;
  /** The {@link ThreadState} of a thread that waits at it. */
  readonly state: number;
  /** The same number for all waits at one instruction. */
  readonly place: number;
  readonly evaluate: WarpEvaluator | undefined;
  /** How `ldmatrix`, `stmatrix`, `wmma.load` and `wmma.store` move a matrix. */
  readonly move: MoveMatrix | undefined;
  /** For a wait for a phase, the address of the barrier object. */
  readonly address: AddressOf | undefined;
  /** The operand that holds the lane mask; undefined for operations of all 32 lanes. */
  readonly mask: number | undefined;
  /** The lane mask, if it is a constant. */
  readonly constantMask: number | undefined;
}

/** The functions of the launch that the threads need. */
export interface BlockRunner extends MatrixMemory {
  /** Runs a segment for a range of threads, and returns the ends that they reached as bits. */
  segment(number: number, from: number, to: number): number;
  /** Carries out a wait of all lanes of warps from one thread to another; returns whether it did. */
  warp(wait: number, from: number, to: number): boolean;
  /** A number that identifies the running block. */
  block(): number;
  /** Tells the checks about the accesses since the last call. Memory may grow. */
  observe(): void;
  /** Tells the checks that all threads of the block have met, or those of the warp that begins with a thread. */
  met(warp?: number): void;
  /** Carries out the procedure of a thread's instruction, and returns its results. */
  perform(step: Step, thread: number, sources: readonly (bigint | undefined)[]): readonly bigint[];
  /** What to throw when threads synchronize in a way that is not allowed. */
  wrongSync(detail: string, step: Step, thread: number): Stop;
  /** Whether synchronization is checked. */
  readonly checksSync: boolean;
  /** Records what a GPU may carry out differently, though a barrier is complete here. */
  atBarrier(kind: BarrierFault["kind"], detail: string, step: Step, thread: number): void;
  /** Whether something that was thrown only ends the block, and was recorded. */
  endsBlock(error: unknown): boolean;
  deadlock(waiting: readonly { step: Step; thread: number; detail: string }[]): Stop;
}

/** The threads of blocks that run one after another in the same memory. */
export class TranslatedThreads implements BlockThreads {
  readonly areas: Areas;
  readonly #translation: Translation;
  readonly #runner: BlockRunner;
  readonly #plans: readonly WaitPlan[];
  readonly #schedule: BlockSchedule;
  /** For each thread, the wait at which it is, or was before it became ready; negative when it is done. */
  readonly #waits: Int32Array;
  #block = -1;
  readonly #fast: FastWarps;
  /** Linear memory as words. */
  #words: Int32Array;
  #saved: SavedRegisters;

  constructor(translation: Translation, areas: Areas, runner: BlockRunner) {
    this.areas = areas;
    this.#translation = translation;
    this.#runner = runner;
    const sources = translation.graph.waits.map(({ step }) => step.source);
    this.#plans = translation.graph.waits.map(({ step }) =>
      planOf(step, sources.indexOf(step.source), translation),
    );
    this.#schedule = new BlockSchedule(areas.threads, this);
    this.#waits = new Int32Array(areas.threads);
    this.#saved = new SavedRegisters(runner.buffer(), areas, translation);
    this.#fast = new FastWarps(translation, areas);
    this.#words = new Int32Array(runner.buffer());
  }

  /**
   * Carries out a wait that all threads have reached; returns whether they continue together. If not, call `goOn` next.
   */
  together(wait: number): boolean {
    this.#begin();
    if (this.#fast.block(this.#words, wait)) return true;
    this.#meetAt(wait);
    return this.#schedule.states.every((now) => now === ThreadState.READY);
  }

  /** Carries out a wait that all threads have reached. Call `goOn` when other blocks have run. */
  yields(wait: number): void {
    this.#begin();
    this.#meetAt(wait);
  }

  #meetAt(wait: number): void {
    this.#waits.fill(wait);
    this.#schedule.states.fill(this.#plans[wait]!.state);
    this.#orEnd(() => this.#schedule.meet());
  }

  /** Called when the threads have diverged; their states are in memory. Call `goOn` next. */
  diverged(): void {
    this.#begin();
    this.#readWaits(0, this.#waits.length);
    this.#orEnd(() => this.#schedule.meet());
  }

  goOn(): Progress {
    this.#begin();
    return this.#orEnd(() => this.#schedule.goOn()) ?? "ended";
  }

  /** With the synchronization check, a block whose threads cannot continue counts as ended. */
  #orEnd<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!this.#runner.endsBlock(error)) throw error;
      this.#schedule.end();
      return undefined;
    }
  }

  /** The block of the graph in which the first thread that lets others run continues. */
  waitingLoop(): number | undefined {
    const thread = this.#schedule.states.indexOf(ThreadState.TURN);
    return thread < 0 ? undefined : this.#translation.graph.waits[this.#waits[thread]!]!.resume;
  }

  /** Renews the views of memory, and clears the state of the last block. */
  #begin(): void {
    this.#renew();
    const block = this.#runner.block();
    if (block !== this.#block) this.#schedule.begin();
    this.#block = block;
  }

  /** Renews the views of memory if it has grown. */
  #renew(): void {
    const buffer = this.#runner.buffer();
    if (this.#words.buffer === buffer) return;
    this.#words = new Int32Array(buffer);
    this.#saved = new SavedRegisters(buffer, this.areas, this.#translation);
  }

  run(thread: number): number {
    const { states } = this.#schedule;
    const { resumes, segments } = this.#translation;
    const segment = resumes[this.#waits[thread]!]!;
    let end = thread + 1;
    while (end < states.length && states[end]! >= ThreadState.TURN && resumes[this.#waits[end]!] === segment)
      end++;
    const { ends } = segments[segment]!;
    this.#runner.segment(segment, thread, end);
    // Threads may have allocated memory.
    this.#renew();
    if (ends.length > 1) this.#readWaits(thread, end);
    else {
      this.#waits.fill(ends[0]!, thread, end);
      states.fill(this.#stateAt(ends[0]!), thread, end);
    }
    return end;
  }

  #readWaits(from: number, to: number): void {
    const { states } = this.#schedule;
    const waits = this.#waits;
    const words = this.#words;
    const place = this.areas.states >> 2;
    for (let thread = from; thread < to; thread++) {
      const wait = words[place + thread]!;
      waits[thread] = wait;
      states[thread] = this.#stateAt(wait);
    }
  }

  #stateAt(wait: number): number {
    return wait < 0 ? ThreadState.EXITED : this.#plans[wait]!.state;
  }

  #planOf(thread: number): WaitPlan {
    return this.#plans[this.#waits[thread]!]!;
  }

  place(thread: number): number {
    return this.#planOf(thread).place;
  }

  operation(thread: number): string {
    return this.#planOf(thread).step.operation.opcode;
  }

  lanes(thread: number): number {
    const { step, mask, constantMask } = this.#planOf(thread);
    if (mask === undefined) return -1;
    if (constantMask !== undefined) return constantMask;
    const quick = this.#fast.mask(this.#words, this.#waits[thread]!, thread);
    if (quick !== undefined) return quick;
    return Number(BigInt.asIntN(32, this.#saved.read(step, step.source.operands[mask]!, "b32", thread)));
  }

  operateWhole(first: number): boolean {
    const waits = this.#waits;
    const wait = waits[first]!;
    for (let thread = first + 1; thread < first + WARP; thread++) if (waits[thread] !== wait) return false;
    return this.#runner.warp(wait, first, first + WARP);
  }

  operate(first: number, lanes: number): void {
    const threads: number[] = [];
    for (let rest = lanes; rest !== 0; rest &= rest - 1) threads.push(first + 31 - Math.clz32(rest & -rest));
    const { state, evaluate, move, mask, step } = this.#planOf(threads[0]!);
    if (isWarpBarrier(step)) {
      this.#runner.met(first);
      return;
    }
    if (state === ThreadState.ACTIVE_MASK) {
      for (const thread of threads)
        this.#saved.write(this.#planOf(thread).step, thread, [BigInt(lanes >>> 0)]);
      return;
    }
    if (mask === undefined && threads.length < WARP) {
      const detail = `expected all ${WARP} lanes of the warp, found ${threads.length}`;
      throw this.#runner.wrongSync(detail, step, threads[0]!);
    }
    if (move !== undefined) {
      move(first, this.#saved, this.#runner);
      this.#runner.observe();
      this.#renew();
    } else if (!this.#operateFast(first, lanes, threads)) {
      const steps = threads.map((thread) => this.#planOf(thread).step);
      const sources = threads.map((thread, i) => this.#saved.sources(steps[i]!, thread));
      const results = evaluate!(
        threads.map((thread) => thread - first),
        sources,
      );
      threads.forEach((thread, i) => {
        this.#saved.write(steps[i]!, thread, results[i]!);
      });
    }
  }

  /** Tries the fast path for lanes that all wait at one place; returns whether the operation was carried out. */
  #operateFast(first: number, lanes: number, threads: readonly number[]): boolean {
    const wait = this.#waits[threads[0]!]!;
    return (
      threads.every((thread) => this.#waits[thread] === wait) &&
      ((lanes === ALL_LANES && this.#runner.warp(wait, first, first + WARP)) ||
        this.#fast.warp(this.#words, wait, first, lanes))
    );
  }

  barrier(thread: number): BarrierUse {
    const { step } = this.#planOf(thread);
    const { operands } = step.source;
    const { operandTypes, results } = step.operation;
    const of = (i: number) => {
      const operand = operands[results + i];
      if (operand === undefined || operand.kind === "sink") return undefined;
      return Number(this.#saved.read(step, operand, operandTypes[results + i], thread));
    };
    return { barrier: of(0)!, count: of(1) };
  }

  isAligned(thread: number): boolean {
    const { traits, words } = this.#planOf(thread).step.operation;
    return traits.aligned || words.has("aligned");
  }

  /** `bar.red`: combines the predicates of all waiting threads. */
  meet({ count }: BarrierUse, threads: readonly number[]): void {
    if (this.#runner.checksSync)
      for (const [kind, thread, detail] of barrierProblems(threads, this.#schedule.states, count, this))
        this.#runner.atBarrier(kind, detail, this.#planOf(thread).step, thread);
    this.#runner.met();
    const values = threads.map((thread) => {
      const { step } = this.#planOf(thread);
      const { operands } = step.source;
      const { results } = step.operation;
      return results > 0 && this.#saved.read(step, operands.at(-1)!, "pred", thread) === 1n;
    });
    const holds = values.filter(Boolean).length;
    for (const thread of threads) {
      const { step } = this.#planOf(thread);
      if (step.operation.results === 0) continue;
      const { words } = step.operation;
      const result = words.has("popc")
        ? holds
        : Number(words.has("and") ? holds === values.length : holds > 0);
      this.#saved.write(step, thread, [BigInt(result)]);
    }
  }

  testPhase(thread: number, noLonger: boolean): boolean {
    const { step, address } = this.#planOf(thread);
    const [, ...operands] = this.#saved.sources(step, thread);
    const results = this.#runner.perform(step, thread, [
      address!(this.#saved, this.#runner, thread),
      ...operands,
    ]);
    this.#runner.observe();
    const isComplete = results[0] === 1n;
    if (isComplete || noLonger) this.#saved.write(step, thread, results);
    return isComplete;
  }

  trap(thread: number, detail: string): Stop {
    return this.#runner.wrongSync(detail, this.#planOf(thread).step, thread);
  }

  deadlock(waiting: readonly WaitingThread[]): Stop {
    return this.#runner.deadlock(
      waiting.map(({ thread, detail }) => ({ step: this.#planOf(thread).step, thread, detail })),
    );
  }
}

const STATES: Readonly<Record<WaitKind, number>> = {
  warp: ThreadState.WARP,
  activemask: ThreadState.ACTIVE_MASK,
  barrier: ThreadState.BARRIER,
  phase: ThreadState.PHASE,
  turn: ThreadState.TURN,
};

/** How instructions move matrices between memory and registers, by name. */
const MOVES: Readonly<Record<string, typeof fragmentMove>> = {
  ldmatrix: matrixMove,
  stmatrix: matrixMove,
  wmma: fragmentMove,
};

function planOf(step: Step, place: number, { kernel, host, constants }: Translation): WaitPlan {
  const kind = waitKind(step);
  const hasMask = kind === "warp" && !step.operation.words.has("aligned");
  const mask = constantOf(step, step.source.operands.at(-1), constants);
  return {
    step,
    state: kind === "barrier" && step.operation.words.has("arrive") ? ThreadState.ARRIVAL : STATES[kind],
    place,
    evaluate: kind === "warp" ? host!.warpEvaluator(step.operation) : undefined,
    move: MOVES[step.operation.name]?.(step, kernel),
    address:
      kind === "phase" ? addressOf(step, step.source.operands[1] as AddressOperand, kernel) : undefined,
    mask: hasMask ? step.source.operands.length - 1 : undefined,
    constantMask: mask === undefined ? undefined : Number(BigInt.asIntN(WARP, mask)),
  };
}
