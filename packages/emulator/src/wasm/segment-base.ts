// The common part of a segment's functions, whether they run threads one by one or four at once: the loop over threads,
// the fuel, and the facts about the segment's registers.

import type { Rematerialization } from "../control/facts.js";
import { type BlockEnd, type Graph, successors } from "../control/graph.js";
import type { LaneStrides } from "../control/lane-strides.js";
import type { Liveness } from "../control/liveness.js";
import { type FlowOrder, flowOrder } from "../control/order.js";
import type { Step } from "../control/step.js";
import { isTurn } from "../control/turns.js";
import { Code, type Label } from "./binary/code.js";
import type { Emitter } from "./emit/emitter.js";
import type { KernelFacts, ThreadLocals } from "./emit/facts.js";
import { writeStep } from "./emit/table.js";
import { checkFuel } from "./fuel.js";

/** The threads that a frame slot has room for: the most threads of a block. */
export const MAX_THREADS = 1024;
/** The state of a thread that is done. Other states are numbers of waits. */
export const EXITED = -1;
/** The number of ends that have a separate bit in a segment's result. The last bit stands for all others. */
export const MOST_ENDS = 31;

/** The facts that all segments of a kernel share. */
export interface SegmentPlan {
  readonly graph: Graph;
  readonly facts: KernelFacts;
  readonly live: Liveness;
  readonly rematerializable: ReadonlyMap<number, Rematerialization>;
  /** For each register, where its values begin in a frame; undefined for registers that are not saved. */
  readonly slots: ReadonlyMap<number, number>;
  /**
   * Registers that are read where threads wait. The engine that carries out the wait may examine the bits of NaNs, so
   * their NaNs are canonical in the frame, whenever they were saved.
   */
  readonly observed: ReadonlySet<number>;
  /** The strides of registers between neighbouring threads where all threads wait together. */
  readonly strides: LaneStrides;
  /** Blocks from which the threads of a group continue one by one after they diverge. */
  readonly divergencePoints: ReadonlySet<number>;
}

/**
 * A segment in WebAssembly. Its function takes the first thread and the one after the last, and returns the ends that
 * were reached as bits.
 */
export interface Segment {
  readonly code: Code;
  /**
   * How threads leave it: numbers of waits, or {@link EXITED}. Bit i of the result is end i; bit 31 is any end beyond
   * the 31st.
   */
  readonly ends: readonly number[];
}

export abstract class SegmentBase {
  protected readonly plan: SegmentPlan;
  protected readonly entry: number;
  protected readonly code = new Code(2);
  protected readonly flow: FlowOrder;
  /** All steps of the segment, including those that end blocks. */
  protected readonly steps: readonly Step[];
  protected readonly thread: ThreadLocals;
  /** The local that holds the thread number at which the function ends. */
  protected readonly last = 1;
  protected readonly seen: number;
  protected readonly ends: readonly number[];
  protected next: Label | undefined;

  /** @param ends the ends of the segment that this one is a part of; by default, the segment's own */
  constructor(plan: SegmentPlan, entry: number, ends?: readonly number[]) {
    this.plan = plan;
    this.entry = entry;
    const { graph } = plan;
    const { code } = this;
    this.flow = flowOrder(entry, graph.blocks.length, (block) => successors(graph.blocks[block]!.end));
    this.thread = {
      thread: 0,
      tidX: code.local("i32"),
      tidY: code.local("i32"),
      tidZ: code.local("i32"),
      fuel: code.local("i32"),
      rounds: graph.waits.some(({ step }) => isTurn(step)) ? code.local("i32") : undefined,
    };
    this.seen = code.local("i32");
    const steps: Step[] = [];
    const found = new Set<number>();
    for (const block of this.flow.order) {
      const { steps: own, end } = graph.blocks[block]!;
      for (let i = 0; i < own.length; i++) steps.push(own[i]!);
      if ("step" in end) steps.push(end.step);
      if (end.kind === "exit" || end.kind === "wait") found.add(this.stateOf(end));
    }
    this.steps = steps;
    this.ends = ends ?? [...found];
  }

  /** The state of a thread that leaves through an end. */
  protected stateOf(end: BlockEnd): number {
    return end.kind === "wait" ? this.plan.graph.waits.findIndex(({ step }) => step === end.step) : EXITED;
  }

  /** Registers that the segment reads or writes. */
  protected touched(): ReadonlySet<number> {
    const touched = new Set<number>();
    for (const { reads, writes } of this.steps) {
      for (const register of reads) touched.add(register);
      for (const register of writes) touched.add(register);
    }
    return touched;
  }

  /** Registers that the segment may write. All others are unchanged in their slots. */
  protected written(): ReadonlySet<number> {
    const written = new Set<number>();
    for (const block of this.flow.order) {
      for (const { writes } of this.plan.graph.blocks[block]!.steps) {
        for (const register of writes) written.add(register);
      }
    }
    return written;
  }

  /** Registers that are loaded from their slots at the beginning. */
  protected restored(): readonly number[] {
    if (this.entry === 0) return [];
    const touched = this.touched();
    const { live, slots, rematerializable } = this.plan;
    return live.before
      .members(this.entry)
      .filter((register) => slots.has(register) && touched.has(register) && !rematerializable.has(register));
  }

