// What is known of registers before code is made: which floats hold results of arithmetic only, which are never subnormal,
// and which can be computed anew anywhere from what a launch has (so that they need not be saved where threads wait).
import type { Operand } from "../program/operand.js";
import { TYPES } from "../program/types.js";
import type { ValueType } from "../wasm/binary/opcodes.js";
import { type Graph, placeOf, type Step } from "./graph.js";
import { forEachStep } from "./registers.js";

const NONE: Step[] = [];

/** The steps that write each register. */
export function definitions(graph: Graph): readonly (readonly Step[])[] {
  const found: Step[][] = new Array(graph.registerTypes.length).fill(NONE);
  forEachStep(graph, (step) => {
    for (let i = 0; i < step.writes.length; i++) {
      const register = step.writes[i]!;
      // Most registers are written once.
      if (found[register] === NONE) found[register] = [step];
      else found[register]!.push(step);
    }
  });
  return found;
}

const ARITHMETIC = new Set([
  ...["add", "sub", "mul", "div", "fma", "mad", "neg", "abs", "min", "max", "sqrt", "rcp", "rsqrt"],
  ...["sin", "cos", "lg2", "ex2", "tanh", "cvt"],
]);

/** By register: whether all that it gets is what `isOne` says, directly or through moves and selections. */
function closed(
  defined: readonly (readonly Step[])[],
  types: readonly ValueType[],
  isOne: (step: Step) => boolean,
  isConstant: (bits: bigint) => boolean,
): Uint8Array {
  const known = new Uint8Array(types.length);
  types.forEach((type, register) => {
    if (type === "f32" && defined[register]!.length > 0) known[register] = 1;
  });
  const holds = (step: Step, operand: Operand) =>
    operand.kind === "immediate"
      ? isConstant(operand.bits)
      : operand.kind === "register" && known[step.context.registerBase + operand.register] === 1;
  const isKnown = (step: Step): boolean => {
    const { name, operands, results } = step.source;
    if (name === "mov") return holds(step, operands[1]!);
    if (name === "selp") return holds(step, operands[1]!) && holds(step, operands[2]!);
    return results === 1 && isOne(step);
  };
  for (let changed = true; changed; ) {
    changed = false;
    known.forEach((value, register) => {
      if (value === 0 || defined[register]!.every(isKnown)) return;
      known[register] = 0;
      changed = true;
    });
  }
  return known;
}

const exponentOf = (bits: bigint): bigint => (bits >> 23n) & 0xffn;

/** Registers of f32 whose NaNs may be any, because arithmetic made them. */
export function arithmeticOnly(
  defined: readonly (readonly Step[])[],
  types: readonly ValueType[],
): Uint8Array {
  const isOne = ({ source }: Step) => ARITHMETIC.has(source.name) && source.operandTypes[0] === "f32";
  return closed(defined, types, isOne, (bits) => exponentOf(bits) !== 0xffn);
}

/** Registers of f32 that never hold a subnormal. */
export function neverSubnormal(
  defined: readonly (readonly Step[])[],
  types: readonly ValueType[],
): Uint8Array {
  const isOne = ({ source }: Step) =>
    ARITHMETIC.has(source.name) && source.operandTypes[0] === "f32" && source.modifiers["ftz"] !== undefined;
  return closed(defined, types, isOne, (bits) => exponentOf(bits) !== 0n || (bits & 0x7fffffn) === 0n);
}

/** How a register can be computed again. */
export interface Recipe {
  readonly step: Step;
  /** Registers that are computed before it. */
  readonly inputs: readonly number[];
  /** Whether it is the same for all threads of a block. */
  readonly uniform: boolean;
}

const REPEATABLE = new Set([
  ...[
    "mov",
    "add",
    "sub",
    "mul",
    "mad",
    "shl",
    "shr",
    "and",
    "or",
    "xor",
    "not",
    "cvt",
    "cvta",
    "min",
    "max",
  ],
  ...["neg", "setp", "selp"],
]);

/**
 * Registers that are written once, by something that depends on the launch and the thread alone.
 *
 * @param isUniform whether a special register is the same for all threads of a block
 */
export function recipes(
  defined: readonly (readonly Step[])[],
  isUniform: (name: string) => boolean,
): ReadonlyMap<number, Recipe> {
  const found = new Map<number, Recipe>();
  const recipeOf = (step: Step): Recipe | undefined => {
    const { source, context } = step;
    const { name, guard, operands, results, types } = source;
    if (guard !== undefined || results !== 1) return undefined;
    const isParameter = name === "ld" && isKernelParameter(step);
    if (!isParameter && (!REPEATABLE.has(name) || step.writes.length > 1)) return undefined;
    if (!isParameter && types.some((type) => type.includes("f16") || type === "b128")) return undefined;
    const inputs: number[] = [];
    // Where a thread's local memory is differs from thread to thread.
    let uniform = !(name === "cvta" && step.words.has("local"));
    for (let i = isParameter ? operands.length : 1; i < operands.length; i++) {
      const operand = operands[i]!;
      if (operand.kind === "special") uniform &&= isUniform(operand.name);
      else if (operand.kind === "register") {
        const input = found.get(context.registerBase + operand.register);
        if (input === undefined) return undefined;
        inputs.push(context.registerBase + operand.register);
        uniform &&= input.uniform;
      } else if (operand.kind === "vector" || operand.kind === "sink") return undefined;
    }
    return { step, inputs, uniform };
  };
  // In the order of their blocks what is read comes before, but for the rare one that is found in another round.
  for (let changed = true; changed; ) {
    changed = false;
    defined.forEach((steps, register) => {
      if (steps.length !== 1 || found.has(register)) return;
      const recipe = recipeOf(steps[0]!);
      if (recipe === undefined) return;
      found.set(register, recipe);
      changed = true;
    });
  }
  return found;
}

/** Whether a load reads a kernel's parameter at a place that is known. */
export function isKernelParameter({ source, context }: Step): boolean {
  const address = source.operands[1];
  if (address?.kind !== "address" || address.base.kind !== "function-variable") return false;
  const place = placeOf(context, address.base);
  const { body } = place.context;
  if (body.kind !== "entry" || !body.params.includes(place.variable)) return false;
  const { offset, size } = body.variables[place.variable]!;
  const bytes = TYPES[source.types[0]!].bits / 8;
  const begin = address.offset;
  return begin >= 0 && begin + bytes <= size && (offset + begin) % bytes === 0;
}
