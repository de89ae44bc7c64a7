// Instructions that no source text contains: moves between a call and its callee, registers that are initialized to 0,
// turns.
import { matchOpcode } from "../isa/match.js";
import type { Operand } from "../program/operand.js";
import { NO_TRAITS, type Operation } from "../program/operation.js";
import type { Instruction } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import { type Context, newStep, type Step } from "./step.js";

/** Moves a value between registers, or between a register and a parameter. */
type Move = "mov" | "ld.param" | "st.param";

/** Makes a step of one type, which has one result unless it stores. */
export function syntheticStep(
  context: Context,
  move: Move,
  type: PtxType,
  operands: readonly [Operand, Operand],
): Step {
  const { bits } = TYPES[type];
  // The bits are moved as they are. A predicate has no bit type.
  const moved = move === "mov" && bits > 1 ? (`b${bits}` as PtxType) : type;
  return stepOf(context, 0, moveOperation(move, moved), operands, undefined);
}

const moves = new Map<string, Operation>();

/** Works for any type, because parameters may have types that the instructions of a text cannot have. */
function moveOperation(move: Move, type: PtxType): Operation {
  const opcode = `${move}.${type}`;
  let operation = moves.get(opcode);
  if (operation === undefined) {
    const { operation: known } = matchOpcode(`${move}.b32`)[0]!;
    const operandTypes = known.operandTypes.map((operandType) => operandType && type);
    operation = Object.freeze({ ...known, opcode, types: [type], operandTypes });
    moves.set(opcode, operation);
  }
  return operation;
}

function unwritten(operation: Partial<Operation> & Pick<Operation, "name">): Operation {
  return Object.freeze({
    ...{ opcode: operation.name, modifiers: {}, words: new Set<string>(), types: [], operandTypes: [] },
    ...{ results: 0, space: "generic", shape: undefined, traits: NO_TRAITS },
    ...operation,
  });
}

/** Counts how often a thread has passed and reports whether the limit is reached. */
const PATIENCE = unwritten({ name: "patience", operandTypes: ["pred"], results: 1 });
const ASK = unwritten({ name: "ask", traits: { ...NO_TRAITS, flow: "jump" } });
const TURN = unwritten({ name: "turn", traits: { ...NO_TRAITS, waits: "turn" } });

/**
 * The steps with which a thread gives others a turn: `count` says whether it is time, `ask` branches on that, and
 * `wait` waits.
 */
export function turnSteps(
  context: Context,
  index: number,
  isTime: number,
): { readonly count: Step; readonly ask: Step; readonly wait: Step } {
  const guard = { register: isTime - context.registerBase, negated: false };
  const result: Operand = { kind: "register", ...guard };
  return {
    count: stepOf(context, index, PATIENCE, [result], undefined),
    ask: stepOf(context, index, ASK, [], guard),
    wait: stepOf(context, index, TURN, [], undefined),
  };
}

/** Reports the register that is its second operand unless the flag that is its first operand is true. */
const EXPECT_WRITTEN = unwritten({ name: "expect-written", operandTypes: ["pred"] });
/** Computes whether any source is true. */
const ANY_WRITTEN = unwritten({ name: "any-written", results: 1 });

/** Reports a register unless its flag says that it was written. Registers are numbered as in the graph. */
export function expectWritten(
  context: Context,
  index: number,
  flag: number,
  register: number,
  guard: Instruction["guard"],
): Step {
  return stepOf(context, index, EXPECT_WRITTEN, [own(context, flag), own(context, register)], guard);
}

/** Sets a flag if any of some flags is set, or in any case if they are undefined. */
export function moveWritten(
  context: Context,
  index: number,
  target: number,
  flags: readonly number[] | undefined,
  guard: Instruction["guard"],
): Step {
  const sources = flags?.map((flag) => own(context, flag)) ?? [TRUE];
  const operands = [own(context, target), ...sources];
  return stepOf(context, index, typed(ANY_WRITTEN, operands), operands, guard);
}

/** Sets a flag from some flags or others, as a predicate selects. */
export function selectWritten(
  context: Context,
  index: number,
  target: number,
  [whenTrue, whenFalse]: readonly [readonly number[] | undefined, readonly number[] | undefined],
  predicate: Operand,
  guard: Instruction["guard"],
): Step {
  const source = (flags: readonly number[] | undefined) =>
    flags === undefined ? TRUE : own(context, flags[0]!);
  const operands = [own(context, target), source(whenTrue), source(whenFalse), predicate];
  return stepOf(context, index, typed(SELECT_WRITTEN, operands), operands, guard);
}

const SELECT_WRITTEN = unwritten({ name: "select-written", results: 1 });
const TRUE: Operand = { kind: "immediate", bits: 1n };

const typed = (operation: Operation, operands: readonly Operand[]): Operation => ({
  ...operation,
  operandTypes: operands.map(() => "pred"),
});

const own = ({ registerBase }: Context, register: number): Operand => ({
  kind: "register",
  register: register - registerBase,
  negated: false,
});

function stepOf(
  context: Context,
  index: number,
  operation: Operation,
  operands: readonly Operand[],
  guard: Instruction["guard"],
): Step {
  const source: Instruction = {
    ...{ operation, operands, guard, call: undefined, branchTargets: undefined },
    span: context.body.nameSpan,
  };
  return newStep(source, context, index);
}
