// What the functions of a segment have in common, whether they run threads one by one or four at once: the loop over threads,
// the fuel, and what is known of the segment's registers.

import type { Distances } from "../control/distances.js";
import type { Recipe } from "../control/facts.js";
import { type BlockEnd, type Graph, type Step, successors } from "../control/graph.js";
import type { Liveness } from "../control/liveness.js";
import { type FlowOrder, flowOrder } from "../control/order.js";
import { isTurn } from "../control/turns.js";
import { Code, type Label } from "./binary/code.js";
import type { Emitter, KernelFacts, ThreadLocals } from "./emit/emitter.js";
import { checkFuel } from "./fuel.js";

/** Threads that a slot of a frame has room for: the most of a block. */
export const MAX_THREADS = 1024;
/** The state of a thread that is done; others are numbers of waits. */
export const EXITED = -1;
/** Ends with a bit of their own in a segment's result; the last bit stands for all others. */
export const MOST_ENDS = 31;

/** What all segments of a kernel know. */
export interface SegmentPlan {
  readonly graph: Graph;
  readonly facts: KernelFacts;
  readonly live: Liveness;
  readonly recipes: ReadonlyMap<number, Recipe>;
  /** By register: where its values begin in a frame; undefined for those that are not saved. */
  readonly slots: ReadonlyMap<number, number>;
  /** How far values of neighbouring threads are apart where all threads wait together. */
  readonly distances: Distances;
  /** Blocks from which threads of a group that part go on one by one. */
  readonly partings: ReadonlySet<number>;
}

/** A segment in WebAssembly: takes the first and the last thread's number plus one, gives which of its ends were met, as bits. */
export interface Segment {
  readonly code: Code;
  /** How threads leave it: numbers of waits, or {@link EXITED}. Bit i of the result is end i; bit 31 any beyond the 31st. */
  readonly ends: readonly number[];
}

export abstract class SegmentBase {
  protected readonly plan: SegmentPlan;
  protected readonly entry: number;
  protected readonly code = new Code(2);
  protected readonly flow: FlowOrder;
  /** All steps of the segment, those that end blocks too. */
  protected readonly steps: readonly Step[];
  protected readonly thread: ThreadLocals;
  /** The thread's number at which the function ends. */
  protected readonly last = 1;
  protected readonly seen: number;
  protected readonly ends: readonly number[];
  protected next: Label | undefined;

  /** @param ends those of the segment that this one is a part of; its own by default */
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

  /** What a thread's state is when it leaves by an end. */
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

  /** Registers that the segment may write; others are in their slots as they were. */
  protected written(): ReadonlySet<number> {
    const written = new Set<number>();
    for (const block of this.flow.order) {
      for (const { writes } of this.plan.graph.blocks[block]!.steps) {
        for (const register of writes) written.add(register);
      }
    }
    return written;
  }

  /** Registers that come out of their slots at the beginning. */
  protected restored(): readonly number[] {
    if (this.entry === 0) return [];
    const touched = this.touched();
    const { live, slots, recipes } = this.plan;
    return live.before
      .members(this.entry)
      .filter((register) => slots.has(register) && touched.has(register) && !recipes.has(register));
  }

  /** Registers that a block that ends with a wait puts into their slots. */
  protected saved(block: number, step: Step): readonly number[] {
    const { live, slots, recipes } = this.plan;
    const written = this.written();
    const alive = live.after
      .members(block)
      .filter((register) => !step.writes.includes(register) && !recipes.has(register));
    return [...new Set([...alive, ...step.reads])].filter((register) => {
      const isSaved = this.entry !== 0 && live.before.has(this.entry, register) && !recipes.has(register);
      return slots.has(register) && (!isSaved || written.has(register));
    });
  }

  /** Registers of a thread that are computed again at the beginning, each behind its inputs. */
  protected rebuilt(): readonly number[] {
    const { live, recipes } = this.plan;
    const needed = new Set<number>();
    if (this.entry === 0) return [];
    const touched = this.touched();
    const need = (register: number) => {
      const recipe = recipes.get(register);
      if (recipe === undefined || recipe.uniform || needed.has(register)) return;
      recipe.inputs.forEach(need);
      needed.add(register);
    };
    for (const register of live.before.members(this.entry)) if (touched.has(register)) need(register);
    return [...needed];
  }

  /** Registers that are the same for all threads and are computed once, before the first, each behind its inputs. */
  protected computedOnce(): readonly number[] {
    const { recipes } = this.plan;
    const needed = new Set<number>();
    const need = (register: number) => {
      const recipe = recipes.get(register);
      if (recipe === undefined || !recipe.uniform || needed.has(register)) return;
      recipe.inputs.forEach(need);
      needed.add(register);
    };
    this.steps.forEach(({ reads }) => void reads.forEach(need));
    for (const register of this.rebuilt()) this.plan.recipes.get(register)!.inputs.forEach(need);
    return [...needed];
  }

  /** Sets the thread's index from its number, and takes the fuel for all threads' way through. */
  protected startThreads(emitter: Emitter): void {
    const { code } = this;
    const { globals } = this.plan.facts.module;
    const { thread, tidX, tidY, tidZ, fuel } = this.thread;
    // Most often it is the first thread, whose index is 0 as locals are.
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

  /** A thread, or a group of them, begins. */
  protected startThread(): void {
    const { rounds } = this.thread;
    if (rounds !== undefined) this.code.i32(0).set(rounds);
  }

  /** Behind the last thread of a row the next row begins. */
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

  /** Puts the address of a thread's place in a slot at the frame's beginning on the stack. */
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
