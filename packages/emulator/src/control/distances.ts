// How far the values of a register are apart in neighbouring threads of a row that take the same way: 0 for one value in
// all, a constant for addresses and indices that are computed from `%tid.x`. Modulo 2^width.
import type { Operand } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import { isKernelParameter } from "./facts.js";
import type { Step } from "./graph.js";

const MOST_DISTANCE = 2 ** 20;
/** Nothing is known of a register yet. */
const UNKNOWN = 2 ** 29;
/** There is no one distance. */
export const ANY = -(2 ** 29);

/** Whether there is a distance, and one only. */
export const isDistance = (distance: number): boolean => Math.abs(distance) <= MOST_DISTANCE;

/** Distances by register, from unknown over a constant to any. */
export class Distances {
  readonly #known: Int32Array;
  readonly #isUniform: (special: string) => boolean;

  /** @param isUniform whether a special register is the same for all threads of a block */
  constructor(registers: number, isUniform: (special: string) => boolean) {
    this.#known = new Int32Array(registers).fill(UNKNOWN);
    this.#isUniform = isUniform;
  }

  of(register: number): number {
    return this.#known[register]!;
  }

  /** A register may have this distance, too. Says whether that is new. */
  join(register: number, distance: number): boolean {
    const before = this.#known[register]!;
    if (before === ANY || before === distance) return false;
    this.#known[register] = before === UNKNOWN ? distance : ANY;
    return true;
  }

  joinAll(registers: readonly number[], distance: number): boolean {
    let changed = false;
    for (let i = 0; i < registers.length; i++) if (this.join(registers[i]!, distance)) changed = true;
    return changed;
  }

  ofOperand(step: Step, operand: Operand): number {
    switch (operand.kind) {
      case "register":
        return this.#known[step.context.registerBase + operand.register]!;
      case "special":
        if (operand.name === "tid") return operand.component === 0 ? 1 : 0;
        return this.#isUniform(operand.name) ? 0 : ANY;
      case "address":
        return operand.base.kind === "register" ? this.ofOperand(step, operand.base) : 0;
      case "vector": {
        const items = operand.items.map((item) => this.ofOperand(step, item));
        if (items.includes(UNKNOWN)) return UNKNOWN;
        return items.every((item) => item === 0) ? 0 : ANY;
      }
      default:
        return 0;
    }
  }

  /**
   * Adds what a step makes of its sources.
   *
   * @param mayWrap whether it has to be right for values that come around in 32 bits and not in 64
   */
  visit(step: Step, mayWrap: boolean): boolean {
    const { operands, results, guard } = step.source;
    let isUniform = true;
    let isKnown = true;
    for (let i = results; i < operands.length; i++) {
      const distance = this.ofOperand(step, operands[i]!);
      if (distance === UNKNOWN) return false;
      if (distance !== 0) isUniform = false;
      if (distance === ANY) isKnown = false;
    }
    const guarded = guard === undefined ? 0 : this.#known[step.context.registerBase + guard.register]!;
    if (guarded === UNKNOWN) return false;
    if (guarded !== 0 || !isKnown || isLocalToThread(step)) return this.joinAll(step.writes, ANY);
    return this.joinAll(step.writes, isUniform ? 0 : this.#result(step, mayWrap));
  }

  /** The distance between the results of neighbours, from those of the sources, which are known. */
  #result(step: Step, mayWrap: boolean): number {
    const { name, types, operands, results } = step.source;
    const rule = RULES[name];
    if (rule === undefined || !types.every(isWholeNumber) || step.words.has("sat") || step.words.has("cc"))
      return ANY;
    if (mayWrap && widens(step)) return ANY;
    const distanceOf = (i: number) => (i < operands.length ? this.ofOperand(step, operands[i]!) : 0);
    const distance = rule(step, [distanceOf(results), distanceOf(results + 1), distanceOf(results + 2)]);
    return distance === undefined || Math.abs(distance) > MOST_DISTANCE ? ANY : distance;
  }
}

function isWholeNumber(type: PtxType): boolean {
  const { class: kind, bits, lanes } = TYPES[type];
  return kind !== "float" && kind !== "pred" && bits >= 32 && lanes === 1;
}

/** Whether an address of the thread's own memory, a value from there, or what only the thread itself found is meant. */
export function isLocalToThread(step: Step): boolean {
  const { name } = step.source;
  if (name === "atom") return true;
  if (name !== "ld" && name !== "cvta" && name !== "isspacep") return false;
  return step.words.has("local") || (name === "ld" && step.words.has("param") && !isKernelParameter(step));
}

/** Whether a step makes 64 bits of 32. */
export function widens({ source, words }: Step): boolean {
  const [to, from] = source.types;
  if (words.has("wide")) return true;
  return source.name === "cvt" && TYPES[to!].bits === 64 && TYPES[from!].bits === 32;
}

type Rule = (step: Step, distances: readonly [number, number, number]) => number | undefined;

/** A source as a number of the instruction's type; undefined when it is no constant. */
function constant({ source }: Step, i: number): number | undefined {
  const operand = source.operands[i]!;
  if (operand.kind !== "immediate") return undefined;
  const { bits, class: kind } = TYPES[source.types[0]!];
  return Number(kind === "signed" ? BigInt.asIntN(bits, operand.bits) : BigInt.asUintN(bits, operand.bits));
}

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
