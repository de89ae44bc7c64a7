// What a register holds in four neighbouring threads that take the same way: one value, values with a constant distance, or
// any. Distances are those of integers modulo 2^width; 0 is one value for all.
import { isKernelParameter } from "../../control/facts.js";
import type { Graph, Step } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import type { Operand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import { BLOCK_UNIFORM } from "../emit/special.js";

/** The distance between neighbours; undefined where there is none. */
export type Shape = number | undefined;

/** What is known before the shapes of a segment are. */
export interface ShapeInputs {
  readonly graph: Graph;
  readonly flow: FlowOrder;
  /** Registers with one value at the segment's beginning. */
  readonly uniform: Iterable<number>;
  /** Registers with any values there. */
  readonly varying: Iterable<number>;
  /** Steps that run there, before the first block. */
  readonly rebuilt: readonly Step[];
  /** Whether a step may give up, so that the threads are run one by one. */
  readonly mayGiveUp: (step: Step) => boolean;
}

const MOST_DISTANCE = 2 ** 20;

export interface Shapes {
  of(register: number): Shape;
  /** Of an operand, with the guard of its step left aside. */
  ofOperand(step: Step, operand: Operand): Shape;
}

/** Nothing is known of a register yet; it holds any values. Others are distances. */
const UNKNOWN = Infinity;
const ANY = -Infinity;

export function shapesOf(inputs: ShapeInputs): Shapes {
  const { graph, flow } = inputs;
  const known = new Float64Array(graph.registerTypes.length).fill(UNKNOWN);
  const join = (register: number, shape: number): boolean => {
    const before = known[register]!;
    if (before === ANY || before === shape) return false;
    known[register] = before === UNKNOWN ? shape : ANY;
    return true;
  };
  for (const register of inputs.uniform) join(register, 0);
  for (const register of inputs.varying) join(register, ANY);
  const ofOperand = (step: Step, operand: Operand): number => {
    switch (operand.kind) {
      case "register":
        return known[step.context.registerBase + operand.register]!;
      case "special":
        if (operand.name === "tid") return operand.component === 0 ? 1 : 0;
        return BLOCK_UNIFORM.has(operand.name) ? 0 : ANY;
      case "address":
        return operand.base.kind === "register" ? ofOperand(step, operand.base) : 0;
      case "vector": {
        let joined = 0;
        for (const item of operand.items) {
          const shape = ofOperand(step, item);
          if (shape === UNKNOWN) return UNKNOWN;
          if (shape !== 0) joined = ANY;
        }
        return joined;
      }
      default:
        return 0;
    }
  };
  const sources: number[] = [];
  const visit = (step: Step): boolean => {
    const { operands, results, guard } = step.source;
    sources.length = 0;
    for (let i = results; i < operands.length; i++) {
      const shape = ofOperand(step, operands[i]!);
      if (shape === UNKNOWN) return false;
      sources.push(shape);
    }
    const guardShape = guard === undefined ? 0 : known[step.context.registerBase + guard.register]!;
    if (guardShape === UNKNOWN) return false;
    const shape = guardShape === 0 ? (resultShape(step, sources, inputs.mayGiveUp) ?? ANY) : ANY;
    let changed = false;
    for (const register of step.writes) if (join(register, shape)) changed = true;
    return changed;
  };
  const steps = [...inputs.rebuilt];
  for (const block of flow.order) {
    for (const step of graph.blocks[block]!.steps) if (step.writes.length > 0) steps.push(step);
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const step of steps) if (visit(step)) changed = true;
  }
  const settled = (shape: number): Shape => (Number.isFinite(shape) ? shape : undefined);
  return {
    of: (register) => settled(known[register]!),
    ofOperand: (step, operand) => settled(ofOperand(step, operand)),
  };
}

function limited(distance: number): Shape {
  return Math.abs(distance) <= MOST_DISTANCE ? distance : undefined;
}

/** The distance between the results of neighbours, from those of the sources. */
function resultShape(step: Step, shapes: readonly number[], mayGiveUp: (step: Step) => boolean): Shape {
  if (isLocalToThread(step)) return undefined;
  if (shapes.every((shape) => shape === 0)) return 0;
  const rule = RULES[step.source.name];
  if (rule === undefined || shapes.includes(ANY)) return undefined;
  const isInteger = step.source.types.every((type) => {
    const { class: kind, bits, lanes } = TYPES[type];
    return kind !== "float" && kind !== "pred" && bits >= 32 && lanes === 1;
  });
  if (!isInteger || step.words.has("sat") || step.words.has("cc")) return undefined;
  const [a = 0, b = 0, c = 0] = shapes;
  const distance = rule(step, [a, b, c]);
  if (distance === undefined) return undefined;
  // A value that comes around in 32 bits does not in 64: there is a test for it, which may give up.
  return widens(step) && !mayGiveUp(step) ? undefined : limited(distance);
}

/** Whether an address of the thread's own memory, or a value from there, is meant. */
export function isLocalToThread(step: Step): boolean {
  const { name } = step.source;
  if (name !== "ld" && name !== "cvta" && name !== "isspacep") return false;
  return step.words.has("local") || (name === "ld" && step.words.has("param") && !isKernelParameter(step));
}

type Rule = (step: Step, distances: readonly [number, number, number]) => number | undefined;

const constant = ({ source }: Step, i: number): number | undefined => {
  const operand = source.operands[i]!;
  if (operand.kind !== "immediate") return undefined;
  return Number(BigInt.asIntN(TYPES[source.types[0]!].bits, operand.bits));
};

/** Of a product: the distance of one factor times the other, which is a constant. */
const product: Rule = (step, [a, b]) => {
  if (step.words.has("hi")) return undefined;
  if (a === 0 && b === 0) return 0;
  const factor = a === 0 ? constant(step, 1) : b === 0 ? constant(step, 2) : undefined;
  return factor === undefined ? undefined : (a + b) * factor;
};

const RULES: Readonly<Record<string, Rule>> = {
  mov: (_, [a]) => a,
  cvta: (_, [a]) => a,
  add: (_, [a, b]) => a + b,
  sub: (_, [a, b]) => a - b,
  neg: (_, [a]) => -a,
  mul: product,
  mad: (step, [a, b, c]) => {
    const first = product(step, [a, b, 0]);
    return first === undefined ? undefined : first + c;
  },
  shl: (step, [a, b]) => {
    const by = constant(step, 2);
    return b !== 0 || by === undefined || by > 20 ? undefined : a * 2 ** by;
  },
  cvt: (_, [a]) => a,
};

/** Whether a step makes 64 bits of 32. */
export function widens({ source, words }: Step): boolean {
  const [to, from] = source.types;
  if (words.has("wide")) return true;
  return source.name === "cvt" && TYPES[to!].bits === 64 && TYPES[from!].bits === 32;
}
