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
const STACK_PAD: i32 = 2;
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

/** Makes a value live where `mark` says so. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function markValue(nodes: usize, offset: i32, mark: i32): void {
  const node = at(nodes, offset);
  store<i32>(node, load<i32>(node, DEPTH) | mark, DEPTH);
}

/**
 * As `runCommon` of index.ts, but every push makes a node that says where it counts and how long its chain is, and
 * notes the instruction that made it: the one at `start` is instruction `origin`.
 */
export function runObserved(state: usize, start: usize, stop: usize, origin: i32): usize {
  const nodes: usize = load<u32>(state, NODES);
  const sizes: usize = load<u32>(state, SIZES);
  const stacks: usize = load<u32>(state, STACKS);
  const stride = load<i32>(state, STRIDE);
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
  let next = start;
  for (; next < stop && ast <= lastAst; next += 8) {
    const head = load<i32>(next);
    const payload = load<i32>(next, 4);
    const type = head & 0xffff;
    const node = at(nodes, nodeEnd);
    let to = 0;
    if (type === PTX) {
      if (<u32>payload >= instructionCount) break;
      const packed = word(shape, payload);
      const args = packed & 3;
      if (args === 0) break;
      const from = (packed >> 2) & 0x3fff;
      to = packed >> 16;
      const size = word(sizes, from) - args;
      if (size < 0) {
        skipped++;
        setWord(order, made, dead);
        setWord(origins, made, origin + <i32>((next - start) >> 3));
        made++;
        continue;
      }
      if (from !== to && word(sizes, to) >= stride) break;
      const top = at(stacks, STACK_PAD - 1 + from * stride + size + args);
      const first = load<i32>(top);
      const hasSecond = (1 - args) >> 31;
      const hasThird = (2 - args) >> 31;
      const second = load<i32>(top - 4) & hasSecond;
      const third = load<i32>(top - 8) & hasThird;
      let depth = load<i32>(at(nodes, first), DEPTH);
      const depth2 = load<i32>(at(nodes, second), DEPTH);
      const depth3 = load<i32>(at(nodes, third), DEPTH);
      depth = select<i32>(depth2, depth, depth2 > depth);
      depth = select<i32>(depth3, depth, depth3 > depth);
      store<i32>(node, to, COUNTED);
      store<i32>(node, depth + 1, DEPTH);
      store<i32>(node, first, FIRST);
      // For arguments that it does not have it names itself: `markLive` then writes to no word twice in a row.
      store<i32>(node, second | (nodeEnd & ~hasSecond), SECOND);
      store<i32>(node, third | (nodeEnd & ~hasThird), THIRD);
      setWord(sizes, from, size);
      ast += args + 1;
    } else {
      let counted = stackCount;
      if (type === INPUT) {
        if (<u32>payload >= inputCount) break;
        to = word(inputStacks, payload);
        counted = stackCount + 1 + payload;
      } else if (type === CONSTANT) {
        to = <i32>(<u32>head >>> 16);
      } else {
        break;
      }
      if (to >= stackCount || word(sizes, to) >= stride) break;
      store<i32>(node, counted, COUNTED);
      store<i32>(node, 0, DEPTH);
      store<i32>(node, nodeEnd, FIRST);
      store<i32>(node, nodeEnd, SECOND);
      store<i32>(node, nodeEnd, THIRD);
      ast++;
    }
    const size = word(sizes, to);
    setWord(stacks, STACK_PAD + to * stride + size, nodeEnd);
    setWord(sizes, to, size + 1);
    setWord(order, made, nodeEnd);
    setWord(origins, made, origin + <i32>((next - start) >> 3));
    made++;
    nodeEnd += OBSERVED_WORDS;
  }
  store<i32>(state, nodeEnd, NODE_END);
  store<i32>(state, ast, AST_USED);
  store<i32>(state, made, MADE);
  store<i32>(state, skipped, SKIPPED);
  return next;
}

/**
 * Goes back over what was made, and for each live value counts it and makes its arguments live; stops behind a node of
 * the general code. The instructions are listed in front of `LIVE_END` and `DEAD_END`. Whether a value is live is no
 * branch: it may well be random.
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
    const live = load<i32>(node, DEPTH) >> 31;
    const counted = load<i32>(node, COUNTED);
    setWord(counts, counted, word(counts, counted) - live);
    const origin = word(origins, made - 1);
    store<i32>(liveEnd - 4, origin);
    liveEnd -= <usize>(live & 4);
    store<i32>(deadEnd - 4, origin);
    deadEnd -= <usize>(~live & 4);
    const mark = live & LIVE;
    markValue(nodes, load<i32>(node, FIRST), mark);
    markValue(nodes, load<i32>(node, SECOND), mark);
    markValue(nodes, load<i32>(node, THIRD), mark);
  }
  store<i32>(state, made, MADE);
  store<u32>(state, <u32>liveEnd, LIVE_END);
  store<u32>(state, <u32>deadEnd, DEAD_END);
}
