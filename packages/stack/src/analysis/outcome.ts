// Predicts what the next instruction will do with the current stacks: whether it finds what it needs, and what full
// stacks will drop. The machine makes the same decisions without reporting them. Instructions that are out of range are
// not covered, because the machine throws for them.
import { InstructionType, Packed } from "../layout.js";
import type { Frames } from "../machine/frames.js";
import { slotPlace } from "../machine/slots.js";
import type { MachineInputs, MachineTable } from "../machine/table.js";
import { Slot } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** Why an instruction does nothing: what it lacks. */
export type Shortage =
  /** A stack holds `found` values but `needed` are needed. */
  | { readonly what: "values"; readonly stack: number; readonly needed: number; readonly found: number }
  /** The stack is full. */
  | { readonly what: "room"; readonly stack: number }
  /** The meta stack is full. */
  | { readonly what: "meta-room" }
  /** The meta stack is empty. */
  | { readonly what: "number" }
  /** The slot holds nothing. */
  | { readonly what: "slot"; readonly slot: number }
  /** The maximum nesting of routines has been reached. */
  | { readonly what: "frame" };

/** The effects of an instruction beyond, or instead of, its normal effect. */
export interface InstructionOutcome {
  /** Values that full stacks drop. Unless `missing` is set, the rest of the instruction ran. */
  readonly dropped: readonly { readonly stack: number; readonly count: number }[];
  /** Why the instruction does nothing. */
  readonly missing?: Shortage;
  /** The number that the instruction pops from the meta stack even though it does nothing. */
  readonly lostNumber?: number;
}

/** Everything that decides what an instruction does. */
export interface Situation {
  readonly work: Workspace;
  readonly machine: MachineTable;
  readonly inputs: MachineInputs;
  readonly frames: Frames;
}

const NONE: InstructionOutcome["dropped"] = Object.freeze([]);
const DONE: InstructionOutcome = Object.freeze({ dropped: NONE });

/** What meta operations need, by payload: values (in addition to the number that they pop) and room. */
const META_NEEDS: readonly { readonly values: number; readonly number?: true; readonly room?: true }[] = [
  { values: 1, room: true }, // dup
  { values: 1, number: true, room: true }, // yankDup
  { values: 2 }, // swap
  { values: 1, number: true, room: true }, // swapWith
  { values: 1, number: true, room: true }, // replace
  { values: 1, number: true }, // drop
  { values: 0 }, // clear
  { values: 3 }, // rotate
  { values: 0 }, // reverse
];

/** Predicts what the instruction that these two words encode will do. */
export function outcomeOf(situation: Situation, head: number, payload: number): InstructionOutcome {
  const { work, machine, inputs, frames } = situation;
  const { limits } = work;
  const stack = head >>> Packed.auxShift;
  switch (head & Packed.typeMask) {
    case InstructionType.ptx:
      return payload < machine.instructionCount ? ofInstruction(work, machine, payload) : DONE;
    case InstructionType.constant:
      return ofPush(work, stack, 1);
    case InstructionType.input:
      return payload < inputs.count ? ofPush(work, inputs.stacks[payload]!, 1) : DONE;
    case InstructionType.special: {
      if (payload >= machine.specialCount) return DONE;
      return ofPush(work, machine.specialStack[payload]!, Math.max(1, machine.specialElements[payload]!));
    }
    case InstructionType.meta:
      return ofMeta(work, stack, payload);
    case InstructionType.metaConstant:
      return work.metaSize < limits.stackSize ? DONE : idle({ what: "meta-room" });
    case InstructionType.routine:
      return frames.depth + 1 < limits.maxFrameDepth ? DONE : idle({ what: "frame" });
    case InstructionType.store:
      return ofValues(work, stack, 1);
    case InstructionType.load: {
      const place = slotPlace(work, payload);
      if (place < 0 || work.slots[place] === Slot.empty) return idle({ what: "slot", slot: payload });
      return ofPush(work, work.slotStacks[place]!, 1);
    }
    default:
      return DONE;
  }
}

function idle(missing: Shortage): InstructionOutcome {
  return { dropped: NONE, missing };
}

/** If there is no such stack, the machine throws. */
function ofValues({ sizes, stackCount }: Workspace, stack: number, needed: number): InstructionOutcome {
  const found = sizes[stack]!;
  return stack < stackCount && found < needed ? idle({ what: "values", stack, needed, found }) : DONE;
}

function ofPush({ sizes, stackCount, limits }: Workspace, stack: number, values: number): InstructionOutcome {
  const count = sizes[stack]! + values - limits.stackSize;
  return stack < stackCount && count > 0 ? { dropped: [{ stack, count }] } : DONE;
}

/** Arguments are popped before results are pushed. */
function ofInstruction(work: Workspace, machine: MachineTable, instruction: number): InstructionOutcome {
  const { operands } = machine;
  const needs = machine.operandsAt[instruction]!;
  const needsEnd = needs + 1 + 2 * operands[needs]!;
  for (let at = needs + 1; at < needsEnd; at += 2) {
    const outcome = ofValues(work, operands[at]!, operands[at + 1]!);
    if (outcome !== DONE) return outcome;
  }
  const results = machine.resultsAt[instruction]!;
  const end = results + machine.resultCount[instruction]!;
  let mayDrop = false;
  for (let at = results; at < end; at++) {
    mayDrop ||= work.sizes[operands[at]!]! + end - results > work.limits.stackSize;
  }
  if (!mayDrop) return DONE;
  const growth = new Map<number, number>();
  for (let at = results; at < end; at++) growth.set(operands[at]!, (growth.get(operands[at]!) ?? 0) + 1);
  for (let at = needs + 1; at < needsEnd; at += 2) {
    const pushed = growth.get(operands[at]!);
    if (pushed !== undefined) growth.set(operands[at]!, pushed - operands[at + 1]!);
  }
  const dropped = [...growth].flatMap(([stack, values]) => ofPush(work, stack, values).dropped);
  return dropped.length === 0 ? DONE : { dropped };
}

function ofMeta(work: Workspace, stack: number, operation: number): InstructionOutcome {
  const needs = META_NEEDS[operation];
  if (needs === undefined || stack >= work.stackCount) return DONE;
  if (needs.number && work.metaSize === 0) return idle({ what: "number" });
  const number = needs.number ? work.metaStack[work.metaSize - 1]! : 0;
  let outcome = ofValues(work, stack, needs.values + number);
  if (outcome === DONE && needs.room && work.sizes[stack]! >= work.limits.stackSize) {
    outcome = idle({ what: "room", stack });
  }
  return outcome === DONE || !needs.number ? outcome : { ...outcome, lostNumber: number };
}
