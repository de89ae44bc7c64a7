// Runs a program on the stacks: every value that a PTX instruction would compute becomes a node, nothing is printed.
// This loop fetches each instruction of each compile. It keeps what it counts in locals, hands the counts over around
// the calls for rarer cases, and allocates nothing but growth of the workspace.
import { type InstructionPlace, StackPtxError, type StackPtxErrorCode } from "../error.js";
import { AUX_SHIFT, InstructionType, MetaOperation, TYPE_MASK, WORDS_PER_INSTRUCTION } from "../layout.js";
import { NODE_HEAD, TEXT_PENDING, type Workspace } from "../workspace.js";
import type { Frames } from "./frames.js";
import { runInstruction, runSpecial } from "./general.js";
import { applyMeta, pushMeta } from "./meta.js";
import { loadSlot, pushNode, storeTop } from "./slots.js";
import type { MachineTable } from "./table.js";

/** The registers of a compile as the machine sees them. */
export interface MachineInputs {
  /** The stack index of each register. */
  readonly stacks: Int32Array;
  readonly count: number;
}

/** Words that the longest node of the fetch loop takes. */
const LONGEST_NODE = NODE_HEAD + 3;

/**
 * Runs `program` until it returns or `executionLimit` instructions were fetched.
 * The stacks of `work` then hold what the program left on them; the node of register `i` is `2 * i`.
 * @throws StackPtxError with the place of the instruction that the machine cannot run
 */
export function execute(
  work: Workspace,
  table: MachineTable,
  frames: Frames,
  program: Uint32Array,
  routines: readonly Uint32Array[],
  inputs: MachineInputs,
  executionLimit: number,
): void {
  const { stackCount, instructionCount, shape, argStack, resultStack } = table;
  const { maxAstSize, maxFrameDepth, storeSize } = work.limits;
  const { sizes } = work;
  const inputStacks = inputs.stacks;
  const inputCount = inputs.count;
  pushInputs(work, inputs);
  frames.reset();

  let { nodes, nodeEnd, stacks, stride } = work;
  let nodeRoom = nodes.length - LONGEST_NODE;
  let ast = 0;
  let words = program;
  let end = words.length;
  let at = 0;
  for (let remaining = executionLimit; remaining > 0; remaining--) {
    let head: number = InstructionType.return;
    let payload = 0;
    if (at < end) {
      head = words[at]! | 0;
      payload = words[at + 1]! | 0;
    }
    at += WORDS_PER_INSTRUCTION;
    switch (head & TYPE_MASK) {
      case InstructionType.ptx: {
        if (payload >>> 0 >= instructionCount) {
          throw outOfRange("PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS", "ptx instruction", payload, instructionCount, frames, at);
        }
        const args = shape[payload]!;
        if (args === 0) {
          work.nodeEnd = nodeEnd;
          work.astUsed = ast;
          if (!runInstruction(work, table, payload)) throw astFull(work, frames, at);
          ({ nodes, nodeEnd, stacks, stride, astUsed: ast } = work);
          nodeRoom = nodes.length - LONGEST_NODE;
          break;
        }
        const from = argStack[payload]!;
        const size = sizes[from]! - args;
        if (size < 0) break;
        ast += args + 1;
        if (ast > maxAstSize) throw astFull(work, frames, at);
        if (nodeEnd > nodeRoom) {
          work.nodeEnd = nodeEnd;
          work.growNodes(LONGEST_NODE);
          nodes = work.nodes;
          nodeRoom = nodes.length - LONGEST_NODE;
        }
        const node = nodeEnd;
        const bottom = from * stride + size;
        nodes[node] = payload;
        nodes[node + 1] = TEXT_PENDING;
        if (args === 1) {
          nodes[node + 2] = stacks[bottom]!;
        } else if (args === 2) {
          nodes[node + 2] = stacks[bottom + 1]!;
          nodes[node + 3] = stacks[bottom]!;
        } else {
          nodes[node + 2] = stacks[bottom + 2]!;
          nodes[node + 3] = stacks[bottom + 1]!;
          nodes[node + 4] = stacks[bottom]!;
        }
        nodeEnd = node + NODE_HEAD + args;
        sizes[from] = size;
        const to = resultStack[payload]!;
        const resultSize = sizes[to]!;
        if (resultSize < stride) {
          stacks[to * stride + resultSize] = node;
          sizes[to] = resultSize + 1;
        } else {
          pushNode(work, to, node);
          ({ stacks, stride } = work);
        }
        break;
      }
      case InstructionType.input: {
        if (payload >>> 0 >= inputCount) {
          throw outOfRange("REGISTER_IDX_OUT_OF_BOUNDS", "input", payload, inputCount, frames, at);
        }
        const stack = inputStacks[payload]!;
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (++ast > maxAstSize) throw astFull(work, frames, at);
        const size = sizes[stack]!;
        if (size < stride) {
          stacks[stack * stride + size] = payload * NODE_HEAD;
          sizes[stack] = size + 1;
        } else {
          pushNode(work, stack, payload * NODE_HEAD);
          ({ stacks, stride } = work);
        }
        break;
      }
      case InstructionType.constant: {
        const stack = head >>> AUX_SHIFT;
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (++ast > maxAstSize) throw astFull(work, frames, at);
        if (nodeEnd > nodeRoom) {
          work.nodeEnd = nodeEnd;
          work.growNodes(LONGEST_NODE);
          nodes = work.nodes;
          nodeRoom = nodes.length - LONGEST_NODE;
        }
        nodes[nodeEnd] = payload;
        nodes[nodeEnd + 1] = -1 - stack;
        const size = sizes[stack]!;
        if (size < stride) {
          stacks[stack * stride + size] = nodeEnd;
          sizes[stack] = size + 1;
        } else {
          pushNode(work, stack, nodeEnd);
          ({ stacks, stride } = work);
        }
        nodeEnd += NODE_HEAD;
        break;
      }
      case InstructionType.special:
        if (payload >>> 0 >= table.specialCount) {
          throw outOfRange(
            "SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS", "special register", payload, table.specialCount, frames, at,
          );
        }
        work.nodeEnd = nodeEnd;
        work.astUsed = ast;
        if (!runSpecial(work, table, payload)) throw astFull(work, frames, at);
        ({ nodes, nodeEnd, stacks, stride, astUsed: ast } = work);
        nodeRoom = nodes.length - LONGEST_NODE;
        break;
      case InstructionType.meta: {
        const stack = head >>> AUX_SHIFT;
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (!applyMeta(work, stack, payload)) {
          const count = Object.keys(MetaOperation).length;
          throw outOfRange("META_INSTRUCTION_IDX_OUT_OF_BOUNDS", "meta operation", payload, count, frames, at);
        }
        ({ stacks, stride } = work);
        break;
      }
      case InstructionType.metaConstant:
        pushMeta(work, payload);
        break;
      case InstructionType.routine: {
        const routine = routines[payload >>> 0];
        if (routine === undefined) {
          throw outOfRange("ROUTINES_IDX_OUT_OF_BOUNDS", "routine", payload, routines.length, frames, at);
        }
        if (frames.depth + 1 >= maxFrameDepth) break;
        frames.enter(payload, words, at);
        words = routine;
        end = words.length;
        at = 0;
        break;
      }
      case InstructionType.return:
        if (frames.depth === 0) {
          work.nodeEnd = nodeEnd;
          return;
        }
        frames.leave();
        words = frames.callerWords;
        end = words.length;
        at = frames.callerResumeAt;
        break;
      case InstructionType.store: {
        const stack = head >>> AUX_SHIFT;
        if (stack >= stackCount) throw noStack(stack, stackCount, frames, at);
        if (payload >>> 0 >= storeSize) {
          throw outOfRange("STORE_IDX_OUT_OF_BOUNDS", "slot", payload, storeSize, frames, at);
        }
        storeTop(work, stack, payload);
        break;
      }
      case InstructionType.load:
        if (payload >>> 0 >= storeSize) {
          throw outOfRange("LOAD_IDX_OUT_OF_BOUNDS", "slot", payload, storeSize, frames, at);
        }
        loadSlot(work, payload);
        ({ stacks, stride } = work);
        break;
      default:
        throw new StackPtxError(
          "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
          `expected a known instruction type, found ${head & TYPE_MASK}`,
          placeOf(frames, at),
        );
    }
  }
  work.nodeEnd = nodeEnd;
}

