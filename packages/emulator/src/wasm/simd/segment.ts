// A segment for four neighbouring threads of a row at once. When they diverge, or something unusual happens, the group
// gives up before anything was written, and the segment's other function runs these threads one by one.

import { ANY, isStride, widens } from "../../control/lane-strides.js";
import { assignLocals } from "../../control/liveness.js";
import type { Step } from "../../control/step.js";
import { writeStructured } from "../../control/structure.js";
import type { Operand } from "../../program/operand.js";
import type { Label } from "../binary/code.js";
import { SEGMENT } from "../blocks.js";
import { startOver, tellGroup } from "../checks/group-code.js";
import { leaveUnlessInRange } from "../emit/range-checks.js";
import { type CheckedRanges, checkedTogether, type Range } from "../emit/ranges.js";
import { writeStep } from "../emit/table.js";
import { fuelForLoop } from "../fuel.js";
import { writeSegment } from "../segment.js";
import { type Segment, SegmentBase, type SegmentPlan } from "../segment-base.js";
import { widensCompared } from "./compared.js";
import { pushIfTogether } from "./condition.js";
import { type Chances, chancesIn, isLasting } from "./effects.js";
import { GroupBounds } from "./group-bounds.js";
import { GroupSteps } from "./group-steps.js";
import { GroupPlaces } from "./places.js";
import { enterRow, type Row } from "./row-code.js";
import { type RowFacts, rowFacts } from "./rows.js";
import { type Shapes, shapesOf } from "./shapes.js";
import { spreadRegisters, spreads } from "./spread.js";
import { vectorEmitterOf } from "./table.js";
import { keptAs, LANES, newLocal, type VectorParts, Vectors } from "./vectors.js";
import { leaveIfWrapping } from "./wrapping.js";

/**
 * Generates the function that runs the segment beginning with a block for groups of four threads.
 *
 * @param alone the function that runs it thread by thread
 * @returns undefined when this is impossible or not worthwhile
 */
export function writeVectorSegment(plan: SegmentPlan, entry: number, alone: number): Segment | undefined {
  return new VectorSegmentWriter(plan, entry, alone).write();
}

/** From this number of instructions that flush subnormals, checking once whether there was a subnormal is faster. */
const WORTH_DOUBTING = 4;

const NO_RANGES: readonly Range[] = [];

/** Nothing is known of a register that is never written. */
const settled = (stride: number): number => (isStride(stride) ? stride : ANY);

class VectorSegmentWriter extends SegmentBase {
  readonly #alone: number;
  readonly #vectors: Vectors;
  readonly #places: GroupPlaces;
  readonly #shapes: Shapes;
  readonly #chances: Chances;
  readonly #isCompared: ReturnType<typeof widensCompared>;
  readonly #once: ReadonlySet<number>;
  readonly #parts: VectorParts;
  /** For each block with a divergent branch, the function that runs single threads from there. */
  readonly #aloneFrom = new Map<number, number>();
  readonly #ranges: CheckedRanges;
  readonly #steps: GroupSteps;
  readonly #bounds: GroupBounds;
  #giveUp: Label | undefined;
  /** Set while the code of groups is generated for rows that were checked as a whole. */
  #row: (Row & { readonly facts: RowFacts }) | undefined;
  readonly #leaveGroup = () => void this.code.br(this.#giveUp!);

