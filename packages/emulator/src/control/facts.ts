// What is known about registers before code is generated: which f32 registers only hold results of arithmetic, which
// are never subnormal, and which can be rematerialized anywhere from the launch's inputs, so that they need not be
// saved where threads wait.
import type { Operand } from "../program/operand.js";
import { type PtxType, TYPES, type ValueType } from "../program/types.js";
import { type Graph, placeOf } from "./graph.js";
import { forEachStep } from "./registers.js";
import type { Step } from "./step.js";

const NONE: Step[] = [];

/** The steps that write each register. */
export function definitions(graph: Graph): readonly (readonly Step[])[] {
  const found: Step[][] = new Array(graph.registerTypes.length).fill(NONE);
  forEachStep(graph, (step) => {
    for (let i = 0; i < step.writes.length; i++) {
      const register = step.writes[i]!;
      // Most registers are written once, so the empty array is shared until then.
      if (found[register] === NONE) found[register] = [step];
      else found[register]!.push(step);
    }
  });
  return found;
}

/**
 * The sources whose bits a moving step may copy: those of the result's type, or all sources when there are none of that
 * type.
 */
function movedFrom({ source: { operands }, operation: { results, operandTypes } }: Step): readonly Operand[] {
  const sources = operands.slice(results);
  const alike = sources.filter((_, i) => operandTypes[results + i] === operandTypes[0]);
  return alike.length === 0 ? sources : alike;
}

/**
 * For each register, whether every value that it receives satisfies `isOne`, directly or through moves and selections.
 */
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
    const { traits, results } = step.operation;
    if (traits.moves && traits.repeatable) return movedFrom(step).every((operand) => holds(step, operand));
    return results === 1 && isOne(step);
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let register = 0; register < known.length; register++) {
      if (known[register] === 0 || defined[register]!.every(isKnown)) continue;
      known[register] = 0;
      changed = true;
    }
  }
  return known;
}

const exponentOf = (bits: bigint): bigint => (bits >> 23n) & 0xffn;

/** The f32 registers whose NaN payloads are unspecified because arithmetic produced them. */
export function arithmeticOnly(
  defined: readonly (readonly Step[])[],
  types: readonly ValueType[],
): Uint8Array {
  const isOne = ({ operation }: Step) => operation.traits.canonical && operation.operandTypes[0] === "f32";
  return closed(defined, types, isOne, (bits) => exponentOf(bits) !== 0xffn);
}

/** The f32 registers that never hold a subnormal. */
export function neverSubnormal(
  defined: readonly (readonly Step[])[],
  types: readonly ValueType[],
): Uint8Array {
  const isOne = ({ operation: { traits, operandTypes, words } }: Step) =>
    traits.canonical && operandTypes[0] === "f32" && words.has("ftz");
  return closed(defined, types, isOne, (bits) => exponentOf(bits) !== 0n || (bits & 0x7fffffn) === 0n);
}

/** The registers that only ever get one value, which a move of a constant writes, with its bits. Predicates are not among them. */
export function constantRegisters(
  defined: readonly (readonly Step[])[],
  types: readonly PtxType[],
): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>();
  defined.forEach(([step, ...others], register) => {
    if (step === undefined || others.length > 0 || types[register] === "pred") return;
    const { guard, operands } = step.source;
    const { moves, repeatable } = step.operation.traits;
    if (!moves || !repeatable || guard !== undefined || step.writes.length !== 1) return;
    const [, value, ...rest] = operands;
    if (value?.kind === "immediate" && rest.length === 0) found.set(register, value.bits);
  });
  return found;
}

/** The special registers whose values change while a thread runs. */
export const TIMES: ReadonlySet<string> = new Set(
  "clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi".split(" "),
);

/** How to compute a register's value again. */
export interface Rematerialization {
  readonly step: Step;
  /** Registers that have to be computed first. */
  readonly inputs: readonly number[];
  /** Whether the value is the same for all threads of a block. */
  readonly uniform: boolean;
}

/**
 * Returns the registers that are written once, by a step that depends only on the launch and the thread.
 *
 * @param isUniform whether a special register is the same for all threads of a block
 */
export function rematerializableRegisters(
  defined: readonly (readonly Step[])[],
  isUniform: (name: string) => boolean,
): ReadonlyMap<number, Rematerialization> {
  const found = new Map<number, Rematerialization>();
  const rematerializationOf = (step: Step): Rematerialization | undefined => {
    const { source, operation, context } = step;
    const { guard, operands } = source;
    const { results, space, traits } = operation;
    // A comparison may have a second result, which nothing reads here.
    if (guard !== undefined || results < 1 || operands.slice(1, results).some(({ kind }) => kind !== "sink"))
      return undefined;
    const isParameter = traits.reads && isKernelParameter(step);
    if (!isParameter && !(traits.repeatable && traits.cheap && step.writes.length === 1)) return undefined;
    const inputs: number[] = [];
    // The address of a thread's local memory differs from thread to thread.
    let uniform = space !== "local";
    for (let i = isParameter ? operands.length : results; i < operands.length; i++) {
      const operand = operands[i]!;
      if (operand.kind === "special") {
        if (TIMES.has(operand.name)) return undefined;
        uniform &&= isUniform(operand.name);
      } else if (operand.kind === "register") {
        const input = found.get(context.registerBase + operand.register);
        if (input === undefined) return undefined;
        inputs.push(context.registerBase + operand.register);
        uniform &&= input.uniform;
      } else if (operand.kind === "vector" || operand.kind === "sink") return undefined;
    }
    return { step, inputs, uniform };
  };
  // Registers are usually defined before they are read in block order; the loop repeats for the rare ones that are not.
  for (let changed = true; changed; ) {
    changed = false;
    defined.forEach((steps, register) => {
      if (steps.length !== 1 || found.has(register)) return;
      const rematerialization = rematerializationOf(steps[0]!);
      if (rematerialization === undefined) return;
      found.set(register, rematerialization);
      changed = true;
    });
  }
  return found;
}

/** Whether a load reads a kernel parameter at a known offset. */
export function isKernelParameter({ source, operation, context }: Step): boolean {
  const address = source.operands[1];
  if (address?.kind !== "address" || address.base.kind !== "function-variable") return false;
  const place = placeOf(context, address.base);
  const { body } = place.context;
  if (body.kind !== "entry" || !body.parameters.includes(place.variable)) return false;
  const { offset, bytes: size } = body.variables[place.variable]!;
  const bytes = TYPES[operation.types[0]!].bits / 8;
  const begin = address.offset;
  return begin >= 0 && begin + bytes <= size && (offset + begin) % bytes === 0;
}
