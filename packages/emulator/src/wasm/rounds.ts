// A block whose threads do not all wait for the same: in each round every thread that can go on does so, in order of its
// number, until it waits or exits; then what is complete is resolved, warps in order, then barriers. Both engines do it so.
import type { Step } from "../control/graph.js";
import type { WarpEvaluator } from "../interpreter/warp-operations.js";
import { barrierProblem, isBarrierComplete } from "../run/barrier.js";
import { ACTIVE_MASK_WAIT, barrierWait, strangerProblem, warpWait } from "../run/waits.js";
import type { Areas } from "./areas.js";
import type { Stop } from "./fault.js";
import { fragmentMove } from "./fragments.js";
import type { Translation } from "./kernel.js";
import { type MatrixMemory, type MoveMatrix, matrixMove } from "./matrices.js";
import { SavedRegisters } from "./operands.js";
import { EXITED } from "./segment-base.js";
import { FastWarps } from "./warp-fast.js";

const WARP = 32;

/** What a waiting instruction is, found once for a kernel. */
interface WaitPlan {
  readonly step: Step;
  readonly kind: "warp" | "activemask" | "barrier" | "turn";
  readonly evaluate: WarpEvaluator | undefined;
  /** Of `ldmatrix`, `stmatrix`, `wmma.load` and `wmma.store`. */
  readonly move: MoveMatrix | undefined;
  /** Which operand has the lanes; undefined for operations of all 32. */
  readonly mask: number | undefined;
  /** The lanes, where they are a constant. */
  readonly constantMask: number | undefined;
}

/** What the rounds need of the launch. */
export interface BlockRunner extends MatrixMemory {
  /** Runs a segment for a range of threads, which gives its ends as bits. */
  segment(number: number, from: number, to: number): number;
  /** The block that runs: another number for each. */
  block(): number;
  stop(kind: "TRAP", detail: string, step: Step, thread: number): Stop;
  deadlock(waiting: readonly { step: Step; thread: number; detail: string }[]): Stop;
}

/** Runs blocks of one launch in rounds. */
export class Rounds {
  readonly #translation: Translation;
  readonly #areas: Areas;
  readonly #runner: BlockRunner;
  readonly #plans: readonly WaitPlan[];
  readonly #hasTurns: boolean;
  /** What each thread waits for, or that it is done; -2 when it can go on. */
  readonly #waits: Int32Array;
  /** Where it goes on: the wait that is over. */
  readonly #resume: Int32Array;
  /** What each waited for a round before. */
  readonly #before: Int32Array;
  /** Threads that arrived at a barrier without waiting, by barrier. */
  readonly #arrived = new Map<
    number,
    { readonly threads: Set<number>; readonly count: number | undefined }
  >();
  #block = -1;
  readonly #fast: FastWarps;
  /** Linear memory as words. */
  #words: Int32Array;
  #saved: SavedRegisters;

  constructor(translation: Translation, areas: Areas, runner: BlockRunner) {
    this.#translation = translation;
    this.#areas = areas;
    this.#runner = runner;
    this.#plans = translation.graph.waits.map(({ step }) => planOf(step, translation));
    this.#hasTurns = translation.takesTurns;
    this.#waits = new Int32Array(areas.threads);
    this.#resume = new Int32Array(areas.threads);
    this.#before = new Int32Array(areas.threads);
    this.#saved = new SavedRegisters(runner.buffer(), areas, translation);
    this.#fast = new FastWarps(translation, areas);
    this.#words = new Int32Array(runner.buffer());
  }