  constructor(plan: SegmentPlan, entry: number, alone: number) {
    super(plan, entry);
    this.#alone = alone;
    const { graph, facts, live, rematerializable, strides } = plan;
    const { code } = this;
    this.#chances = chancesIn(graph, this.flow);
    this.#isCompared = widensCompared(graph, this.flow);
    const once = this.computedOnce();
    this.#once = new Set(once);
    const restored = this.restored();
    // Steps that are rematerialized before the first block can still give up, unless they run again after that is too
    // late.
    const rematerialized = this.rematerialized().map((register) => rematerializable.get(register)!.step);
    const hasVectors = (step: Step) => vectorEmitterOf(step) !== undefined;
    this.#shapes = shapesOf({
      graph,
      flow: this.flow,
      initial: [
        ...once.map((register) => [register, 0] as const),
        ...restored.map((register) => [register, settled(strides.of(register))] as const),
        ...[...spreadRegisters(this.steps, new Set(restored), hasVectors)].map(
          (register) => [register, ANY] as const,
        ),
      ],
      rematerialized,
      mayWrap: (step, strideOf) => !this.#chances.at(step) && !this.#isCompared(step, strideOf),
    });
    this.#steps = new GroupSteps(this.#shapes);
    this.#ranges = checkedTogether(graph, this.flow.order, this.#chances.at, (step, address) => {
      const stride = this.#shapes.ofOperand(step, address);
      return stride === undefined ? undefined : stride * (LANES - 1);
    });
    const kept = (register: number) =>
      keptAs(facts.types[register]!, this.#shapes.of(register) !== undefined || this.#once.has(register));
    const locals = assignLocals(graph, this.flow, live, kept, (register) => newLocal(code, kept(register)));
    const flushing = this.steps.filter(({ operation }) => operation.words.has("ftz")).length;
    const doubt = flushing < WORTH_DOUBTING ? undefined : code.local("v128");
    this.#parts = {
      code,
      facts,
      thread: this.thread,
      locals,
      shapes: this.#shapes,
      hoisted: new Map(),
      doubt,
    };
    this.#vectors = new Vectors(this.#parts);
    this.#places = new GroupPlaces(this.#vectors, plan.slots, (bytes) =>
      this.frameAddress(this.#vectors.scalar, bytes),
    );
    const { scalar, splat, lanes } = this.#vectors;
    this.#bounds = new GroupBounds(scalar, this.thread, this.last);
    for (const emitter of [scalar, splat, ...lanes]) emitter.checked = this.#ranges.of;
    for (const emitter of [scalar, splat]) emitter.threads = LANES;
  }

  write(): Segment | undefined {
    const { graph } = this.plan;
    const divergencePoints = this.#steps.divergencePointsIn(
      graph,
      this.flow,
      this.#chances.at,
      this.plan.divergencePoints,
    );
    if (divergencePoints === undefined) return undefined;
    if (!this.#steps.areWorthwhile(graph, this.flow, this.#once)) return undefined;
    for (const block of divergencePoints) this.#aloneFrom.set(block, this.#functionFrom(block));
    const { code } = this;
    const { scalar } = this.#vectors;
    for (const register of this.#once) this.computeOnce(scalar, register);
    this.startThreads(scalar);
    const count = code.local("i32");
    const { thread, tidX } = this.thread;
    const isUneven = this.#bounds.unevenness();
    const facts = this.#rowFacts();
    const done = code.block();
    const rows = code.loop();
    if (facts !== undefined) this.#writeRow(facts, count, rows, done);
    const loop = code.loop();
    this.#writeGroup(count, (away) => this.#bounds.leaveUnlessWhole(isUneven, away));
    code.get(tidX).get(count).op("i32.add").set(tidX);
    this.nextRow(scalar);
    code.get(thread).get(count).op("i32.add").tee(thread).get(this.last).op("i32.ge_u").brIf(done);
    if (facts !== undefined) code.get(tidX).op("i32.eqz").brIf(rows);
    code.br(loop).end().end().end();
    return this.finish();
  }

  /** The facts that hold for whole rows, or `undefined` if no fact does. */
  #rowFacts(): RowFacts | undefined {
    const { graph, rematerializable, slots, live } = this.plan;
    const written = this.written();
    return rowFacts({
      ...{ graph, flow: this.flow, shapes: this.#shapes, ranges: this.#ranges, once: this.#once },
      ...{ rematerializable, rematerialized: this.rematerialized().map((each) => this.#computing(each)) },
      readAtEnd: (block, hasBranch) => {
        const end = this.endOf(block);
        if (end.kind === "wait") return this.saved(block, end.step);
        if (!hasBranch || !this.#aloneFrom.has(block)) return [];
        return live.before.members(block).filter((register) => slots.has(register) && written.has(register));
      },
    });
  }

  #computing(register: number): Step {
    return this.plan.rematerializable.get(register)!.step;
  }

  /** Runs the groups of a row that can be checked as a whole. Falls through to the code for other rows. */
  #writeRow(facts: RowFacts, count: number, rows: Label, done: Label): void {
    const { code } = this;
    const { scalar, splat, lanes } = this.#vectors;
    const { thread, tidX } = this.thread;
    const others = code.block();
    const left = this.#bounds.enterRow(count, others);
    const row = enterRow(scalar, facts, left, (register) => this.#computing(register), others);
    this.#row = { ...row, facts };
    for (const emitter of [scalar, splat, ...lanes]) emitter.cursors = row.cursors;
    const loop = code.loop();
    this.#writeGroup(count, () => {});
    for (const local of [tidX, thread]) code.get(local).i32(LANES).op("i32.add").set(local);
    for (const { local, stride } of row.cursors.values()) {
      if (stride !== 0)
        code
          .get(local)
          .i32(stride * LANES)
          .op("i32.add")
          .set(local);
    }
    code.get(left).i32(LANES).op("i32.sub").tee(left).brIf(loop).end();
    this.#row = undefined;
    for (const emitter of [scalar, splat, ...lanes]) emitter.cursors = undefined;
    this.nextRow(scalar);
    code.get(thread).get(this.last).op("i32.lt_u").brIf(rows).br(done).end();
  }

  /** Runs a group, or its threads one by one when that is not possible. */
  #writeGroup(count: number, leaveUnlessWhole: (away: Label) => void): void {
    const { code } = this;
    const { scalar } = this.#vectors;
    this.next = code.block();
    const alone = code.block();
    this.#giveUp = alone;
    code.i32(LANES).set(count);
    leaveUnlessWhole(alone);
    tellGroup(code, this.plan.facts, this.thread, 0);
    this.startThread();
    this.#vectors.trust();
    for (const register of this.restored()) this.#places.restore(register, alone);
    this.#rematerialize();
    writeStructured(code, this.flow, {
      end: (block) => this.endOf(block),
      steps: (block) => {
        for (const step of this.plan.graph.blocks[block]!.steps) {
          if (isLasting(step) && this.#chances.at(step)) this.#vectors.leaveInDoubt(alone);
          this.#step(step);
        }
        if (this.#chances.lastAtEnd.has(block)) this.#vectors.leaveInDoubt(alone);
      },
      condition: (block) => this.#condition(block),
      selector: (block) => scalar.push(this.#stepOf(block), this.#stepOf(block).operation.results),
      beyond: () => code.br(alone),
      leave: (block) => this.#leave(block),
      again: (from, header) => fuelForLoop(scalar, this.plan.graph, this.flow, from, header, LANES),
    });
    code.end();
    startOver(code, this.plan.facts, this.thread);
    this.#runAlone(count);
    code.end();
  }

  /** Runs single threads up to the next group, the end of the row or the end of the range. */
  #runAlone(count: number): void {
    this.#bounds.toNextGroup(count);
    this.#call(this.#alone, () => this.code.get(count));
  }

  /** Calls a function that runs a number of threads, starting at the current one. */
  #call(alone: number, pushCount: () => void): void {
    const { code } = this;
    const { thread, fuel } = this.thread;
    const { globals } = this.plan.facts.module;
    code.get(fuel).setGlobal(globals.fuel);
    code.get(thread).get(thread);
    pushCount();
    code.op("i32.add").call(alone).get(this.seen).op("i32.or").set(this.seen);
    code.getGlobal(globals.fuel).set(fuel);
  }

  /** The function that runs threads one by one, starting at a block. */
  #functionFrom(block: number): number {
    const { builder } = this.plan.facts.module;
    const added = builder.function(SEGMENT);
    builder.define(added, writeSegment(this.plan, block, this.ends).code);
    return added;
  }

  #stepOf(block: number): Step {
    return (this.endOf(block) as { readonly step: Step }).step;
  }

  #step(step: Step): void {
    if (step.writes.length === 1 && this.#once.has(step.writes[0]!)) return;
    if (this.plan.facts.isLeftOut?.(step)) return;
    const row = this.#row;
    const { code } = this;
    const { scalar, splat, lanes } = this.#vectors;
    const canGiveUp = this.#chances.at(step);
    for (const emitter of [scalar, splat, ...lanes]) {
      // When the first thread has written, the group cannot start over.
      const isBefore = canGiveUp && (emitter === lanes[0] || !isLasting(step));
      emitter.giveUp = isBefore ? this.#giveUp : undefined;
    }
    for (const range of this.#ranges.before.get(step) ?? NO_RANGES)
      if (!row?.cursors.has(range)) leaveUnlessInRange(scalar, range, this.#giveUp!);
    if (row?.facts.skipped.has(step)) return;
    const guard = step.source.guard;
    if (guard !== undefined && !this.#steps.isTogether(step)) {
      for (const lane of lanes) {
        lane.getRegister(step.context.registerBase + guard.register);
        if (guard.negated) code.op("i32.eqz");
        code.if();
        writeStep(lane, step);
        code.end();
      }
      return;
    }
    if (guard !== undefined) {
      scalar.getRegister(step.context.registerBase + guard.register);
      if (guard.negated) code.op("i32.eqz");
      code.if();
    }
    if (this.#steps.isScalar(step)) {
      const strideOf = (operand: Operand) => this.#shapes.ofOperand(step, operand);
      const isSafe = row?.facts.slice.includes(step.writes[0]!) || this.#isCompared(step, strideOf);
      if (widens(step) && !isSafe) leaveIfWrapping(scalar, step, this.#shapes, this.#giveUp!);
      writeStep(scalar, step);
    } else {
      const emit = this.#steps.emitterOf(step);
      const giveUp = canGiveUp ? this.#leaveGroup : undefined;
      const isSpread = emit !== undefined && this.#ranges.of.has(step) && spreads(step);
      if (this.#steps.isUniform(step) && !isSpread) writeStep(splat, step);
      else if (emit !== undefined) emit(this.#vectors, step, giveUp);
      else for (const lane of lanes) writeStep(lane, step);
    }
    if (guard !== undefined) code.end();
  }

  /** Pushes whether the branch is taken, which has to be the same for all threads of the group. */
  #condition(block: number): void {
    const { code } = this;
    const step = this.#stepOf(block);
    const alone = this.#aloneFrom.get(block);
    const { register, negated } = step.source.guard!;
    const decided = this.#row?.conditions.get(block);
    if (decided !== undefined) {
      code.get(decided);
      if (negated) code.op("i32.eqz");
      return;
    }
    const number = step.context.registerBase + register;
    if (this.#shapes.of(number) === 0) {
      this.#vectors.scalar.getRegister(number);
      if (negated) code.op("i32.eqz");
      return;
    }
    pushIfTogether(code, this.#vectors.localOf(number), () => {
      if (alone === undefined) code.br(this.#giveUp!);
      else {
        if (this.#chances.at(step)) this.#vectors.leaveInDoubt(this.#giveUp!);
        this.#diverge(block, alone);
      }
    });
    if (negated) code.op("i32.eqz");
  }

  /** The threads continue one by one from a block. */
  #diverge(block: number, alone: number): void {
    const { live, slots } = this.plan;
    // All other registers are unchanged in their slots.
    const written = this.written();
    live.before.forEach(block, (register) => {
      if (slots.has(register) && written.has(register))
        this.#places.store(register, this.needsCanonical(register));
    });
    this.#call(alone, () => this.code.i32(LANES));
    this.code.br(this.next!);
  }

  #rematerialize(): void {
    const { live, rematerializable } = this.plan;
    const { locals } = this.#parts;
    const kept: [number, number][] = [];
    for (const register of this.rematerialized()) {
      if (!live.before.has(this.entry, register)) {
        kept.push([register, locals[register]!]);
        locals[register] = newLocal(
          this.code,
          keptAs(this.plan.facts.types[register]!, this.#shapes.of(register) !== undefined),
        );
      }
      this.#step(rematerializable.get(register)!.step);
    }
    for (const [register, local] of kept) locals[register] = local;
  }

  #leave(block: number): void {
    const { code } = this;
    const { scalar } = this.#vectors;
    const end = this.endOf(block);
    if (end.kind === "wait") {
      for (const register of this.saved(block, end.step)) {
        this.#places.store(register, this.needsCanonical(register));
      }
    }
    const state = this.stateOf(end);
    if (this.ends.length > 1) {
      this.stateAddress(scalar);
      code.v128(Array<bigint>(LANES).fill(BigInt(state)), 32).memory("v128.store");
    }
    this.markSeen(state);
  }
}
