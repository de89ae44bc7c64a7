// The three hot loops of the compiler for WebAssembly (AssemblyScript): what run.ts, walk.ts and print.ts of src/loops
// do, on the same data, at the addresses that src/loops/memory.ts gives. Nothing is checked here that the memory's own
// bounds do not check: every index comes from data that the compiler wrote or compared before. The numbers are those of
// src/layout.ts, src/workspace.ts and src/emit; tests run all programs through both.

export { markLive, runObserved, writeCommonLines } from "./analysis";

// Words of the control block, at address 0: `Control` of src/loops/memory.ts.
const NODES: usize = 0 << 2;
const STACKS: usize = 1 << 2;
const STRIDE: usize = 2 << 2;
const INSTRUCTION_COUNT: usize = 3 << 2;
const STACK_COUNT: usize = 4 << 2;
const INPUT_STACKS: usize = 5 << 2;
const INPUT_COUNT: usize = 6 << 2;
const LAST_AST: usize = 7 << 2;
const NODE_END: usize = 8 << 2;
const AST_USED: usize = 9 << 2;
const VISIT: usize = 10 << 2;
const VISIT_DEPTH: usize = 11 << 2;
const LAST_DEPTH: usize = 12 << 2;
const ORDER: usize = 13 << 2;
const ORDER_COUNT: usize = 14 << 2;
const LAST_ORDERED: usize = 15 << 2;
const UNLISTED: usize = 16 << 2;
const LINE: usize = 17 << 2;

// Where the tables are: `Place` there.
const DIGITS: usize = 0x100;
const SIZES: usize = 0x1000;
const REGISTER_COUNTS: usize = 0x2000;
const REGISTER_TEXTS: usize = 0x4000;
const CONSTANTS: usize = 0x8000;
const SHAPE: usize = 0x10000;
const MNEMONIC_LENGTHS: usize = 0x20000;
const MNEMONICS: usize = 0x30000;

const PTX: i32 = 1;
const CONSTANT: i32 = 2;
const INPUT: i32 = 3;
const META: i32 = 5;
const DUP: i32 = 0;
const SWAP: i32 = 2;
/** Bytes before the first stack. */
const STACK_PAD: usize = 8;
const NONE: i32 = 0;
const FIRST_INPUT: i32 = 8;
const LEAF_WORDS: i32 = 8;
const SHAPED_WORDS: i32 = 10;
const WHAT_CONSTANT: i32 = -0x20000000;
const TEXT_LONG: i32 = -0x80000000;
const MOST_CHARACTERS: i32 = 15;
const PIECE_BYTES: i32 = 24;

// Where in a node its words stand, in bytes: `Text.lengthWord` and the words of `Node`.
const LENGTH_WORD: usize = 12;
const WHAT: usize = 16;
const NEXT: usize = 20;
const LEAF: usize = 24;
const BITS: usize = 28;
const FIRST: usize = 28;
const SECOND: usize = 32;
const THIRD: usize = 36;
/** Where in a text its length stands. */
const LENGTH: usize = 15;

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