  /** All threads wait for one thing: does it, and says whether they go on together. If not, `toTheEnd` is next. */
  together(wait: number): boolean {
    this.#begin();
    if (this.#fast.block(this.#words, wait)) return true;
    this.#waits.fill(wait);
    this.#resolve();
    // Where all of them let others run, other blocks are meant.
    return this.#plans[wait]!.kind !== "turn" && this.#waits.every((state) => state === READY);
  }

  /** The threads have gone different ways, as their states in memory say. `toTheEnd` is next. */
  diverged(): void {
    this.#begin();
    this.#waits.set(new Int32Array(this.#runner.buffer(), this.#areas.states, this.#areas.threads));
    this.#resolve();
  }

  /** Looks at memory anew where it has grown, and forgets what the last block left. */
  #begin(): void {
    const buffer = this.#runner.buffer();
    if (this.#words.buffer !== buffer) {
      this.#words = new Int32Array(buffer);
      this.#saved = new SavedRegisters(buffer, this.#areas, this.#translation);
    }
    const block = this.#runner.block();
    if (block !== this.#block) this.#arrived.clear();
    this.#block = block;
  }

  /** Lets threads go on as far as they can. @returns whether the block has ended; else its threads wait for other blocks */
  toTheEnd(): boolean {
    this.#begin();
    this.#before.fill(READY);
    for (let isWaiting = this.#areTurns(); this.#goOn(); isWaiting = this.#areTurns()) {
      // Nobody met anybody, and all of them have come back to where they were.
      const isIdle = isWaiting && this.#isSame();
      this.#resolve();
      if (isIdle) return false;
    }
    const waiting = [...this.#waits.keys()].filter((thread) => this.#waits[thread] !== EXITED);
    if (waiting.length === 0) return true;
    throw this.#runner.deadlock(
      waiting.map((thread) => {
        const plan = this.#plans[this.#waits[thread]!]!;
        return { step: plan.step, thread, detail: this.#describe(plan, thread) };
      }),
    );
  }

  /** The block of the graph with which the first thread goes on that lets others run. */
  waitingLoop(): number | undefined {
    const thread = this.#waits.indexOf(READY);
    return thread < 0 ? undefined : this.#translation.graph.waits[this.#resume[thread]!]!.resume;
  }

  /** Whether all threads that can go on have let others run. */
  #areTurns(): boolean {
    if (!this.#hasTurns) return false;
    const hasTurn = (wait: number) => this.#plans[wait]!.kind === "turn";
    return this.#waits.every((wait, thread) => wait !== READY || hasTurn(this.#resume[thread]!));
  }

  /** Whether all threads stand where they stood a round before. */
  #isSame(): boolean {
    const isSame = this.#waits.every((wait, thread) => wait === this.#before[thread]);
    this.#before.set(this.#waits);
    return isSame;
  }

  /** One round: threads that stand at the same place run together. Says whether there were any. */
  #goOn(): boolean {
    const waits = this.#waits;
    let any = false;
    for (let thread = 0; thread < waits.length; thread++) {
      if (waits[thread] !== READY) continue;
      any = true;
      const segment = this.#translation.resumes[this.#resume[thread]!]!;
      let end = thread + 1;
      while (
        end < waits.length &&
        waits[end] === READY &&
        this.#translation.resumes[this.#resume[end]!] === segment
      )
        end++;
      this.#run(segment, thread, end);
      thread = end - 1;
    }
    return any;
  }

