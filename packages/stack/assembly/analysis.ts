// The hot loops of analysis and signature for WebAssembly (AssemblyScript), on the same memory as index.ts. Each takes
// the addresses of what it reads, handles the common cases, and stops where the general code of src/analysis has to
// continue.
import {
  BITS,
  CONSTANT,
  COUNTED,
  DEPTH,
  DUP,
  FIRST,
  INPUT,
  LABEL,
  LABEL_CONSTANT,
  LABEL_TEXT,
  LINES_END,
  LINES_LINE,
  LINES_NAMED,
  LIVE,
  META,
  MIXED,
  NONE,
  OBSERVED_WORDS,
  PTX,
  ROTATE,
  SECOND,
  STACK_PAD,
  STATE_AST_USED,
  STATE_COUNTS,
  STATE_DEAD,
  STATE_DEAD_END,
  STATE_INPUT_COUNT,
  STATE_INPUT_STACKS,
  STATE_INSTRUCTION_COUNT,
  STATE_LAST_AST,
  STATE_LIVE_END,
  STATE_MADE,
  STATE_NODES,
  STATE_NODE_END,
  STATE_ORDER,
  STATE_ORIGINS,
  STATE_SHAPE,
  STATE_SIZES,
  STATE_SKIPPED,
  STATE_STACKS,
  STATE_STACK_COUNT,
  STATE_STRIDE,
  SWAP,
  THIRD,
  WHAT,
  WHAT_CONSTANT,
  at,
  rotate,
  setWord,
  swap,
  word,
} from "./layout";

/**
 * Writes the words of instructions with a shape, from `LINES_LINE` on, at address `LINES_END`, until none is left,
 * something else is needed, or there may not be enough room.
 * @param mnemonics two words for each instruction, 0 for those that need the general code
 */
export function writeCommonLines(
  state: usize,
  nodes: usize,
  order: usize,
  mnemonics: usize,
  forms: usize,
  lastNamed: i32,
  lastEnd: usize,
): void {
  let line = load<i32>(state, LINES_LINE);
  let named = load<i32>(state, LINES_NAMED);
  let end = <usize>load<u32>(state, LINES_END);
  while (line < named && named <= lastNamed && end <= lastEnd) {
    const node = nodes + ((<usize>load<i32>(order + ((<usize>line) << 2))) << 2);
    const what = load<i32>(node, WHAT);
    if (what < 0) break;
    const mnemonic = mnemonics + ((<usize>what) << 3);
    if (load<i32>(mnemonic) === 0) break;
    store<u64>(end, load<u64>(mnemonic));
    end += 8;
    for (let operand: usize = 0; operand < 12; operand += 4) {
      const offset = load<i32>(node + operand, FIRST);
      if (offset === NONE) break; // no more arguments
      const value = nodes + ((<usize>offset) << 2);
      const known = load<i32>(value, LABEL);
      // A value without a label gets a name. Everything is written and overwritten because a branch would be
      // unpredictable.
      store<i32>(order + ((<usize>named) << 2), offset);
      named += i32(known === 0);
      const label = select<i32>(named, known, known === 0);
      store<i32>(value, label, LABEL);
      // The stack of a constant; other values have no number that small.
      const stack = WHAT_CONSTANT - load<i32>(value, WHAT);
      const constant = i32(<u32>stack < 0x10000);
      const form = <i32>load<u8>(forms + <usize>(stack & -constant));
      store<i32>(end, select<i32>(form | LABEL_CONSTANT, label, constant));
      store<i32>(end, load<i32>(value, BITS), 4);
      // Two words for a text or a constant, one for a result.
      end += 4 + (<usize>(constant | i32(label >= LABEL_TEXT)) << 2);
    }
    line++;
  }
  store<i32>(state, line, LINES_LINE);
  store<i32>(state, named, LINES_NAMED);
  store<u32>(state, <u32>end, LINES_END);
}