/** The shape of a PTX instruction, see `MachineTable`. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function shapeOf(instruction: i32): i32 {
  return load<i32>((<usize>instruction) << 2, SHAPE);
}

/** The text of a constant: `form` with the eight digits of `bits` in the places that it leaves free. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function constantText(bits: i32, form: v128): v128 {
  // Each byte twice, the highest first; then the high half of one and the low half of the other.
  const pairs = i8x16.swizzle(
    i32x4.splat(bits),
    i8x16(-1, -1, 3, 3, 2, 2, 1, 1, 0, 0, -1, -1, -1, -1, -1, -1),
  );
  const digits = v128.bitselect(
    i8x16.shr_u(pairs, 4),
    v128.and(pairs, i8x16.splat(15)),
    i16x8.splat(0xff),
  );
  // What is no digit has no character.
  const places = v128.or(digits, i8x16(-1, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1));
  const characters = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 65, 66, 67, 68, 69, 70);
  return v128.or(form, i8x16.swizzle(characters, places));
}

/** Puts what an argument emits in front of a list; returns the first node of both. An input or a constant emits nothing. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function prepend(nodes: usize, argument: i32, first: i32): i32 {
  const node = at(nodes, argument);
  store<i32>(node, first, NEXT);
  const leaf = load<i32>(node, LEAF);
  // Which it is can't be foreseen, so there is no branch.
  return leaf | (first & -i32(leaf === 0));
}

/** Bytes that are used of a stack. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function sizeOf(stack: i32): usize {
  return (<usize>load<u32>((<usize>stack) << 2, SIZES)) << 2;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function setSize(stack: i32, bytes: usize): void {
  store<i32>((<usize>stack) << 2, <i32>(bytes >> 2), SIZES);
}

/** Runs instructions from address `start` to `stop`; returns the address of the first that it did not run. */
export function runCommon(start: usize, stop: usize): usize {
  const nodes: usize = load<u32>(NODES);
  const stacks: usize = load<u32>(STACKS);
  const room: usize = (<usize>load<u32>(STRIDE)) << 2;
  const inputStacks: usize = load<u32>(INPUT_STACKS);
  const lastAst = load<i32>(LAST_AST);
  let nodeEnd = load<i32>(NODE_END);
  let ast = load<i32>(AST_USED);
  let unlisted = load<i32>(UNLISTED);
  // The stack that was used last: most instructions use the same one again. What is on it ends before address `top`.
  let current = 0;
  let bottom = stacks + STACK_PAD;
  let top = bottom + sizeOf(current);
  let next = start;
  for (; next < stop && ast <= lastAst; next += 8) {
    const payload = load<i32>(next, 4);
    const type: i32 = load<u16>(next);
    let stack = 0;
    let value = nodeEnd;
    let words = 0;
    let entries = 1;
    if (type === PTX) {
      if (<u32>payload >= load<u32>(INSTRUCTION_COUNT)) break;
      const packed = shapeOf(payload);
      const args = packed & 3;
      if (args === 0) break;
      const from = (packed >> 2) & 0x3fff;
      if (from !== current) {
        setSize(current, top - bottom);
        current = from;
        bottom = stacks + STACK_PAD + <usize>from * room;
        top = bottom + sizeOf(from);
      }
      const rest = top - ((<usize>args) << 2);
      if (rest < bottom) continue;
      stack = packed >> 16;
      if (stack !== from && sizeOf(stack) >= room) break;
      const first = load<i32>(top - 4);
      let second = load<i32>(top - 8) & ((1 - args) >> 31);
      let third = load<i32>(top - 12) & ((2 - args) >> 31);
      top = rest;
      const node = at(nodes, value);
      store<i32>(node, 0, LENGTH_WORD);
      store<i32>(node, payload, WHAT);
      store<i32>(node, first, FIRST);
      store<i32>(node, second, SECOND);
      store<i32>(node, third, THIRD);
      if (unlisted !== 0) {
        // Copies that come together again are read once.
        if (third === second || third === first) {
          unlisted -= i32(load<i32>(at(nodes, third), LEAF) !== 0);
          third = NONE;
        }
        if (second === first) {
          unlisted -= i32(load<i32>(at(nodes, second), LEAF) !== 0);
          second = NONE;
        }
      }
      // What is emitted for the arguments, one after the other, comes before the node.
      let leaf = value;
      leaf = prepend(nodes, third, leaf);
      leaf = prepend(nodes, second, leaf);
      leaf = prepend(nodes, first, leaf);
      store<i32>(node, leaf, LEAF);
      words = SHAPED_WORDS;
      entries += args;
    } else if (type === INPUT) {
      if (<u32>payload >= load<u32>(INPUT_COUNT)) break;
      stack = word(inputStacks, payload);
      if (stack >= load<i32>(STACK_COUNT)) break;
      value = FIRST_INPUT + payload * LEAF_WORDS;
    } else if (type === CONSTANT) {
      stack = load<u16>(next, 2);
      if (stack >= load<i32>(STACK_COUNT)) break;
      const node = at(nodes, value);
      v128.store(node, constantText(payload, v128.load((<usize>stack) << 4, CONSTANTS)));
      store<i32>(node, WHAT_CONSTANT - stack, WHAT);
      store<i32>(node, 0, LEAF);
      store<i32>(node, payload, BITS);
      words = LEAF_WORDS;
    } else if (type === META) {
      stack = load<u16>(next, 2);
      if (stack >= load<i32>(STACK_COUNT)) break;
      const first = stacks + STACK_PAD + <usize>stack * room;
      const end = stack === current ? top : first + sizeOf(stack);
      if (payload === SWAP) {
        // The last two at once.
        if (end - first > 4) store<u64>(end - 8, rotl<u64>(load<u64>(end - 8), 32));
        continue;
      }
      if (payload !== DUP) break;
      if (end === first) continue;
      value = load<i32>(end - 4);
      unlisted += i32(load<i32>(at(nodes, value), LENGTH_WORD) === 0);
      entries = 0;
    } else {
      break;
    }
    if (stack !== current) {
      setSize(current, top - bottom);
      current = stack;
      bottom = stacks + STACK_PAD + <usize>stack * room;
      top = bottom + sizeOf(stack);
    }
    if (top - bottom >= room) break;
    store<i32>(top, value);
    top += 4;
    nodeEnd += words;
    ast += entries;
  }
  setSize(current, top - bottom);
  store<i32>(NODE_END, nodeEnd);
  store<i32>(AST_USED, ast);
  store<i32>(UNLISTED, unlisted);
  return next;
}

