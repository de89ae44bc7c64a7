// Shuffles that follow one another with only arithmetic in between, as in the sum of a warp. One function carries all of
// them out for a warp, whose values stay in locals: eight vectors for each register.
import { registerOf } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import type { RegisterOperand } from "../../program/operand.js";
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import type { SegmentPlan } from "../segment-base.js";
import type { Shapes } from "../simd/shapes.js";
import { vectorEmitterOf } from "../simd/table.js";
import { Vectors } from "../simd/vectors.js";
import { writePermutation } from "./shuffle.js";
import { SHUFFLES, sourceLanes } from "./source-lane.js";
import { constantOf, GROUPS, LANES } from "./values.js";

/** The most steps of a chain, each of which is written eight times. */
const MOST_STEPS = 64;
const ALL_LANES = -1n;
const VECTOR_BYTES = 16;

/** Several waits that one function carries out, which takes the first thread and the one after the last of whole warps. */
export interface Chain {
  readonly function: number;
  /** The wait that it carries out last. */
  readonly last: number;
}

/** A shuffle whose lanes are known, and the steps after it. */
interface Link {
  readonly wait: number;
  readonly step: Step;
  /** For each lane, the lane that it reads; -1 when that is out of range. */
  readonly from: readonly number[];
  readonly after: readonly Step[];
}

/** The shape of a register of a chain in its eight groups: any values. */
const ANY_SHAPES: Shapes = { of: () => undefined, ofOperand: () => undefined, ofCarry: () => undefined };

/** Defines the functions of a kernel's chains, each at the wait with which it begins. */
export function writeChains(
  plan: SegmentPlan,
  constants: ReadonlyMap<number, bigint>,
  builder: ModuleBuilder,
): readonly (Chain | undefined)[] {
  const chains: (Chain | undefined)[] = [];
  const inner = new Set<number>();
  for (let wait = 0; wait < plan.graph.waits.length; wait++) {
    const links = inner.has(wait) ? [] : linksFrom(plan, constants, wait);
    if (links.length < 2) continue;
    for (const link of links) inner.add(link.wait);
    const index = builder.function({ parameters: ["i32", "i32"], results: [] });
    builder.define(index, new ChainWriter(plan, constants, links).write());
    chains[wait] = { function: index, last: links.at(-1)!.wait };
  }
  return chains;
}

function linksFrom(
  { graph, facts, slots, rematerializable }: SegmentPlan,
  constants: ReadonlyMap<number, bigint>,
  first: number,
): readonly Link[] {
  const links: Link[] = [];
  let count = 0;
  // The values of all others are in slots or are constants.
  const written = new Set<number>();
  const isKnown = (register: number) =>
    written.has(register) ||
    constants.has(register) ||
    (slots.has(register) && !rematerializable.has(register));
  const follows = (step: Step): boolean => {
    if (!step.reads.every(isKnown)) return false;
    step.writes.forEach((register) => void written.add(register));
    return true;
  };
  for (let wait = first; wait >= 0 && !links.some((link) => link.wait === wait); ) {
    const { step, resume } = graph.waits[wait]!;
    const from = lanesOf(step, constants);
    if (from === undefined || (wait !== first && !follows(step))) break;
    step.writes.forEach((register) => void written.add(register));
    const { steps, end } = graph.blocks[resume]!;
    const next = end.kind === "wait" ? graph.waits.findIndex((each) => each.step === end.step) : -1;
    const isLast = next < 0 || !steps.every((each) => isArithmetic(each, facts.types) && follows(each));
    links.push({ wait, step, from, after: isLast ? [] : steps });
    count += steps.length + 1;
    if (isLast || count > MOST_STEPS) break;
    wait = next;
  }
  // What follows the last shuffle is a segment of its own.
  const last = links.at(-1);
  return last === undefined ? [] : [...links.slice(0, -1), { ...last, after: [] }];
}