/** Makes a value live. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function markValue(nodes: usize, offset: i32): void {
  const node = at(nodes, offset);
  store<i32>(node, load<i32>(node, DEPTH) | LIVE, DEPTH);
}

/**
 * Like `runCommon` of index.ts, except that every push makes a node that records where it counts and how long its chain
 * is, and which instruction made it: the instruction at `start` has number `origin`.
 */
export function runObserved(state: usize, start: usize, stop: usize, origin: i32): usize {
  const nodes: usize = load<u32>(state, STATE_NODES);
  const sizes: usize = load<u32>(state, STATE_SIZES);
  const stacks: usize = load<u32>(state, STATE_STACKS) + STACK_PAD;
  const room: usize = (<usize>load<u32>(state, STATE_STRIDE)) << 2;
  const shape: usize = load<u32>(state, STATE_SHAPE);
  const order: usize = load<u32>(state, STATE_ORDER);
  const origins: usize = load<u32>(state, STATE_ORIGINS);
  const instructionCount = load<u32>(state, STATE_INSTRUCTION_COUNT);
  const stackCount = load<i32>(state, STATE_STACK_COUNT);
  const inputStacks: usize = load<u32>(state, STATE_INPUT_STACKS);
  const inputCount = load<u32>(state, STATE_INPUT_COUNT);
  const lastAst = load<i32>(state, STATE_LAST_AST);
  const dead = load<i32>(state, STATE_DEAD);
  let nodeEnd = load<i32>(state, STATE_NODE_END);
  let ast = load<i32>(state, STATE_AST_USED);
  let made = load<i32>(state, STATE_MADE);
  let skipped = load<i32>(state, STATE_SKIPPED);
  // The stack that was used last, because most instructions use the same one again. Its contents end before address
  // `top`.
  let current = 0;
  let bottom = stacks;
  let top = bottom + ((<usize>word(sizes, current)) << 2);
  let next = start;
  for (; next < stop && ast <= lastAst; next += 8) {
    const payload = load<i32>(next, 4);
    const type: i32 = load<u16>(next);
    const node = at(nodes, nodeEnd);
    let stack = 0;
    let counted = stackCount;
    let depth = 0;
    let first = nodeEnd;
    let second = nodeEnd;
    let third = nodeEnd;
    let entries = 1;
    if (type === PTX) {
      if (<u32>payload >= instructionCount) break;
      const packed = word(shape, payload);
      const args = packed & 3;
      if (args === 0) break;
      const from = (packed >> 2) & 0x3fff;
      if (from === MIXED) break;
      if (from !== current) {
        setWord(sizes, current, <i32>((top - bottom) >> 2));
        current = from;
        bottom = stacks + <usize>from * room;
        top = bottom + ((<usize>word(sizes, from)) << 2);
      }
      const rest = top - ((<usize>args) << 2);
      if (rest < bottom) {
        skipped++;
        setWord(order, made, dead);
        setWord(origins, made, origin + <i32>((next - start) >> 3));
        made++;
        continue;
      }
      stack = packed >> 16;
      if (stack !== from && (<usize>word(sizes, stack)) << 2 >= room) break;
      const hasSecond = (1 - args) >> 31;
      const hasThird = (2 - args) >> 31;
      first = load<i32>(top - 4);
      second = load<i32>(top - 8) & hasSecond;
      third = load<i32>(top - 12) & hasThird;
      top = rest;
      const depth2 = load<i32>(at(nodes, second), DEPTH);
      const depth3 = load<i32>(at(nodes, third), DEPTH);
      depth = load<i32>(at(nodes, first), DEPTH);
      depth = select<i32>(depth2, depth, depth2 > depth);
      depth = select<i32>(depth3, depth, depth3 > depth) + 1;
      // Missing arguments refer to the node itself, so that `markLive` does not write to the same word twice in a row.
      second |= nodeEnd & ~hasSecond;
      third |= nodeEnd & ~hasThird;
      counted = stack;
      entries += args;
    } else if (type === INPUT) {
      if (<u32>payload >= inputCount) break;
      stack = word(inputStacks, payload);
      if (stack >= stackCount) break;
      counted += 1 + payload;
    } else if (type === CONSTANT) {
      stack = load<u16>(next, 2);
      if (stack >= stackCount) break;
    } else if (type === META) {
      stack = load<u16>(next, 2);
      if (stack >= stackCount) break;
      if (stack !== current) {
        setWord(sizes, current, <i32>((top - bottom) >> 2));
        current = stack;
        bottom = stacks + <usize>stack * room;
        top = bottom + ((<usize>word(sizes, stack)) << 2);
      }
      // When an instruction does nothing, the general code reports why.
      if (payload === DUP) {
        if (top === bottom || top - bottom >= room) break;
        store<i32>(top, load<i32>(top - 4));
        top += 4;
      } else if (payload === SWAP) {
        if (top - bottom <= 4) break;
        swap(top);
      } else if (payload === ROTATE) {
        if (top - bottom <= 8) break;
        rotate(top);
      } else {
        break;
      }
      continue;
    } else {
      break;
    }
    if (stack !== current) {
      setWord(sizes, current, <i32>((top - bottom) >> 2));
      current = stack;
      bottom = stacks + <usize>stack * room;
      top = bottom + ((<usize>word(sizes, stack)) << 2);
    }
    if (top - bottom >= room) break;
    store<i32>(node, depth, DEPTH);
    store<i32>(node, counted, COUNTED);
    store<i32>(node, first, FIRST);
    store<i32>(node, second, SECOND);
    store<i32>(node, third, THIRD);
    store<i32>(top, nodeEnd);
    top += 4;
    setWord(order, made, nodeEnd);
    setWord(origins, made, origin + <i32>((next - start) >> 3));
    made++;
    nodeEnd += OBSERVED_WORDS;
    ast += entries;
  }
  setWord(sizes, current, <i32>((top - bottom) >> 2));
  store<i32>(state, nodeEnd, STATE_NODE_END);
  store<i32>(state, ast, STATE_AST_USED);
  store<i32>(state, made, STATE_MADE);
  store<i32>(state, skipped, STATE_SKIPPED);
  return next;
}