/** Counts the digits at the end of the text at `text` up by ten; `number` is the number that it then shows. */
function carry(text: usize, number: i32): void {
  const length: usize = load<u8>(text, LENGTH);
  let digit = text + length - 4;
  while (load<u8>(digit) === 0x39) store<u8>(digit--, 0x30);
  const character = load<u8>(digit);
  if (character !== 0x5f) {
    store<u8>(digit, character + 1);
  } else if (<i32>length === MOST_CHARACTERS) {
    store<i32>(text, number);
    store<i32>(text, TEXT_LONG, LENGTH_WORD);
  } else {
    // All were nines: a one before as many zeros.
    store<u8>(digit, 0x31, 1);
    store<u8>(text + length - 2, 0x30);
    store<u16>(text + length - 1, 0x202c);
    store<u8>(text, <u8>(length + 1), LENGTH);
  }
}

/** Gives a result the next register of its stack. The text of a stack has a zero as its last digit. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function giveRegister(node: usize, stack: i32): void {
  const text = REGISTER_TEXTS + ((<usize>stack) << 4);
  const number = load<i32>((<usize>stack) << 2, REGISTER_COUNTS);
  store<i32>((<usize>stack) << 2, number + 1, REGISTER_COUNTS);
  const length = load<i8>(text, LENGTH);
  if (length < 0) {
    store<i32>(text, number);
    v128.store(node, v128.load(text));
    return;
  }
  const unit = number % 10;
  const digit = v128.and(i8x16.splat(<i8>unit), v128.load((<usize>length) << 4, DIGITS));
  v128.store(node, i8x16.add(v128.load(text), digit));
  if (unit === 9) carry(text, number + 1);
}

/** Walks from the entries on the visit stack, gives registers and orders nodes, until something else is needed. */
export function walkCommon(): void {
  const nodes: usize = load<u32>(NODES);
  const visit: usize = load<u32>(VISIT);
  const order: usize = load<u32>(ORDER);
  const lastDepth = load<i32>(LAST_DEPTH);
  const lastOrdered = load<i32>(LAST_ORDERED);
  let depth = load<i32>(VISIT_DEPTH);
  let ordered = load<i32>(ORDER_COUNT);
  if (load<i32>(UNLISTED) === 0) {
    // No value is read twice, and each node names the one to emit after it.
    for (; depth > 0; depth--) {
      const last = word(visit, depth - 1);
      let entry = load<i32>(at(nodes, last), LEAF);
      while (entry !== 0) {
        const node = at(nodes, entry);
        setWord(order, ordered++, entry);
        giveRegister(node, shapeOf(load<i32>(node, WHAT)) >> 16);
        entry = entry === last ? 0 : load<i32>(node, NEXT);
      }
    }
  }
  while (depth > 0) {
    let entry = word(visit, depth - 1);
    if (entry >= 0) {
      const node = at(nodes, entry);
      if (load<i32>(node, LENGTH_WORD) !== 0) {
        depth--;
        continue;
      }
      const what = load<i32>(node, WHAT);
      if (what < 0 || shapeOf(what) === 0 || depth > lastDepth) break;
      setWord(visit, depth - 1, ~entry);
      const before = depth;
      const third = load<i32>(node, THIRD);
      setWord(visit, depth, third);
      depth += i32(load<i32>(at(nodes, third), LENGTH_WORD) === 0);
      const second = load<i32>(node, SECOND);
      setWord(visit, depth, second);
      depth += i32(load<i32>(at(nodes, second), LENGTH_WORD) === 0);
      const first = load<i32>(node, FIRST);
      setWord(visit, depth, first);
      depth += i32(load<i32>(at(nodes, first), LENGTH_WORD) === 0);
      if (depth !== before) continue;
      entry = ~entry;
    }
    const node = at(nodes, ~entry);
    const what = load<i32>(node, WHAT);
    if (what < 0 || ordered > lastOrdered) break;
    const packed = shapeOf(what);
    if (packed === 0) break;
    giveRegister(node, packed >> 16);
    setWord(order, ordered, ~entry);
    ordered++;
    depth--;
  }
  store<i32>(VISIT_DEPTH, depth);
  store<i32>(ORDER_COUNT, ordered);
}

