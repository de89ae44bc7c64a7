// The difference between the values of a register in neighbouring threads of a row that take the same path, modulo
// 2^width: 0 for one value in all threads, a constant for addresses and indices that are computed from `%tid.x`.
import type { Operand } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import { isKernelParameter } from "./facts.js";
import { CARRY } from "./registers.js";
import type { Step } from "./step.js";

const MAX_STRIDE = 2 ** 20;
/** Nothing is known of a register yet. */
const UNKNOWN = 2 ** 29;
/** The values have no constant stride. */
export const ANY = -(2 ** 29);

/** Whether a register is known to have one constant stride. */
export const isStride = (stride: number): boolean => Math.abs(stride) <= MAX_STRIDE;

/** A lattice value for each register: unknown, a constant stride, or any. */
export class LaneStrides {
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

  /** Merges another possible stride into a register's; returns whether that changed it. */
  join(register: number, stride: number): boolean {
    const before = this.#known[register]!;
    if (before === ANY || before === stride) return false;
    this.#known[register] = before === UNKNOWN ? stride : ANY;
    return true;
  }

  joinAll(registers: readonly number[], stride: number): boolean {
    let changed = false;
    for (let i = 0; i < registers.length; i++) if (this.join(registers[i]!, stride)) changed = true;
    return changed;
  }

  /** The stride of what a step reads besides its operands: the carry flag. */
  ofCarry({ operation }: Step): number {
    return operation.traits.takesCarry ? this.of(CARRY) : 0;
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
   * Derives the strides of a step's results from those of its sources; returns whether any of them changed.
   *
   * @param mayWrap whether the result has to hold for values that wrap around in 32 bits but not in 64
   */
  visit(step: Step, mayWrap: boolean): boolean {
    const { operands, guard } = step.source;
    const { results } = step.operation;
    let isUniform = true;
    let isKnown = true;
    for (let i = results; i <= operands.length; i++) {
      const stride = i < operands.length ? this.ofOperand(step, operands[i]!) : this.ofCarry(step);
      if (stride === UNKNOWN) return false;
      if (stride !== 0) isUniform = false;
      if (stride === ANY) isKnown = false;
    }
    const guarded = guard === undefined ? 0 : this.#known[step.context.registerBase + guard.register]!;
    if (guarded === UNKNOWN) return false;
    if (guarded !== 0 || !isKnown || isLocalToThread(step)) return this.joinAll(step.writes, ANY);
    return this.joinAll(step.writes, isUniform ? 0 : this.#result(step, mayWrap));
  }

  /** The stride of a step's result, from the known strides of its sources. */
  #result(step: Step, mayWrap: boolean): number {
    const { name, types, results, words, traits } = step.operation;
    const { operands } = step.source;
    const rule = RULES[name];
    if (rule === undefined || !types.every(isWholeNumber) || words.has("sat") || traits.givesCarry)
      return ANY;
    if (mayWrap && widens(step)) return ANY;
    const strideOf = (i: number) => (i < operands.length ? this.ofOperand(step, operands[i]!) : 0);
    const stride = rule(step, [strideOf(results), strideOf(results + 1), strideOf(results + 2)]);
    return stride === undefined || Math.abs(stride) > MAX_STRIDE ? ANY : stride;
  }
}

function isWholeNumber(type: PtxType): boolean {
  const { class: kind, bits, lanes } = TYPES[type];
  return kind !== "float" && kind !== "pred" && bits >= 32 && lanes === 1;
}

/**
 * Whether a step uses the address or contents of the thread's local memory, or a result that differs between threads.
 */
export function isLocalToThread(step: Step): boolean {
  const { space, traits } = step.operation;
  if (traits.atomic || space === "local") return true;
  return traits.reads && space === "param" && !isKernelParameter(step);
}

/** Whether a step widens 32 bits to 64. */
export function widens({ operation: { types, words } }: Step): boolean {
  if (words.has("wide")) return true;
  const [to, from] = types;
  return from !== undefined && TYPES[to!].bits === 64 && TYPES[from].bits === 32;
}

type Rule = (step: Step, strides: readonly [number, number, number]) => number | undefined;

/** A constant source as a number of the instruction's type; undefined when it is not a constant. */
function constant({ source, operation }: Step, i: number): number | undefined {
  const operand = source.operands[i]!;
  if (operand.kind !== "immediate") return undefined;
  const { bits, class: kind } = TYPES[operation.types[0]!];
  return Number(kind === "signed" ? BigInt.asIntN(bits, operand.bits) : BigInt.asUintN(bits, operand.bits));
}

/** The stride of a product: the stride of one factor times the other factor, which must be a constant. */
const product: Rule = (step, [a, b]) => {
  if (step.operation.words.has("hi")) return undefined;
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