/** One node for each register: they have no state, so a program may push one many times. */
function pushInputs(work: Workspace, inputs: MachineInputs): void {
  const words = inputs.count * NODE_HEAD;
  if (words > work.nodes.length) work.growNodes(words);
  const { nodes } = work;
  for (let index = 0; index < inputs.count; index++) {
    nodes[index * NODE_HEAD] = index;
    nodes[index * NODE_HEAD + 1] = index + 1;
  }
  work.nodeEnd = words;
}

function placeOf(frames: Frames, next: number): InstructionPlace {
  const instruction = next / WORDS_PER_INSTRUCTION - 1;
  return { routine: frames.current < 0 ? undefined : frames.current, instruction };
}

function outOfRange(
  code: StackPtxErrorCode,
  what: string,
  index: number,
  count: number,
  frames: Frames,
  next: number,
): StackPtxError {
  const expected = count === 0 ? "there is none" : `expected 0 to ${count - 1}`;
  return new StackPtxError(code, `${what} ${index >>> 0} is out of range: ${expected}`, placeOf(frames, next));
}

function noStack(stack: number, count: number, frames: Frames, next: number): StackPtxError {
  return outOfRange("STACK_IDX_OUT_OF_BOUNDS", "stack", stack, count, frames, next);
}

function astFull(work: Workspace, frames: Frames, next: number): StackPtxError {
  return new StackPtxError(
    "INSUFFICIENT_AST_SIZE",
    `expected at most ${work.limits.maxAstSize} AST entries (limit \`maxAstSize\`), the program needs more`,
    placeOf(frames, next),
  );
}
