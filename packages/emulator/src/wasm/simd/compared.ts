// Registers that hold less than another value on every path to a step, because a branch has compared them. Such a
// value is not the largest of its type, so where neighbouring threads have consecutive values, none of them wraps
// around. Loops whose counter is an index compare it before each iteration.
import { type Graph, successors } from "../../control/graph.js";
import { widens } from "../../control/lane-strides.js";
import type { FlowOrder } from "../../control/order.js";
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import { type PtxType, TYPES } from "../../program/types.js";
import { isSigned } from "../emit/emitter.js";

/** A register that is less than another value, of the same sign. */
const lessThan = (register: number, signed: boolean) => `${register} ${signed ? "s" : "u"}`;

/** The facts at a place: such registers, and predicates whose value implies that a register is one. */
interface Known {
  readonly facts: Set<string>;
  readonly comparisons: Map<number, Comparison>;
}

interface Comparison {
  readonly of: number;
  readonly fact: string;
  /** The value of the predicate that implies it. */
  readonly when: boolean;
}

/** The words of comparisons that are true, or false, only if the source at this index is less than the other one. */
const LESS: Readonly<Record<string, { readonly source: 0 | 1; readonly when: boolean }>> = {
  ...{ lt: { source: 0, when: true }, lo: { source: 0, when: true } },
  ...{ gt: { source: 1, when: true }, hi: { source: 1, when: true } },
  ...{ ge: { source: 0, when: false }, hs: { source: 0, when: false } },
  ...{ le: { source: 1, when: false }, ls: { source: 1, when: false } },
};

/**
 * Whether a step widens values of 32 bits that are consecutive in neighbouring threads and do not wrap around, if all
 * of these threads take the same path.
 *
 * @returns a function of the step and of the strides of its sources
 */
export function widensCompared(
  graph: Graph,
  flow: FlowOrder,
): (step: Step, strideOf: (operand: Operand) => number | undefined) => boolean {
  const before = factsBefore(graph, flow);
  return (step, strideOf) => {
    const facts = before.get(step);
    if (facts === undefined) return false;
    const { results, operandTypes } = step.operation;
    return step.source.operands.every((operand, i) => {
      const type = operandTypes[i]!;
      if (i < results || TYPES[type].bits !== 32 || operand.kind === "immediate") return true;
      const stride = strideOf(operand);
      if (stride === 0) return true;
      const isKnown = operand.kind === "register" && stride === 1;
      return isKnown && facts.has(lessThan(step.context.registerBase + operand.register, isSigned(type)));
    });
  };
}

/** The facts before each step that widens. */
function factsBefore(
  { blocks, registerTypes }: Graph,
  { order, place }: FlowOrder,
): ReadonlyMap<Step, ReadonlySet<string>> {
  const found = new Map<Step, ReadonlySet<string>>();
  /** For each place, what is known at the beginning of its block; undefined as long as it was not reached. */
  const entering: (Known | undefined)[] = order.map(() => undefined);
  entering[0] = { facts: new Set(), comparisons: new Map() };
  const isWidening = order.some((block) => blocks[block]!.steps.some(widens));
  for (let changed = isWidening; changed; ) {
    changed = false;
    const join = (block: number, known: Known) => {
      const before = entering[place[block]!];
      if (before === undefined) entering[place[block]!] = copyOf(known);
      if (before === undefined || keepCommon(before, known)) changed = true;
    };
    for (const block of order) {
      const { steps, end } = blocks[block]!;
      const known = copyOf(entering[place[block]!]!);
      for (const step of steps) {
        if (widens(step)) found.set(step, new Set(known.facts));
        pass(step, known, registerTypes);
      }
      const comparison =
        end.kind === "branch" && end.taken !== end.otherwise
          ? known.comparisons.get(end.step.context.registerBase + end.step.source.guard!.register)
          : undefined;
      for (const next of successors(end)) {
        const tells =
          comparison !== undefined &&
          end.kind === "branch" &&
          comparison.when === ((next === end.taken) !== end.step.source.guard!.negated);
        join(next, tells ? { ...known, facts: new Set([...known.facts, comparison.fact]) } : known);
      }
    }
  }
  return found;
}

const copyOf = ({ facts, comparisons }: Known): Known => ({
  facts: new Set(facts),
  comparisons: new Map(comparisons),
});

/** Removes what is not known in another place as well; returns whether there was something. */
function keepCommon({ facts, comparisons }: Known, other: Known): boolean {
  const size = facts.size + comparisons.size;
  for (const fact of facts) if (!other.facts.has(fact)) facts.delete(fact);
  for (const [predicate, { fact, when }] of comparisons) {
    const same = other.comparisons.get(predicate);
    if (same?.fact !== fact || same.when !== when) comparisons.delete(predicate);
  }
  return facts.size + comparisons.size < size;
}

/** Changes what is known as a step does. */
function pass(step: Step, { facts, comparisons }: Known, registerTypes: readonly PtxType[]): void {
  for (const register of step.writes) {
    for (const signed of [false, true]) facts.delete(lessThan(register, signed));
    comparisons.delete(register);
    for (const [predicate, { of }] of comparisons) if (of === register) comparisons.delete(predicate);
  }
  const { operation, source, context, writes } = step;
  const { types, results, words } = operation;
  const [type] = types;
  if (writes.length !== 1 || registerTypes[writes[0]!] !== "pred" || source.guard !== undefined) return;
  if (type === undefined || TYPES[type].bits !== 32 || TYPES[type].class === "float") return;
  if (source.operands.length !== results + 2) return;
  const word = Object.keys(LESS).find((each) => words.has(each));
  if (word === undefined) return;
  const { source: index, when } = LESS[word]!;
  const operand = source.operands[results + index]!;
  if (operand.kind !== "register") return;
  const of = context.registerBase + operand.register;
  comparisons.set(writes[0]!, { of, fact: lessThan(of, isSigned(type)), when });
}
