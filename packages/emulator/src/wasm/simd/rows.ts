// Facts about all threads of a row, established before the first of their groups runs. Addresses with constant strides
// are checked for the whole row at once, and branches that compare values with constant strides are decided once, if
// the first and the last thread agree. Where that fails, each group checks for itself.
import type { Rematerialization } from "../../control/facts.js";
import type { Graph } from "../../control/graph.js";
import { widens } from "../../control/lane-strides.js";
import type { FlowOrder } from "../../control/order.js";
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import { isSigned } from "../emit/emitter.js";
import type { CheckedRanges, Range } from "../emit/ranges.js";
import type { Shapes } from "./shapes.js";

/** Comparisons that change at most once along a row. */
const ORDERED: Readonly<Record<string, "lt" | "le" | "gt" | "ge">> = {
  ...{ lt: "lt", le: "le", gt: "gt", ge: "ge", lo: "lt", ls: "le", hi: "gt", hs: "ge" },
};
/** Segments with more steps are not written twice. */
const MOST_STEPS = 400;

/** A source of a step whose values must not wrap around along a row. */
export interface Unwrapped {
  readonly step: Step;
  readonly source: number;
  readonly stride: number;
  readonly signed: boolean;
}

/** A comparison of the first two sources of a step, which the first and the last thread have to agree on. */
export interface Comparison {
  readonly step: Step;
  readonly name: "lt" | "le" | "gt" | "ge";
  readonly signed: boolean;
  readonly strides: readonly [number, number];
}

export interface RowFacts {
  /** Registers that are computed for the first thread of a row, each after its inputs. */
  readonly slice: readonly number[];
  readonly unwrapped: readonly Unwrapped[];
  readonly comparisons: readonly Comparison[];
  /** Ranges that are checked for whole rows, with their strides. */
  readonly ranges: ReadonlyMap<Range, number>;
  /** The predicates of blocks whose branch is the same for a row. */
  readonly conditions: ReadonlyMap<number, number>;
  /** Steps whose results only these checks would read. */
  readonly skipped: ReadonlySet<Step>;
}

interface RowInputs {
  readonly graph: Graph;
  readonly flow: FlowOrder;
  readonly shapes: Shapes;
  readonly ranges: CheckedRanges;
  readonly once: ReadonlySet<number>;
  readonly rematerializable: ReadonlyMap<number, Rematerialization>;
  /** Steps that run before the first block. */
  readonly rematerialized: readonly Step[];
  /** The registers that are read when a block ends, besides those that its branch or switch reads. */
  readonly readAtEnd: (block: number, hasBranch: boolean) => Iterable<number>;
}

/** @returns undefined when nothing can be decided for whole rows */
export function rowFacts(inputs: RowInputs): RowFacts | undefined {
  const { graph, flow } = inputs;
  const steps = flow.order.reduce((sum, block) => sum + graph.blocks[block]!.steps.length, 0);
  if (steps > MOST_STEPS) return undefined;
  const collector = new Collector(inputs);
  const ranges = new Map<Range, number>();
  for (const [step, range] of inputs.ranges.of) {
    if (ranges.has(range)) continue;
    const address = step.source.operands.find(({ kind }) => kind === "address")!;
    const stride = inputs.shapes.ofOperand(step, address);
    if (stride === undefined || stride < 0 || stride % range.size !== 0) continue;
    if (collector.all(() => collector.value(range.register))) ranges.set(range, stride);
  }
  const conditions = new Map<number, number>();
  for (const block of flow.order) {
    const { end } = graph.blocks[block]!;
    if (end.kind !== "branch") continue;
    const register = end.step.context.registerBase + end.step.source.guard!.register;
    if (inputs.shapes.of(register) !== undefined) continue;
    if (collector.all(() => collector.predicate(register))) conditions.set(block, register);
  }
  if (ranges.size === 0) return undefined;
  const { slice, unwrapped, comparisons } = collector;
  const skipped = skippedSteps(inputs, ranges, conditions);
  return { slice: [...slice], unwrapped, comparisons, ranges, conditions, skipped };
}

/** Collects what has to be computed and checked at the beginning of a row. */
class Collector {
  slice: Set<number> = new Set();
  unwrapped: Unwrapped[] = [];
  comparisons: Comparison[] = [];
  readonly #inputs: RowInputs;

  constructor(inputs: RowInputs) {
    this.#inputs = inputs;
  }

  /** Collects everything, or nothing. */
  all(collect: () => boolean): boolean {
    const before = [new Set(this.slice), [...this.unwrapped], [...this.comparisons]] as const;
    if (collect()) return true;
    [this.slice, this.unwrapped, this.comparisons] = before as [Set<number>, Unwrapped[], Comparison[]];
    return false;
  }

