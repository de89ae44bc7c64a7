// The choices of a sampler: every instruction that a table and its surroundings allow, with its weight.
import type { ConstantType, StackInstruction, StackTable } from "@mm-ptx/types/core";
import { InstructionType, META_OPERATION_NAMES, packHead } from "../layout.js";

/** The name of a kind of instruction, as weights use it. */
export type InstructionKind =
  | "ptx"
  | "constant"
  | "input"
  | "special"
  | "meta"
  | "metaConstant"
  | "routine"
  | "store"
  | "load";

/** The kinds of payload that are drawn together with an instruction. */
export type DrawnNumber = ConstantType | "metaConstant";

/** One choice: a complete instruction, or an instruction whose payload is drawn as well. */
export interface Choice {
  readonly weight: number;
  readonly head: number;
  readonly payload: number | DrawnNumber;
}

/** What instructions may refer to besides the table's entries, with weights. */
export interface Surroundings {
  /** The registers that may be read: index and stack. */
  readonly inputs: readonly { readonly index: number; readonly stackIndex: number }[];
  readonly routines: number;
  readonly slots: number;
  readonly operationWeight: (operation: string) => number;
  readonly stackWeight: (stack: number) => number;
  readonly instructionWeight: (instruction: StackInstruction) => number;
}

/** All choices of each kind, except those with weight 0. */
export function vocabulary(table: StackTable, around: Surroundings): Record<InstructionKind, Choice[]> {
  const { stackWeight, inputs, routines, slots } = around;
  const stacks = table.stackTypes.map((_, stack) => ({ stack, weight: stackWeight(stack) }));
  const stackOf = (argType: number): number => table.argTypes[argType]!.stackIndex;
  /** An instruction without operands is as likely as one on a stack of weight 1. */
  const least = (argTypes: readonly number[]): number =>
    argTypes.length === 0 ? 1 : Math.min(...argTypes.map((argType) => stackWeight(stackOf(argType))));

  const choices: Record<InstructionKind, Choice[]> = {
    ptx: table.instructions.map((instruction, index) => ({
      weight: least([...instruction.args, ...instruction.results]) * around.instructionWeight(instruction),
      head: packHead(InstructionType.ptx),
      payload: index,
    })),
    constant: table.stackTypes.flatMap(({ constantType }, stack) =>
      constantType === undefined
        ? []
        : [
            {
              weight: stackWeight(stack),
              head: packHead(InstructionType.constant, stack),
              payload: constantType,
            },
          ],
    ),
    input: inputs.map(({ index, stackIndex }) => ({
      weight: stackWeight(stackIndex),
      head: packHead(InstructionType.input),
      payload: index,
    })),
    special: table.specialRegisters.map(({ argType }, index) => ({
      weight: stackWeight(stackOf(argType)),
      head: packHead(InstructionType.special),
      payload: index,
    })),
    meta: stacks.flatMap(({ stack, weight }) =>
      META_OPERATION_NAMES.map((operation, payload) => ({
        weight: weight * around.operationWeight(operation),
        head: packHead(InstructionType.meta, stack),
        payload,
      })),
    ),
    metaConstant: [{ weight: 1, head: packHead(InstructionType.metaConstant), payload: "metaConstant" }],
    routine: Array.from({ length: routines }, (_, index) => ({
      weight: 1,
      head: packHead(InstructionType.routine),
      payload: index,
    })),
    store: stacks.flatMap(({ stack, weight }) =>
      Array.from({ length: slots }, (_, slot) => ({
        weight,
        head: packHead(InstructionType.store, stack),
        payload: slot,
      })),
    ),
    load: Array.from({ length: slots }, (_, slot) => ({
      weight: 1,
      head: packHead(InstructionType.load),
      payload: slot,
    })),
  };
  for (const kind of Object.keys(choices) as InstructionKind[]) {
    choices[kind] = choices[kind].filter(({ weight }) => weight > 0);
  }
  return choices;
}
