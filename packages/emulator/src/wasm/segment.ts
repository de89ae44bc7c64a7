// One function of a translated kernel: from the kernel's beginning, or from behind an instruction at which threads wait, to
// the next such instruction or the thread's end, for a range of threads. What is alive where threads wait is saved register by
// register, side by side for all threads.

import type { Recipe } from "../control/facts.js";
import { type BlockEnd, type Graph, type Step, successors } from "../control/graph.js";
import { assignLocals, bytesOf, type Liveness } from "../control/liveness.js";
import { type FlowOrder, flowOrder } from "../control/order.js";
import { writeStructured } from "../control/structure.js";
import { Code, type Label } from "./binary/code.js";
import { Emitter, type KernelFacts, type ThreadLocals } from "./emit/emitter.js";
import { writeStep } from "./emit/table.js";

/** Threads that a slot of a frame has room for: the most of a block. */
export const MAX_THREADS = 1024;
/** The state of a thread that is done; others are numbers of waits. */
export const EXITED = -1;

/** What all segments of a kernel know. */
export interface SegmentPlan {
  readonly graph: Graph;
  readonly facts: KernelFacts;
  readonly live: Liveness;
  readonly recipes: ReadonlyMap<number, Recipe>;
  /** By register: where its values begin in a frame; undefined for those that are not saved. */
  readonly slots: ReadonlyMap<number, number>;
}

/** A segment in WebAssembly: takes the first and the last thread's number plus one, gives which of its ends were met, as bits. */
export interface Segment {
  readonly code: Code;
  /** How threads leave it: numbers of waits, or {@link EXITED}. Bit i of the result is end i; bit 31 any beyond the 31st. */
  readonly ends: readonly number[];
}

const MOST_ENDS = 31;

/** Makes the function of the segment that begins with a block. */
export function writeSegment(plan: SegmentPlan, entry: number): Segment {
  return new SegmentWriter(plan, entry).write();
}

class SegmentWriter {
  readonly #plan: SegmentPlan;
  readonly #entry: number;
  readonly #code = new Code(2);
  readonly #flow: FlowOrder;
  readonly #thread: ThreadLocals;
  readonly #end = 1;
  readonly #seen: number;
  readonly #emitter: Emitter;
  readonly #ends: number[] = [];
  /** Registers that are computed once for all threads, before the first. */
  readonly #atStart = new Set<number>();
  #next: Label | undefined;

  constructor(plan: SegmentPlan, entry: number) {
    this.#plan = plan;
    this.#entry = entry;
    const { graph, facts, live } = plan;
    const code = this.#code;
    this.#flow = flowOrder(entry, graph.blocks.length, (block) => successors(graph.blocks[block]!.end));
    this.#thread = {
      thread: 0,
      tidX: code.local("i32"),
      tidY: code.local("i32"),
      tidZ: code.local("i32"),
      fuel: code.local("i32"),
    };
    this.#seen = code.local("i32");
    const locals = assignLocals(
      graph,
      this.#flow,
      live,
      (register) => facts.types[register]!,
      (register) => code.local(facts.types[register]!),
    );
    this.#emitter = new Emitter(code, facts, this.#thread, locals);
    for (const block of this.#flow.order) {
      const { end } = graph.blocks[block]!;
      const leaves =
        end.kind === "exit" ? EXITED : end.kind === "wait" ? this.#waitNumber(end.step) : undefined;
      if (leaves !== undefined && !this.#ends.includes(leaves)) this.#ends.push(leaves);
    }
  }

