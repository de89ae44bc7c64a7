// Runs a program on the stacks: every value that a PTX instruction would compute becomes a node, and nothing is
// printed. The common instructions run in loops of their own (loops/); this file defines what each instruction means,
// one by one.
import { inputNode } from "../emit/operand-texts.js";
import {
  type InstructionPlace,
  LEGACY_HINT,
  outOfRangeText,
  StackPtxError,
  type StackPtxErrorCode,
} from "../error.js";
import { InstructionType, MAIN_PROGRAM, MetaOperation, Packed } from "../layout.js";
import { looksLegacy } from "../legacy/dialect.js";
import type { FetchLoop } from "../loops/loops.js";
import { Node, Text, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import type { Frames } from "./frames.js";
import { runConstant, runInstruction, runSpecial } from "./general.js";
import { applyMeta, pushMeta } from "./meta.js";
import { loadSlot, pushNode, storeTop } from "./slots.js";
import type { MachineInputs, MachineTable } from "./table.js";

/** The parts of a machine, which live as long as its compiler. */
export interface MachineParts {
  readonly work: Workspace;
  readonly table: MachineTable;
  readonly frames: Frames;
  readonly routines: readonly Uint32Array[];
  readonly inputs: MachineInputs;
}

/**
 * Runs `program` until it returns or `executionLimit` instructions were fetched. Afterwards the stacks of `work` hold
 * what the program left on them. The nodes of the registers come first.
 * @returns whether the program returned, rather than being stopped by the limit
 * @throws StackPtxError with the place of an instruction that the machine cannot run
 */
export function execute(
  { work, table, frames, routines, inputs }: MachineParts,
  program: Uint32Array,
  loops: FetchLoop,
  executionLimit: number,
): boolean {
  const { maxFrameDepth, storeSize } = work.limits;
  const { stackCount } = table;
  pushInputs(work, inputs);
  frames.reset();
  loops.begin(program);
  let words = program;
  let at = 0;
  for (let remaining = executionLimit; remaining > 0; remaining--) {
    const from = at;
    const reach = remaining * Packed.wordsPerInstruction;
    at = loops.run(words, from, Math.min(words.length, from + reach), frames.current);
    remaining -= (at - from) / Packed.wordsPerInstruction;
    if (remaining <= 0) return false;

    const ended = at >= words.length;
    const head: number = ended ? InstructionType.return : words[at]!;
    const payload = ended ? 0 : words[at + 1]!;
    const stack = head >>> Packed.auxShift;
    at += Packed.wordsPerInstruction;
    switch (head & Packed.typeMask) {
      case InstructionType.ptx:
        if (payload >= table.instructionCount) {
          const count = table.instructionCount;
          throw outOfRange(
            "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS",
            "ptx instruction",
            payload,
            count,
            frames,
            at,
          );
        }
        if (!runInstruction(work, table, payload)) throw astFull(work, frames, at);
        break;
      case InstructionType.input: {
        if (payload >= inputs.count) {
          throw outOfRange("REGISTER_IDX_OUT_OF_BOUNDS", "input", payload, inputs.count, frames, at);
        }
        const inputStack = inputs.stacks[payload]!;
        if (inputStack >= stackCount) throw noStack(inputStack, stackCount, frames, at);
        if (++work.astUsed > work.limits.maxAstSize) throw astFull(work, frames, at);
        pushNode(work, inputStack, inputNode(payload));
        break;
      }
      case InstructionType.constant:
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (!runConstant(work, table, stack, payload)) throw astFull(work, frames, at);
        break;
      case InstructionType.special:
        if (payload >= table.specialCount) {
          const count = table.specialCount;
          throw outOfRange(
            "SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS",
            "special register",
            payload,
            count,
            frames,
            at,
          );
        }
        if (!runSpecial(work, table, payload)) throw astFull(work, frames, at);
        break;
      case InstructionType.meta:
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (!applyMeta(work, stack, payload)) {
          const count = Object.keys(MetaOperation).length;
          throw outOfRange(
            "META_INSTRUCTION_IDX_OUT_OF_BOUNDS",
            "meta operation",
            payload,
            count,
            frames,
            at,
          );
        }
        break;
      case InstructionType.metaConstant:
        pushMeta(work, payload);
        break;
      case InstructionType.routine: {
        const routine = routines[payload];
        if (routine === undefined) {
          throw outOfRange("ROUTINES_IDX_OUT_OF_BOUNDS", "routine", payload, routines.length, frames, at);
        }
        if (frames.depth + 1 >= maxFrameDepth) break;
        frames.enter(payload, at);
        words = routine;
        at = 0;
        break;
      }
      case InstructionType.return:
        if (frames.depth === 0) return true;
        at = frames.leave();
        words = frames.current === MAIN_PROGRAM ? program : routines[frames.current]!;
        break;
      case InstructionType.store:
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (payload >= storeSize) {
          throw outOfRange("STORE_IDX_OUT_OF_BOUNDS", "slot", payload, storeSize, frames, at);
        }
        storeTop(work, stack, payload);
        break;
      case InstructionType.load:
        if (payload >= storeSize) {
          throw outOfRange("LOAD_IDX_OUT_OF_BOUNDS", "slot", payload, storeSize, frames, at);
        }
        loadSlot(work, payload);
        break;
      default:
        throw new StackPtxError(
          "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
          `expected a known instruction type, found ${head & Packed.typeMask}${legacyHint(words)}`,
          placeOf(frames, at),
        );
    }
  }
  return false;
}

/**
 * Makes Node.none and one node for each register. Registers have no state, so a program may push the same node many
 * times.
 */
function pushInputs(work: Workspace, inputs: MachineInputs): void {
  const end = inputNode(inputs.count);
  if (end > work.nodes.length) work.growNodes(end);
  const { nodes } = work;
  const { texts } = inputs;
  nodes[Node.none + Text.lengthWord] = Text.empty;
  nodes[Node.none + Node.leaf] = Node.none;
  for (let index = 0; index < inputs.count; index++) {
    const node = inputNode(index);
    for (let word = 0; word < Text.words; word++) nodes[node + word] = texts[index * Text.words + word]!;
    nodes[node + Node.what] = What.input - index;
    nodes[node + Node.leaf] = Node.none;
  }
  work.nodeEnd = end;
}

/** A hint for a program that has an unknown instruction. */
function legacyHint(words: Uint32Array): string {
  return looksLegacy(words) ? `: this looks like a program of Stack PTX 1.0, ${LEGACY_HINT}` : "";
}

function placeOf(frames: Frames, next: number): InstructionPlace {
  const instruction = next / Packed.wordsPerInstruction - 1;
  return { routine: frames.current === MAIN_PROGRAM ? undefined : frames.current, instruction };
}

function outOfRange(
  code: StackPtxErrorCode,
  what: string,
  index: number,
  count: number,
  frames: Frames,
  next: number,
): StackPtxError {
  return new StackPtxError(code, outOfRangeText(what, index, count), placeOf(frames, next));
}

function noStack(stack: number, count: number, frames: Frames, next: number): StackPtxError {
  return outOfRange("STACK_IDX_OUT_OF_BOUNDS", "stack", stack, count, frames, next);
}

function astFull(work: Workspace, frames: Frames, next: number): StackPtxError {
  return new StackPtxError(
    "INSUFFICIENT_AST_SIZE",
    `expected at most ${work.limits.maxAstSize} AST entries (limit \`maxAstSize\`), found a program that needs more`,
    placeOf(frames, next),
  );
}