/** The lanes that a shuffle of a whole warp reads, if they are known. */
function lanesOf(step: Step, constants: ReadonlyMap<number, bigint>): readonly number[] | undefined {
  const { waits, moves, reads } = step.operation.traits;
  if (waits !== "lanes" || !moves || reads || step.source.guard !== undefined) return undefined;
  const [, b, c, mask] = step.source.operands
    .slice(step.operation.results)
    .map((operand) => constantOf(step, operand, constants));
  if (b === undefined || c === undefined || mask === undefined) return undefined;
  const source = step.source.operands[step.operation.results]!;
  if (BigInt.asIntN(LANES, mask) !== ALL_LANES || source.kind !== "register") return undefined;
  const mode = Object.keys(SHUFFLES).find((word) => step.operation.words.has(word))!;
  return sourceLanes(SHUFFLES[mode]!, Number(b & 31n), Number(c));
}

/** Whether a step can be computed for four threads and only reads and writes registers of 32 bits. */
function isArithmetic(step: Step, types: SegmentPlan["facts"]["types"]): boolean {
  const { operation, source } = step;
  const isWord = (register: number) => types[register] === "i32" || types[register] === "f32";
  return (
    operation.traits.repeatable &&
    source.guard === undefined &&
    source.operands.every(({ kind }) => kind === "register" || kind === "immediate" || kind === "sink") &&
    [...step.reads, ...step.writes].every(isWord) &&
    vectorEmitterOf(step) !== undefined
  );
}

class ChainWriter {
  readonly #plan: SegmentPlan;
  readonly #constants: ReadonlyMap<number, bigint>;
  readonly #links: readonly Link[];
  readonly #code = new Code(2);
  /** Where the words of the warp begin in the slot at the frame's beginning. */
  readonly #base: number;
  readonly #groups: readonly { readonly vectors: Vectors; readonly locals: Int32Array }[];
  /** The registers that have locals. */
  readonly #held = new Set<number>();

