// The hot loops of analysis and signature for WebAssembly (AssemblyScript), on the memory that index.ts works on. Each
// takes the addresses of what it reads, does what is common, and stops where the general code of src/analysis has to
// go on.

// Words of `state`: src/analysis/signature.ts has the same.
const LINE: usize = 0 << 2;
const NAMED: usize = 1 << 2;
const END: usize = 2 << 2;

// Where in a node its words stand, in bytes: `Node` of src/workspace.ts, and the last word of a text, as `Label` says.
const NODE_LABEL: usize = 12;
const NODE_WHAT: usize = 16;
const NODE_BITS: usize = 28;
const NODE_ARGS: usize = 28;

const WHAT_CONSTANT: i32 = -0x20000000;
const LABEL_TEXT: i32 = 0x40000000;
const LABEL_CONSTANT: i32 = 0x80000000;

/**
 * Writes the words of instructions with a shape from `LINE` on, at address `END`, until none is left, something else is
 * needed, or there may be no room.
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
  let line = load<i32>(state, LINE);
  let named = load<i32>(state, NAMED);
  let end = <usize>load<u32>(state, END);
  while (line < named && named <= lastNamed && end <= lastEnd) {
    const node = nodes + ((<usize>load<i32>(order + ((<usize>line) << 2))) << 2);
    const what = load<i32>(node, NODE_WHAT);
    if (what < 0) break;
    const mnemonic = mnemonics + ((<usize>what) << 3);
    if (load<i32>(mnemonic) === 0) break;
    store<u64>(end, load<u64>(mnemonic));
    end += 8;
    for (let operand: usize = 0; operand < 12; operand += 4) {
      const offset = load<i32>(node + operand, NODE_ARGS);
      if (offset === 0) break; // Node.none: no more arguments
      const value = nodes + ((<usize>offset) << 2);
      const known = load<i32>(value, NODE_LABEL);
      // A value without a label is named. All is written and overwritten: a branch would go either way.
      store<i32>(order + ((<usize>named) << 2), offset);
      named += i32(known === 0);
      const label = select<i32>(named, known, known === 0);
      store<i32>(value, label, NODE_LABEL);
      // The stack of a constant; of anything else no number that small.
      const stack = WHAT_CONSTANT - load<i32>(value, NODE_WHAT);
      const constant = i32(<u32>stack < 0x10000);
      const form = <i32>load<u8>(forms + <usize>(stack & -constant));
      store<i32>(end, select<i32>(form | LABEL_CONSTANT, label, constant));
      store<i32>(end, load<i32>(value, NODE_BITS), 4);
      // Two words for a text or a constant, one for a result.
      end += 4 + (<usize>(constant | i32(label >= LABEL_TEXT)) << 2);
    }
    line++;
  }
  store<i32>(state, line, LINE);
  store<i32>(state, named, NAMED);
  store<u32>(state, <u32>end, END);
}

// Where the depth of an observed value stands, and where it is counted: `Observed` of src/analysis/observed.ts.
const DEPTH: usize = NODE_LABEL;
const COUNTED: usize = NODE_WHAT;
const FIRST: usize = NODE_ARGS;
const SECOND: usize = NODE_ARGS + 4;
const THIRD: usize = NODE_ARGS + 8;

// Words of `state` while a program is observed: `State` of src/analysis/observer.ts.
const NODE_END: usize = 0 << 2;
const AST_USED: usize = 1 << 2;
const MADE: usize = 2 << 2;
const SKIPPED: usize = 3 << 2;
const NODES: usize = 4 << 2;
const SIZES: usize = 5 << 2;
const STACKS: usize = 6 << 2;
const STRIDE: usize = 7 << 2;
const SHAPE: usize = 8 << 2;
const ORDER: usize = 9 << 2;
const ORIGINS: usize = 10 << 2;
const COUNTS: usize = 11 << 2;
const DEAD: usize = 12 << 2;
const INSTRUCTION_COUNT: usize = 13 << 2;
const STACK_COUNT: usize = 14 << 2;
const INPUT_STACKS: usize = 15 << 2;
const INPUT_COUNT: usize = 16 << 2;
const LAST_AST: usize = 17 << 2;
const LIVE_END: usize = 18 << 2;
const DEAD_END: usize = 19 << 2;

const PTX: i32 = 1;
const CONSTANT: i32 = 2;
const INPUT: i32 = 3;
/** Bytes before the first stack. */
const STACK_PAD: usize = 8;
const OBSERVED_WORDS: i32 = 10;
const LIVE: i32 = 0x80000000;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function at(base: usize, index: i32): usize {
  return base + ((<usize>index) << 2);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function word(base: usize, index: i32): i32 {
  return load<i32>(at(base, index));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function setWord(base: usize, index: i32, value: i32): void {
  store<i32>(at(base, index), value);
}

/** Makes a value live. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function markValue(nodes: usize, offset: i32): void {
  const node = at(nodes, offset);
  store<i32>(node, load<i32>(node, DEPTH) | LIVE, DEPTH);
}

/**
 * As `runCommon` of index.ts, but every push makes a node that says where it counts and how long its chain is, and
 * notes the instruction that made it: the one at `start` is instruction `origin`.
 */
export function runObserved(state: usize, start: usize, stop: usize, origin: i32): usize {
  const nodes: usize = load<u32>(state, NODES);
  const sizes: usize = load<u32>(state, SIZES);
  const stacks: usize = load<u32>(state, STACKS) + STACK_PAD;
  const room: usize = (<usize>load<u32>(state, STRIDE)) << 2;
  const shape: usize = load<u32>(state, SHAPE);
  const order: usize = load<u32>(state, ORDER);
  const origins: usize = load<u32>(state, ORIGINS);
  const instructionCount = load<u32>(state, INSTRUCTION_COUNT);
  const stackCount = load<i32>(state, STACK_COUNT);
  const inputStacks: usize = load<u32>(state, INPUT_STACKS);
  const inputCount = load<u32>(state, INPUT_COUNT);
  const lastAst = load<i32>(state, LAST_AST);
  const dead = load<i32>(state, DEAD);
  let nodeEnd = load<i32>(state, NODE_END);
  let ast = load<i32>(state, AST_USED);
  let made = load<i32>(state, MADE);
  let skipped = load<i32>(state, SKIPPED);
  // The stack that was used last: most instructions use the same one again. What is on it ends before address `top`.
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
      // For arguments that it does not have it names itself: `markLive` then writes to no word twice in a row.
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
  store<i32>(state, nodeEnd, NODE_END);
  store<i32>(state, ast, AST_USED);
  store<i32>(state, made, MADE);
  store<i32>(state, skipped, SKIPPED);
  return next;
}

/**
 * Goes back over what was made, and for each live value counts it and makes its arguments live; stops behind a node of
 * the general code. The instructions are listed in front of `LIVE_END` and `DEAD_END`.
 */
export function markLive(state: usize): void {
  const nodes: usize = load<u32>(state, NODES);
  const order: usize = load<u32>(state, ORDER);
  const origins: usize = load<u32>(state, ORIGINS);
  const counts: usize = load<u32>(state, COUNTS);
  let made = load<i32>(state, MADE);
  let liveEnd: usize = load<u32>(state, LIVE_END);
  let deadEnd: usize = load<u32>(state, DEAD_END);
  for (; made > 0; made--) {
    const offset = word(order, made - 1);
    if (offset < 0) break;
    const node = at(nodes, offset);
    const origin = word(origins, made - 1);
    // A branch, though it may be taken at random: without one each value waits for the mark of the value before it.
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
  store<i32>(state, made, MADE);
  store<u32>(state, <u32>liveEnd, LIVE_END);
  store<u32>(state, <u32>deadEnd, DEAD_END);
}