/**
 * Goes backwards over all values, and for each live value counts it and marks its arguments as live; stops after a node
 * of the general code. The instructions are listed before `STATE_LIVE_END` and `STATE_DEAD_END`.
 */
export function markLive(state: usize): void {
  const nodes: usize = load<u32>(state, STATE_NODES);
  const order: usize = load<u32>(state, STATE_ORDER);
  const origins: usize = load<u32>(state, STATE_ORIGINS);
  const counts: usize = load<u32>(state, STATE_COUNTS);
  let made = load<i32>(state, STATE_MADE);
  let liveEnd: usize = load<u32>(state, STATE_LIVE_END);
  let deadEnd: usize = load<u32>(state, STATE_DEAD_END);
  for (; made > 0; made--) {
    const offset = word(order, made - 1);
    if (offset < 0) break;
    const node = at(nodes, offset);
    const origin = word(origins, made - 1);
    // A branch, although it is unpredictable: without it, each value would wait for the mark of the value before it.
    if (load<i32>(node, DEPTH) >= 0) {
      deadEnd -= 4;
      store<i32>(deadEnd, origin);
      continue;
    }
    liveEnd -= 4;
    store<i32>(liveEnd, origin);
    const counted = load<i32>(node, COUNTED);
    setWord(counts, counted, word(counts, counted) + 1);
    markValue(nodes, load<i32>(node, FIRST));
    markValue(nodes, load<i32>(node, SECOND));
    markValue(nodes, load<i32>(node, THIRD));
  }
  store<i32>(state, made, STATE_MADE);
  store<u32>(state, <u32>liveEnd, STATE_LIVE_END);
  store<u32>(state, <u32>deadEnd, STATE_DEAD_END);
}