  write(): Segment {
    const code = this.#code;
    this.#startUniform();
    this.#startThreads();
    const loop = code.loop();
    this.#next = code.block();
    this.#startThread();
    writeStructured(code, this.#flow, {
      end: (block) => this.#plan.graph.blocks[block]!.end,
      steps: (block) => this.#steps(block),
      condition: (block) => this.#condition(block),
      selector: (block) => {
        const { step } = this.#stepOf(block);
        this.#emitter.push(step, step.source.results);
      },
      leave: (block) => this.#leave(block),
      again: (from, header) => this.#again(from, header),
    });
    code.end();
    this.#nextThread(loop);
    code.end();
    code.get(this.#thread.fuel).setGlobal(this.#plan.facts.module.globals.fuel);
    code.get(this.#seen);
    return { code, ends: this.#ends };
  }

  /** Code for registers that are the same for all threads: once, before the first thread. */
  #startUniform(): void {
    const { recipes, facts } = this.#plan;
    const needed = new Set<number>();
    const need = (register: number) => {
      const recipe = recipes.get(register);
      if (recipe === undefined || !recipe.uniform || needed.has(register)) return;
      recipe.inputs.forEach(need);
      needed.add(register);
    };
    for (const block of this.#flow.order) {
      const { steps, end } = this.#plan.graph.blocks[block]!;
      for (const { reads } of steps) reads.forEach(need);
      if ("step" in end) end.step.reads.forEach(need);
    }
    for (const register of this.#rebuilt()) for (const input of recipes.get(register)!.inputs) need(input);
    for (const register of needed) {
      this.#emitter.locals[register] = this.#code.local(facts.types[register]!);
      this.#atStart.add(register);
      this.#code.atStart(() => writeStep(this.#emitter, recipes.get(register)!.step));
    }
  }

  #startThreads(): void {
    const code = this.#code;
    const { module } = this.#plan.facts;
    const { thread, tidX, tidY, tidZ, fuel } = this.#thread;
    const global = (name: "ntidX" | "ntidY") => code.getGlobal(module.globals[name]);
    code.get(thread);
    global("ntidX");
    code.op("i32.rem_u").set(tidX);
    code.get(thread);
    global("ntidX");
    code.op("i32.div_u").tee(tidZ);
    global("ntidY");
    code.op("i32.rem_u").set(tidY);
    code.get(tidZ);
    global("ntidY");
    code.op("i32.div_u").set(tidZ);
    const count = this.#flow.order.reduce(
      (sum, block) => sum + this.#plan.graph.blocks[block]!.steps.length + 1,
      0,
    );
    code.getGlobal(module.globals.fuel);
    code.get(this.#end).get(thread).op("i32.sub").i32(count).op("i32.mul").op("i32.sub").set(fuel);
    this.#checkFuel(undefined);
  }

  #checkFuel(loop: { first: Step; last: Step } | undefined): void {
    const code = this.#code;
    const { module } = this.#plan.facts;
    const { fuel } = this.#thread;
    code.get(fuel).i32(0).op("i32.lt_s").if();
    const site = this.#emitter.site(
      loop === undefined
        ? {}
        : {
            loop: { function: loop.first.context.function, first: loop.first.index, last: loop.last.index },
          },
    );
    code.i32(site).get(fuel).call(module.imports.refuel).set(fuel).end();
  }

  /** To the next thread, or out of the loop. */
  #nextThread(loop: Label): void {
    const code = this.#code;
    const { thread, tidX, tidY, tidZ } = this.#thread;
    code.get(tidX).i32(1).op("i32.add").tee(tidX);
    this.#emitter.global("ntidX");
    code.op("i32.eq").if();
    code.i32(0).set(tidX).get(tidY).i32(1).op("i32.add").tee(tidY);
    this.#emitter.global("ntidY");
    code.op("i32.eq").if();
    code.i32(0).set(tidY).get(tidZ).i32(1).op("i32.add").set(tidZ);
    code.end().end();
    code.get(thread).i32(1).op("i32.add").tee(thread).get(this.#end).op("i32.lt_u").brIf(loop);
  }

  /** Brings back what a thread had when it began to wait. */
  #startThread(): void {
    if (this.#entry === 0) return;
    const { facts, live, slots } = this.#plan;
    const touched = this.#touched();
    for (const register of live.before.members(this.#entry)) {
      const slot = slots.get(register);
      if (slot === undefined || !touched.has(register)) continue;
      const type = facts.types[register]!;
      this.#emitter.setRegister(register, () => {
        this.#frameAddress(bytesOf(type));
        this.#code.memory(`${type}.load` as "i32.load", slot);
      });
    }
    this.#rebuild();
  }

  /** Registers that the segment reads or writes, or computes again for a thread. */
  #touched(): Set<number> {
    const touched = new Set<number>();
    for (const block of this.#flow.order) {
      const { steps, end } = this.#plan.graph.blocks[block]!;
      for (const { reads, writes } of "step" in end ? [...steps, end.step] : steps) {
        for (const register of reads) touched.add(register);
        for (const register of writes) touched.add(register);
      }
    }
    return touched;
  }

  /** Registers of the thread that are computed again at the beginning, each behind its inputs. */
  #rebuilt(): Set<number> {
    const { live, recipes } = this.#plan;
    const needed = new Set<number>();
    if (this.#entry === 0) return needed;
    const touched = this.#touched();
    const need = (register: number) => {
      const recipe = recipes.get(register);
      if (recipe === undefined || recipe.uniform || needed.has(register)) return;
      recipe.inputs.forEach(need);
      needed.add(register);
    };
    for (const register of live.before.members(this.#entry)) if (touched.has(register)) need(register);
    return needed;
  }

  #rebuild(): void {
    const { live, recipes, facts } = this.#plan;
    const { locals } = this.#emitter;
    const kept: [number, number][] = [];
    for (const register of this.#rebuilt()) {
      // One that is not alive here may share its local with one that is.
      if (!live.before.has(this.#entry, register)) {
        kept.push([register, locals[register]!]);
        locals[register] = this.#code.local(facts.types[register]!);
      }
      writeStep(this.#emitter, recipes.get(register)!.step);
    }
    for (const [register, local] of kept) locals[register] = local;
  }

  #steps(block: number): void {
    for (const step of this.#plan.graph.blocks[block]!.steps) {
      if (step.writes.length === 1 && this.#atStart.has(step.writes[0]!)) continue;
      const { guard } = step.source;
      if (guard === undefined) {
        writeStep(this.#emitter, step);
        continue;
      }
      this.#pushGuard(step);
      this.#code.if();
      writeStep(this.#emitter, step);
      this.#code.end();
    }
  }

  #pushGuard({ source, context }: Step): void {
    const { register, negated } = source.guard!;
    this.#emitter.getRegister(context.registerBase + register);
    if (negated) this.#code.op("i32.eqz");
  }

  #stepOf(block: number): { step: Step } {
    return this.#plan.graph.blocks[block]!.end as Extract<BlockEnd, { step: Step }>;
  }

  #condition(block: number): void {
    this.#pushGuard(this.#stepOf(block).step);
  }

  #waitNumber(step: Step): number {
    return this.#plan.graph.waits.findIndex((wait) => wait.step === step);
  }

  /** The thread waits or exits: what it needs later is saved, and where it is. */
  #leave(block: number): void {
    const code = this.#code;
    const { end } = this.#plan.graph.blocks[block]!;
    const state = end.kind === "wait" ? this.#waitNumber(end.step) : EXITED;
    if (end.kind === "wait") this.#save(block, end.step);
    if (this.#ends.length > 1) {
      this.#emitter.global("states");
      this.#emitter.threadNumber();
      code.i32(2).op("i32.shl").op("i32.add").i32(state).memory("i32.store");
    }
    const bit = Math.min(this.#ends.indexOf(state), MOST_ENDS);
    code
      .get(this.#seen)
      .i32(1 << bit)
      .op("i32.or")
      .set(this.#seen)
      .br(this.#next!);
  }

  #save(block: number, step: Step): void {
    const { facts, live, slots } = this.#plan;
    const written = this.#written();
    const observed = new Set(step.reads);
    const alive = new Set([
      ...live.after.members(block).filter((register) => !step.writes.includes(register)),
      ...observed,
    ]);
    for (const register of alive) {
      const slot = slots.get(register);
      if (
        slot === undefined ||
        (this.#entry !== 0 && !written.has(register) && live.before.has(this.#entry, register))
      ) {
        continue;
      }
      const type = facts.types[register]!;
      this.#frameAddress(bytesOf(type));
      this.#emitter.getRegister(register);
      if (observed.has(register) && facts.anyNaN[register] === 1) this.#emitter.canonical();
      this.#code.memory(`${type}.store` as "i32.store", slot);
    }
  }

  /** Registers that the segment may write; others are in their slots as they were. */
  #written(): Set<number> {
    const written = new Set<number>();
    for (const block of this.#flow.order) {
      const { steps } = this.#plan.graph.blocks[block]!;
      for (const { writes } of steps) for (const register of writes) written.add(register);
    }
    return written;
  }

  /** Puts the address of the thread's place in a slot at the frame's beginning on the stack. */
  #frameAddress(bytes: 4 | 8): void {
    this.#emitter.global("frame");
    this.#emitter.threadNumber();
    this.#code
      .i32(bytes === 4 ? 2 : 3)
      .op("i32.shl")
      .op("i32.add");
  }

  #again(from: number, header: number): void {
    const { place, order } = this.#flow;
    const { blocks } = this.#plan.graph;
    const body = order.slice(place[header]!, place[from]! + 1);
    const steps = body.flatMap((block) => {
      const { steps: inside, end } = blocks[block]!;
      return "step" in end ? [...inside, end.step] : inside;
    });
    const { fuel } = this.#thread;
    const code = this.#code;
    code.get(fuel).i32(Math.max(steps.length, 1)).op("i32.sub").set(fuel);
    const context = steps[0]?.context;
    const inside = steps.filter((step) => step.context === context).sort((a, b) => a.index - b.index);
    const [first, last] = [inside[0], inside.at(-1)];
    this.#checkFuel(first === undefined || last === undefined ? undefined : { first, last });
  }
}