  #run(segment: number, from: number, to: number): void {
    const { ends } = this.#translation.segments[segment]!;
    this.#runner.segment(segment, from, to);
    if (ends.length === 1) this.#waits.fill(ends[0]!, from, to);
    else {
      const { states } = this.#areas;
      this.#waits.set(new Int32Array(this.#runner.buffer(), states + 4 * from, to - from), from);
    }
  }

  #resolve(): void {
    for (let first = 0; first < this.#waits.length; first += WARP) this.#resolveWarp(first);
    this.#resolveBarriers();
    // Last: only lanes that nothing else lets go on are the mask.
    for (let first = 0; first < this.#waits.length; first += WARP) this.#resolveActiveMask(first);
    if (this.#hasTurns) this.#endTurns();
  }

  /** Threads that let others run go on in the next round. */
  #endTurns(): void {
    for (let thread = 0; thread < this.#waits.length; thread++) {
      if (this.#planOf(thread)?.kind === "turn") this.#release(thread);
    }
  }

  #resolveWarp(first: number): void {
    const waits = this.#waits;
    const count = Math.min(WARP, waits.length - first);
    let alive = 0;
    for (let lane = 0; lane < count; lane++) if (waits[first + lane] !== EXITED) alive |= 1 << lane;
    for (let lane = 0; lane < count; lane++) {
      const plan = this.#planOf(first + lane);
      if (plan?.kind !== "warp") continue;
      const mask = this.#maskOf(plan, first + lane);
      if (((mask >>> lane) & 1) === 0) {
        throw this.#runner.stop("TRAP", strangerProblem(lane, mask), plan.step, first + lane);
      }
      const lanes = this.#lanesOf(mask & alive);
      const { opcode } = plan.step.source;
      const complete = lanes.every((other) => {
        const otherPlan = this.#planOf(first + other);
        return otherPlan?.step.source.opcode === opcode && this.#maskOf(otherPlan, first + other) === mask;
      });
      if (!complete) continue;
      this.#operate(plan, first, lanes);
    }
  }

  /** What a thread waits for; undefined when it can go on or is done. */
  #planOf(thread: number): WaitPlan | undefined {
    const wait = this.#waits[thread]!;
    return wait < 0 ? undefined : this.#plans[wait];
  }

  #lanesOf(mask: number): number[] {
    const lanes: number[] = [];
    for (let rest = mask; rest !== 0; rest &= rest - 1) lanes.push(31 - Math.clz32(rest & -rest));
    return lanes;
  }

  #maskOf({ step, mask, constantMask }: WaitPlan, thread: number): number {
    if (mask === undefined) return -1;
    if (constantMask !== undefined) return constantMask;
    const quick = this.#fast.mask(this.#words, this.#waits[thread]!, thread);
    if (quick !== undefined) return quick;
    return Number(BigInt.asIntN(32, this.#saved.read(step, step.source.operands[mask]!, "b32", thread)));
  }

  /** Whether all lanes wait at one place for something that has a quick way; then it is done. */
  #operateFast(first: number, lanes: readonly number[]): boolean {
    const wait = this.#waits[first + lanes[0]!]!;
    let mask = 0;
    for (const lane of lanes) {
      if (this.#waits[first + lane] !== wait) return false;
      mask |= 1 << lane;
    }
    return this.#fast.warp(this.#words, wait, first, mask);
  }

  #operate({ evaluate, move, mask, step }: WaitPlan, first: number, lanes: readonly number[]): void {
    if (mask === undefined && lanes.length < WARP) {
      const detail = `expected all ${WARP} lanes of the warp, found ${lanes.length}`;
      throw this.#runner.stop("TRAP", detail, step, first + lanes[0]!);
    }
    if (move !== undefined) move(first, this.#saved, this.#runner);
    else if (!this.#operateFast(first, lanes)) {
      const steps = lanes.map((lane) => this.#plans[this.#waits[first + lane]!]!.step);
      const sources = lanes.map((lane, i) => this.#saved.sources(steps[i]!, first + lane));
      const results = evaluate!(lanes, sources);
      lanes.forEach((lane, i) => {
        this.#saved.write(steps[i]!, first + lane, results[i]!);
      });
    }
    for (const lane of lanes) this.#release(first + lane);
  }

  #release(thread: number): void {
    this.#resume[thread] = this.#waits[thread]!;
    this.#waits[thread] = READY;
  }

  /** Lanes that wait at the same `activemask` when none of their warp can go on otherwise. */
  #resolveActiveMask(first: number): void {
    const waits = this.#waits;
    const count = Math.min(WARP, waits.length - first);
    if (waits.subarray(first, first + count).includes(READY)) return;
    for (let lane = 0; lane < count; lane++) {
      const plan = this.#planOf(first + lane);
      if (plan?.kind !== "activemask") continue;
      const lanes = [...Array(count).keys()].filter(
        (other) => this.#planOf(first + other)?.step.source === plan.step.source,
      );
      const mask = lanes.reduce((sum, other) => sum | (1 << other), 0);
      for (const other of lanes) {
        this.#saved.write(this.#planOf(first + other)!.step, first + other, [BigInt(mask >>> 0)]);
        this.#release(first + other);
      }
    }
  }

  #resolveBarriers(): void {
    const waits = this.#waits;
    const waiting = new Map<number, number[]>();
    for (let thread = 0; thread < waits.length; thread++) {
      const plan = this.#planOf(thread);
      if (plan?.kind !== "barrier") continue;
      const [barrier, count] = this.#barrierOperands(thread);
      const problem = barrierProblem(barrier, count);
      if (problem !== undefined) throw this.#runner.stop("TRAP", problem, plan.step, thread);
      if (plan.step.words.has("arrive")) {
        const known = this.#arrived.get(barrier);
        if (known === undefined) this.#arrived.set(barrier, { threads: new Set([thread]), count });
        else known.threads.add(thread);
        this.#release(thread);
      } else {
        const known = waiting.get(barrier);
        if (known === undefined) waiting.set(barrier, [thread]);
        else known.push(thread);
      }
    }
    for (const barrier of [...new Set([...waiting.keys(), ...this.#arrived.keys()])].sort((a, b) => a - b)) {
      const threads = waiting.get(barrier) ?? [];
      const arrived = this.#arrived.get(barrier);
      const here = new Set([...threads, ...(arrived?.threads ?? [])]);
      const count = threads[0] === undefined ? arrived?.count : this.#barrierOperands(threads[0])[1];
      const isComplete = isBarrierComplete(
        waits.length,
        count,
        (thread) => here.has(thread),
        (thread) => waits[thread] === EXITED,
      );
      if (!isComplete) continue;
      this.#arrived.delete(barrier);
      this.#reduceBarrier(threads);
      for (const thread of threads) this.#release(thread);
    }
  }

  #barrierOperands(thread: number): readonly [barrier: number, count: number | undefined] {
    const { step } = this.#plans[this.#waits[thread]!]!;
    const { operands, operandTypes, results } = step.source;
    const of = (i: number) => {
      const operand = operands[results + i];
      if (operand === undefined || operand.kind === "sink") return undefined;
      return Number(this.#saved.read(step, operand, operandTypes[results + i], thread));
    };
    return [of(0)!, of(1)];
  }

  /** `bar.red`: the predicates of all threads that wait, combined. */
  #reduceBarrier(threads: readonly number[]): void {
    const values = threads.map((thread) => {
      const { step } = this.#plans[this.#waits[thread]!]!;
      const { operands, results } = step.source;
      return results > 0 && this.#saved.read(step, operands.at(-1)!, "pred", thread) === 1n;
    });
    for (const thread of threads) {
      const { step } = this.#plans[this.#waits[thread]!]!;
      if (step.source.results === 0) continue;
      const modifiers = Object.values(step.source.modifiers);
      const holds = values.filter(Boolean).length;
      const result = modifiers.includes("popc")
        ? holds
        : Number(modifiers.includes("and") ? holds === values.length : holds > 0);
      this.#saved.write(step, thread, [BigInt(result)]);
    }
  }

  #describe(plan: WaitPlan, thread: number): string {
    if (plan.kind === "barrier") return barrierWait(...this.#barrierOperands(thread));
    if (plan.kind === "activemask") return ACTIVE_MASK_WAIT;
    return warpWait(plan.step.source.opcode, this.#maskOf(plan, thread));
  }
}

/** The state of a thread that can go on. */
const READY = -2;

/** Whether the lanes of a warp wait for each other at a step. */
export const isWarpOperation = (step: Step): boolean => waitKind(step) === "warp";

function waitKind({ source: { name }, words }: Step): WaitPlan["kind"] {
  if (name === "activemask" || name === "turn") return name;
  return name === "barrier" || (name === "bar" && !words.has("warp")) ? "barrier" : "warp";
}

function planOf(step: Step, { kernel, host }: Translation): WaitPlan {
  const kind = waitKind(step);
  const hasMask = kind === "warp" && !step.words.has("aligned");
  const mask = step.source.operands.at(-1);
  return {
    step,
    kind,
    evaluate: kind === "warp" ? host!.warpEvaluator(step.source) : undefined,
    move: matrixMove(step, kernel) ?? fragmentMove(step, kernel),
    mask: hasMask ? step.source.operands.length - 1 : undefined,
    constantMask: mask?.kind === "immediate" ? Number(BigInt.asIntN(WARP, mask.bits)) : undefined,
  };
}