/** Prints lines at address `start` up to line `endLine`, until something else is needed; returns the address behind. */
export function printCommon(start: usize, endLine: i32): usize {
  const nodes: usize = load<u32>(NODES);
  const order: usize = load<u32>(ORDER);
  let line = load<i32>(LINE);
  let end = start;
  for (; line < endLine; line++) {
    const node = at(nodes, word(order, line));
    const instruction = load<i32>(node, WHAT);
    if (instruction < 0 || shapeOf(instruction) === 0) break;
    const first = at(nodes, load<i32>(node, FIRST));
    const second = at(nodes, load<i32>(node, SECOND));
    const third = at(nodes, load<i32>(node, THIRD));
    const length0 = load<i8>(node, LENGTH);
    const length1 = load<i8>(first, LENGTH);
    const length2 = load<i8>(second, LENGTH);
    const length3 = load<i8>(third, LENGTH);
    const length = load<i32>((<usize>instruction) << 2, MNEMONIC_LENGTHS);
    if ((length0 | length1 | length2 | length3) < 0 || length > PIECE_BYTES) break;
    const mnemonic = MNEMONICS + <usize>(instruction * PIECE_BYTES);
    v128.store(end, v128.load(mnemonic));
    store<u64>(end, load<u64>(mnemonic, 16), 16);
    end += <usize>length;
    v128.store(end, v128.load(node));
    end += <usize>length0;
    v128.store(end, v128.load(first));
    end += <usize>length1;
    v128.store(end, v128.load(second));
    end += <usize>length2;
    v128.store(end, v128.load(third));
    end += <usize>length3;
    store<u16>(end - 2, 0x0a3b);
  }
  store<i32>(LINE, line);
  return end;
}