  /** A register that has a constant stride. */
  value(register: number): boolean {
    const { once, rematerializable, shapes } = this.#inputs;
    if (once.has(register) || this.slice.has(register)) return true;
    const rematerialization = rematerializable.get(register);
    if (rematerialization === undefined || shapes.of(register) === undefined) return false;
    const { step, inputs } = rematerialization;
    if (!inputs.every((input) => this.value(input))) return false;
    if (widens(step)) {
      for (let i = step.operation.results; i < step.source.operands.length; i++) {
        const type = step.operation.operandTypes[i]!;
        if (TYPES[type].bits === 32) this.#mustNotWrap(step, i, isSigned(type));
      }
    }
    this.slice.add(register);
    return true;
  }

  /** A predicate that is the same along a row if its comparisons are. */
  predicate(register: number): boolean {
    const { rematerializable, shapes } = this.#inputs;
    if (shapes.of(register) === 0) return this.value(register);
    if (this.slice.has(register)) return true;
    const rematerialization = rematerializable.get(register);
    if (rematerialization === undefined) return false;
    const { step, inputs } = rematerialization;
    const isDone =
      step.operation.types[0] === "pred"
        ? inputs.every((input) => this.predicate(input))
        : this.#comparison(step);
    if (isDone) this.slice.add(register);
    return isDone;
  }

  #comparison(step: Step): boolean {
    const { operation, source, context } = step;
    const [type] = operation.types;
    const word = Object.keys(ORDERED).find((each) => operation.words.has(each));
    if (type === undefined || word === undefined) return false;
    const { bits, class: kind } = TYPES[type];
    const { results } = operation;
    if (bits !== 32 || kind === "float" || source.operands.length !== results + 2) return false;
    const sources = [results, results + 1] as const;
    const strides = sources.map((i) => this.#inputs.shapes.ofOperand(step, source.operands[i]!));
    const isKnown = (operand: Operand) =>
      operand.kind !== "register" || this.value(context.registerBase + operand.register);
    if (strides.includes(undefined) || !sources.every((i) => isKnown(source.operands[i]!))) return false;
    const signed = isSigned(type);
    for (const i of sources) this.#mustNotWrap(step, i, signed);
    const [a, b] = strides as [number, number];
    this.comparisons.push({ step, name: ORDERED[word]!, signed, strides: [a, b] });
    return true;
  }

  #mustNotWrap(step: Step, source: number, signed: boolean): void {
    const stride = this.#inputs.shapes.ofOperand(step, step.source.operands[source]!);
    if (stride !== undefined && stride !== 0) this.unwrapped.push({ step, source, stride, signed });
  }
}

const isPure = ({ operation: { traits }, writes, source }: Step): boolean =>
  traits.repeatable === true && writes.length === 1 && source.guard === undefined;

/** The steps whose results are not read when the ranges and conditions are known. */
function skippedSteps(
  { graph, flow, ranges: { of }, rematerialized, readAtEnd }: RowInputs,
  ranges: ReadonlyMap<Range, number>,
  conditions: ReadonlyMap<number, number>,
): ReadonlySet<Step> {
  const needed = new Set<number>();
  const writers = new Map<number, Step[]>();
  const open: number[] = [];
  const need = (register: number) => {
    if (needed.has(register)) return;
    needed.add(register);
    open.push(register);
  };
  const steps = [...rematerialized];
  for (const block of flow.order) {
    const { steps: own, end } = graph.blocks[block]!;
    for (const step of own) steps.push(step);
    const hasBranch = !conditions.has(block);
    if (hasBranch && (end.kind === "branch" || end.kind === "switch")) end.step.reads.forEach(need);
    for (const register of readAtEnd(block, hasBranch)) need(register);
    if (end.kind !== "branch" && end.kind !== "switch" && "step" in end) end.step.reads.forEach(need);
  }
  for (const step of steps) {
    for (const register of step.writes) writers.set(register, [...(writers.get(register) ?? []), step]);
    if (isPure(step)) continue;
    const range = of.get(step);
    if (range === undefined || !ranges.has(range)) step.reads.forEach(need);
    else {
      const items = step.source.operands.flatMap((each) => (each.kind === "vector" ? each.items : [each]));
      for (const item of items) {
        if (item.kind === "register") need(step.context.registerBase + item.register);
      }
    }
  }
  while (open.length > 0) for (const step of writers.get(open.pop()!) ?? []) step.reads.forEach(need);
  return new Set(steps.filter((step) => isPure(step) && !needed.has(step.writes[0]!)));
}