  constructor(plan: SegmentPlan, constants: ReadonlyMap<number, bigint>, links: readonly Link[]) {
    this.#plan = plan;
    this.#constants = constants;
    this.#links = links;
    const code = this.#code;
    this.#base = code.local("i32");
    const thread = { thread: 0, tidX: 0, tidY: 0, tidZ: 0, fuel: 0 };
    const hoisted = new Map<string, number>();
    this.#groups = Array.from({ length: GROUPS }, () => {
      const locals = new Int32Array(plan.graph.registerTypes.length);
      const parts = {
        code,
        facts: plan.facts,
        thread,
        locals,
        shapes: ANY_SHAPES,
        hoisted,
        doubt: undefined,
      };
      return { vectors: new Vectors(parts), locals };
    });
  }

  write(): Code {
    const code = this.#code;
    const { globals } = this.#plan.facts.module;
    const [first, end] = [0, 1];
    const count = this.#links.reduce((sum, { after }) => sum + after.length + 1, 0);
    code.getGlobal(globals.fuel).get(end).get(first).op("i32.sub").i32(count).op("i32.mul").op("i32.sub");
    code.setGlobal(globals.fuel);
    const warps = code.loop();
    code.getGlobal(globals.frame).get(first).i32(2).op("i32.shl").op("i32.add").set(this.#base);
    this.#warp();
    code.get(first).i32(LANES).op("i32.add").tee(first).get(end).op("i32.lt_u").brIf(warps);
    code.end();
    return code;
  }

  #warp(): void {
    const steps = this.#links.flatMap(({ step, after }) => [step, ...after]);
    const froms = new Map(this.#links.map(({ step, from }) => [step, from]));
    const alive = this.#aliveAfter();
    steps.forEach((step, index) => {
      const later = steps.slice(index + 1);
      const isNeeded = (register: number) =>
        alive.has(register) || later.some(({ reads }) => reads.includes(register));
      const from = froms.get(step);
      if (from !== undefined) this.#shuffle(step, from, isNeeded);
      else if (step.writes.some(isNeeded)) this.#compute(step);
      for (const register of [...this.#held]) if (!isNeeded(register)) this.#release(register);
    });
    const written = new Set(steps.flatMap(({ writes }) => writes));
    for (const register of [...this.#held]) {
      if (written.has(register) && alive.has(register)) this.#store(register);
      this.#release(register);
    }
  }

  /** The registers that are read after the chain and kept in slots. */
  #aliveAfter(): ReadonlySet<number> {
    const { graph, live, slots, rematerializable } = this.#plan;
    const { resume } = graph.waits[this.#links.at(-1)!.wait]!;
    return new Set(
      live.before
        .members(resume)
        .filter((register) => slots.has(register) && !rematerializable.has(register)),
    );
  }

  #hold(register: number): void {
    if (this.#held.has(register)) return;
    this.#held.add(register);
    for (const { locals } of this.#groups) locals[register] = this.#code.take("v128");
  }

  #release(register: number): void {
    this.#held.delete(register);
    for (const { locals } of this.#groups) this.#code.release("v128", locals[register]!);
  }

  /** Makes sure that a register is in locals: a constant, or what is in its slot. */
  #need(register: number): void {
    if (this.#held.has(register)) return;
    this.#hold(register);
    const code = this.#code;
    const isPredicate = this.#plan.facts.registerTypes[register] === "pred";
    const constant = this.#constants.get(register);
    const slot = this.#plan.slots.get(register);
    this.#groups.forEach(({ locals }, group) => {
      if (constant !== undefined) code.v128(Array<bigint>(4).fill(isPredicate ? -constant : constant), 32);
      else code.get(this.#base).memory("v128.load", slot! + VECTOR_BYTES * group);
      if (isPredicate && constant === undefined) code.op("i32x4.neg");
      code.set(locals[register]!);
    });
  }

  #compute(step: Step): void {
    for (const register of step.reads) this.#need(register);
    for (const register of step.writes) this.#hold(register);
    for (const { vectors } of this.#groups) vectorEmitterOf(step)!(vectors, step, undefined);
  }

  #shuffle(step: Step, from: readonly number[], isNeeded: (register: number) => boolean): void {
    const code = this.#code;
    const { facts } = this.#plan;
    const [result, inRange] = step.source.operands.slice(0, step.operation.results);
    const source = registerOf(step, step.source.operands[step.operation.results] as RegisterOperand);
    this.#need(source);
    if (inRange?.kind === "register" && isNeeded(registerOf(step, inRange))) {
      const register = registerOf(step, inRange);
      this.#hold(register);
      this.#groups.forEach(({ locals }, group) => {
        code.v128(
          [0, 1, 2, 3].map((lane) => (from[4 * group + lane]! < 0 ? 0n : 0xffffffffn)),
          32,
        );
        code.set(locals[register]!);
      });
    }
    if (result?.kind !== "register" || !isNeeded(registerOf(step, result))) return;
    const target = registerOf(step, result);
    const values = this.#groups.map(({ locals, vectors }) => {
      const value = code.take("v128");
      code.get(locals[source]!);
      if (facts.anyNaN[source] === 1) vectors.canonical();
      code.set(value);
      return value;
    });
    this.#hold(target);
    this.#groups.forEach(({ locals }, group) => {
      writePermutation(code, values, from, group);
      code.set(locals[target]!);
    });
    for (const value of values) code.release("v128", value);
  }

  #store(register: number): void {
    const code = this.#code;
    const { facts, observed, slots } = this.#plan;
    this.#groups.forEach(({ locals, vectors }, group) => {
      code.get(this.#base).get(locals[register]!);
      if (facts.registerTypes[register] === "pred") code.v128([1n, 1n, 1n, 1n], 32).op("v128.and");
      if (facts.anyNaN[register] === 1 && observed.has(register)) vectors.canonical();
      code.memory("v128.store", slots.get(register)! + VECTOR_BYTES * group);
    });
  }
}
