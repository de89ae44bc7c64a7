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

export function shapesOf(inputs: ShapeInputs): Shapes {
  // Absent: nothing is known of it yet.
  const known = new Map<number, { shape: Shape }>();
  const join = (register: number, shape: Shape): boolean => {
    const before = known.get(register);
    if (before === undefined) {
      known.set(register, { shape });
      return true;
    }
    if (before.shape === undefined || before.shape === shape) return false;
    before.shape = undefined;
    return true;
  };
  for (const register of inputs.uniform) join(register, 0);
  for (const register of inputs.varying) join(register, undefined);
  const ofOperand = (step: Step, operand: Operand): Shape | "unknown" => {
    switch (operand.kind) {
      case "register": {
        const found = known.get(step.context.registerBase + operand.register);
        return found === undefined ? "unknown" : found.shape;
      }
      case "special":
        if (operand.name === "tid") return operand.component === 0 ? 1 : 0;
        return BLOCK_UNIFORM.has(operand.name) ? 0 : undefined;
      case "address":
        return operand.base.kind === "register" ? ofOperand(step, operand.base) : 0;
      case "vector": {
        const items = operand.items.map((item) => ofOperand(step, item));
        if (items.includes("unknown")) return "unknown";
        return items.every((item) => item === 0) ? 0 : undefined;
      }
      default:
        return 0;
    }
  };
  const visit = (step: Step): boolean => {
    if (step.writes.length === 0) return false;
    const { source } = step;
    const shapes = source.operands.slice(source.results).map((operand) => ofOperand(step, operand));
    const guard =
      source.guard === undefined ? 0 : known.get(step.context.registerBase + source.guard.register);
    if (shapes.includes("unknown") || guard === undefined) return false;
    let shape = resultShape(step, shapes as Shape[], inputs.mayGiveUp);
    if (typeof guard === "object" && guard.shape !== 0) shape = undefined;
    return step.writes.map((register) => join(register, shape)).includes(true);
  };
  const { graph, flow } = inputs;
  const steps = [...inputs.rebuilt, ...flow.order.flatMap((block) => graph.blocks[block]!.steps)];
  for (let changed = true; changed; ) {
    changed = false;
    for (const step of steps) if (visit(step)) changed = true;
  }
  const settled = (shape: Shape | "unknown"): Shape => (shape === "unknown" ? undefined : shape);
  return {
    of: (register) => known.get(register)?.shape,
    ofOperand: (step, operand) => settled(ofOperand(step, operand)),
  };
}

function limited(distance: number): Shape {
  return Math.abs(distance) <= MOST_DISTANCE ? distance : undefined;
}

/** The distance between the results of neighbours, from those of the sources. */
function resultShape(step: Step, [a, b, c]: readonly Shape[], mayGiveUp: (step: Step) => boolean): Shape {
  const { source } = step;
  const all = [a, b, c].slice(0, source.operands.length - source.results);
  if (isLocalToThread(step)) return undefined;
  if (all.every((shape) => shape === 0)) return 0;
  if (all.includes(undefined)) return undefined;
  const rule = RULES[source.name];
  const types = source.types.map((type) => TYPES[type]);
  const isInteger = types.every(
    ({ class: kind, bits, lanes }) => kind !== "float" && kind !== "pred" && bits >= 32 && lanes === 1,
  );
  const words = Object.values(source.modifiers);
  if (rule === undefined || !isInteger || words.includes("sat") || words.includes("cc")) return undefined;
  const distance = rule(step, [a ?? 0, b ?? 0, c ?? 0]);
  if (distance === undefined) return undefined;
  // A value that comes around in 32 bits does not in 64: there is a test for it, which may give up.
  return widens(step) && !mayGiveUp(step) ? undefined : limited(distance);
}

/** Whether an address of the thread's own memory, or a value from there, is meant. */
export function isLocalToThread(step: Step): boolean {
  const { name, modifiers } = step.source;
  const words = Object.values(modifiers);
  if (!/^(ld|cvta|isspacep)$/.test(name)) return false;
  return words.includes("local") || (name === "ld" && words.includes("param") && !isKernelParameter(step));
}

type Rule = (step: Step, distances: readonly [number, number, number]) => number | undefined;

const constant = ({ source }: Step, i: number): number | undefined => {
  const operand = source.operands[i]!;
  if (operand.kind !== "immediate") return undefined;
  return Number(BigInt.asIntN(TYPES[source.types[0]!].bits, operand.bits));
};

/** Of a product: the distance of one factor times the other, which is a constant. */
const product: Rule = (step, [a, b]) => {
  const words = Object.values(step.source.modifiers);
  if (words.includes("hi")) return undefined;
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
export function widens({ source }: Step): boolean {
  const [to, from] = source.types;
  if (Object.values(source.modifiers).includes("wide")) return true;
  return source.name === "cvt" && TYPES[to!].bits === 64 && TYPES[from!].bits === 32;
}
