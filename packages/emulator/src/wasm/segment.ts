// Generates one function of a translated kernel. For a range of threads, it runs from the kernel's beginning, or from
// after an instruction at which threads wait, to the next such instruction or the thread's end. Registers that are live
// where threads wait are saved as arrays over all threads.

import { assignLocals, bytesOf } from "../control/liveness.js";
import type { Step } from "../control/step.js";
import { Emitter } from "./emit/emitter.js";
import { writeStep } from "./emit/table.js";
import { writeScalarFlow } from "./scalar-flow.js";
import { type Segment, SegmentBase, type SegmentPlan } from "./segment-base.js";

/**
 * Generates the function of the segment that begins with a block.
 *
 * @param ends the ends of the segment that it is a part of; by default, its own
 */
export function writeSegment(plan: SegmentPlan, entry: number, ends?: readonly number[]): Segment {
  return new SegmentWriter(plan, entry, ends).write();
}

class SegmentWriter extends SegmentBase {
  readonly #emitter: Emitter;
  /** Registers that are computed once for all threads, before the first. */
  readonly #once = new Set<number>();

  constructor(plan: SegmentPlan, entry: number, ends?: readonly number[]) {
    super(plan, entry, ends);
    const { graph, facts, live } = plan;
    const { code } = this;
    const locals = assignLocals(
      graph,
      this.flow,
      live,
      (register) => facts.types[register]!,
      (register) => code.local(facts.types[register]!),
    );
    this.#emitter = new Emitter(code, facts, this.thread, locals);
  }

  write(): Segment {
    const { code } = this;
    for (const register of this.computedOnce()) {
      this.computeOnce(this.#emitter, register);
      this.#once.add(register);
    }
    this.startThreads(this.#emitter);
    const loop = code.loop();
    this.next = code.block();
    this.startThread();
    this.#restore();
    this.#rebuild();
    writeScalarFlow(this.#emitter, this.plan.graph, this.flow, {
      isDone: ({ writes }) => writes.length === 1 && this.#once.has(writes[0]!),
      leave: (block) => this.#leave(block),
    });
    code.end();
    const { thread, tidX } = this.thread;
    code.get(tidX).i32(1).op("i32.add").set(tidX);
    this.nextRow(this.#emitter);
    code.get(thread).i32(1).op("i32.add").tee(thread).get(this.last).op("i32.lt_u").brIf(loop);
    code.end();
    return this.finish();
  }

  /** Restores the registers that a thread had when it began to wait. */
  #restore(): void {
    const { facts, slots } = this.plan;
    for (const register of this.restored()) {
      const type = facts.types[register]!;
      this.#emitter.setRegister(register, () => {
        this.frameAddress(this.#emitter, bytesOf(type));
        this.code.memory(`${type}.load` as "i32.load", slots.get(register)!);
      });
    }
  }

  #rebuild(): void {
    const { live, rematerializable, facts } = this.plan;
    const { locals } = this.#emitter;
    const kept: [number, number][] = [];
    for (const register of this.rematerialized()) {
      // A register that is not live here may share its local with one that is.
      if (!live.before.has(this.entry, register)) {
        kept.push([register, locals[register]!]);
        locals[register] = this.code.local(facts.types[register]!);
      }
      writeStep(this.#emitter, rematerializable.get(register)!.step);
    }
    for (const [register, local] of kept) locals[register] = local;
  }

  /** The thread waits or exits: saves the registers that it needs later, and where it is. */
  #leave(block: number): void {
    const end = this.endOf(block);
    if (end.kind === "wait") this.#save(block, end.step);
    const state = this.stateOf(end);
    if (this.ends.length > 1) {
      this.stateAddress(this.#emitter);
      this.code.i32(state).memory("i32.store");
    }
    this.markSeen(state);
  }

  #save(block: number, step: Step): void {
    const { facts, slots } = this.plan;
    for (const register of this.saved(block, step)) {
      const type = facts.types[register]!;
      this.frameAddress(this.#emitter, bytesOf(type));
      this.#emitter.getRegister(register);
      if (this.needsCanonical(register)) this.#emitter.canonical();
      this.code.memory(`${type}.store` as "i32.store", slots.get(register)!);
    }
  }
}