  /** Registers that are stored to their slots by a block that ends with a wait. */
  protected saved(block: number, step: Step): readonly number[] {
    const { live, slots, rematerializable } = this.plan;
    const written = this.written();
    const alive = live.after
      .members(block)
      .filter((register) => !step.writes.includes(register) && !rematerializable.has(register));
    return [...new Set([...alive, ...step.reads])].filter((register) => {
      const isSaved =
        this.entry !== 0 && live.before.has(this.entry, register) && !rematerializable.has(register);
      return slots.has(register) && (!isSaved || written.has(register));
    });
  }

  /** Whether a register may hold a NaN that has to become canonical before it is saved. */
  protected needsCanonical(register: number): boolean {
    return this.plan.facts.anyNaN[register] === 1 && this.plan.observed.has(register);
  }

  /** Registers of a thread that are rematerialized at the beginning, each after its inputs. */
  protected rematerialized(): readonly number[] {
    const { live, rematerializable } = this.plan;
    const needed = new Set<number>();
    if (this.entry === 0) return [];
    const touched = this.touched();
    const need = (register: number) => {
      const rematerialization = rematerializable.get(register);
      if (rematerialization === undefined || rematerialization.uniform || needed.has(register)) return;
      rematerialization.inputs.forEach(need);
      needed.add(register);
    };
    for (const register of live.before.members(this.entry)) if (touched.has(register)) need(register);
    return [...needed];
  }

  /**
   * Registers that are the same for all threads and are computed once before the first thread, each after its inputs.
   */
  protected computedOnce(): readonly number[] {
    const { rematerializable } = this.plan;
    const needed = new Set<number>();
    const need = (register: number) => {
      const rematerialization = rematerializable.get(register);
      if (rematerialization === undefined || !rematerialization.uniform || needed.has(register)) return;
      rematerialization.inputs.forEach(need);
      needed.add(register);
    };
    this.steps.forEach(({ reads }) => void reads.forEach(need));
    for (const register of this.rematerialized())
      this.plan.rematerializable.get(register)!.inputs.forEach(need);
    return [...needed];
  }

  /**
   * Computes one of these registers at the start of the function, in a local of its own. A load of a vector writes others,
   * too, which may have no local in this segment, or one for several threads.
   */
  protected computeOnce(emitter: Emitter, register: number): void {
    const { rematerializable, facts } = this.plan;
    const { step } = rematerializable.get(register)!;
    const before = step.writes.map((written) => [written, emitter.locals[written]!] as const);
    for (const written of step.writes) emitter.locals[written] = this.code.local(facts.types[written]!);
    this.code.atStart(() => writeStep(emitter, step));
    for (const [written, local] of before) if (written !== register) emitter.locals[written] = local;
  }

  /** Derives the thread's index from its number, and takes the fuel for all threads' passes. */
  protected startThreads(emitter: Emitter): void {
    const { code } = this;
    const { globals } = this.plan.facts.module;
    const { thread, tidX, tidY, tidZ, fuel } = this.thread;
    // Usually it is the first thread, whose index is 0, the initial value of locals.
    code.get(thread).if();
    code.get(thread).getGlobal(globals.ntidX).op("i32.rem_u").set(tidX);
    code.get(thread).getGlobal(globals.ntidX).op("i32.div_u").tee(tidZ);
    code.getGlobal(globals.ntidY).op("i32.rem_u").set(tidY);
    code.get(tidZ).getGlobal(globals.ntidY).op("i32.div_u").set(tidZ).end();
    const count = this.steps.length + 1;
    code.getGlobal(globals.fuel);
    code.get(this.last).get(thread).op("i32.sub").i32(count).op("i32.mul").op("i32.sub").set(fuel);
    checkFuel(emitter, { entry: this.entry });
  }

  /** Called where a thread, or a group of threads, begins. */
  protected startThread(): void {
    const { rounds } = this.thread;
    if (rounds !== undefined) this.code.i32(0).set(rounds);
  }

  /** After the last thread of a row, the next row begins. */
  protected nextRow(emitter: Emitter): void {
    const { code } = this;
    const { tidX, tidY, tidZ } = this.thread;
    code.get(tidX);
    emitter.global("ntidX");
    code.op("i32.eq").if();
    code.i32(0).set(tidX).get(tidY).i32(1).op("i32.add").tee(tidY);
    emitter.global("ntidY");
    code.op("i32.eq").if();
    code.i32(0).set(tidY).get(tidZ).i32(1).op("i32.add").set(tidZ);
    code.end().end();
  }

  protected markSeen(state: number): void {
    const bit = Math.min(this.ends.indexOf(state), MOST_ENDS);
    this.code
      .get(this.seen)
      .i32(1 << bit)
      .op("i32.or")
      .set(this.seen)
      .br(this.next!);
  }

  /** Pushes the address of a thread's element in a slot at the frame's beginning. */
  protected frameAddress(emitter: Emitter, bytes: 4 | 8): void {
    emitter.global("frame");
    this.code
      .get(this.thread.thread)
      .i32(bytes === 4 ? 2 : 3)
      .op("i32.shl")
      .op("i32.add");
  }

  protected stateAddress(emitter: Emitter): void {
    emitter.global("states");
    this.code.get(this.thread.thread).i32(2).op("i32.shl").op("i32.add");
  }

  protected endOf(block: number): BlockEnd {
    return this.plan.graph.blocks[block]!.end;
  }

  protected finish(): Segment {
    const { code } = this;
    code.get(this.thread.fuel).setGlobal(this.plan.facts.module.globals.fuel);
    code.get(this.seen);
    return { code, ends: this.ends };
  }
}
