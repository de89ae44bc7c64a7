// The three hot loops of the compiler for WebAssembly (AssemblyScript): what run.ts, walk.ts and print.ts of src/loops
// do, on the same data, at the addresses that src/loops/memory.ts gives. Nothing is checked here that the memory's own
// bounds do not check: every index comes from data that the compiler wrote or compared before. The numbers are those of
// src/layout.ts, src/workspace.ts and src/emit; tests run all programs through both.

export { writeCommonLines } from "./analysis";

// Words of the control block, at address 0: `Control` of src/loops/memory.ts.
const NODES: usize = 0 << 2;
const SIZES: usize = 1 << 2;
const STACKS: usize = 2 << 2;
const STRIDE: usize = 3 << 2;
const SHAPE: usize = 4 << 2;
const INSTRUCTION_COUNT: usize = 5 << 2;
const STACK_COUNT: usize = 6 << 2;
const INPUT_STACKS: usize = 7 << 2;
const INPUT_COUNT: usize = 8 << 2;
const LAST_AST: usize = 9 << 2;
const NODE_END: usize = 10 << 2;
const AST_USED: usize = 11 << 2;
const VISIT: usize = 12 << 2;
const VISIT_DEPTH: usize = 13 << 2;
const LAST_DEPTH: usize = 14 << 2;
const ORDER: usize = 15 << 2;
const ORDER_COUNT: usize = 16 << 2;
const LAST_ORDERED: usize = 17 << 2;
const REGISTER_COUNTS: usize = 18 << 2;
const CHUNKS: usize = 19 << 2;
const LENGTHS: usize = 20 << 2;
const MNEMONICS: usize = 21 << 2;
const MNEMONIC_LENGTHS: usize = 22 << 2;
const TEXTS: usize = 23 << 2;
const CONSTANTS: usize = 24 << 2;
const HEX_PAIRS: usize = 25 << 2;
const LINE: usize = 26 << 2;

const PTX: i32 = 1;
const CONSTANT: i32 = 2;
const INPUT: i32 = 3;
const STACK_PAD: i32 = 2;
const FIRST_INPUT: i32 = 2;
const SHAPED_WORDS: i32 = 5;
const TEXT_NUMBER: i32 = 0x40000000;
const CHUNK_REGISTERS: i32 = 1024;
const PIECE_BYTES: i32 = 24;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function word(base: usize, index: i32): i32 {
  return load<i32>(base + ((<usize>index) << 2));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function setWord(base: usize, index: i32, value: i32): void {
  store<i32>(base + ((<usize>index) << 2), value);
}

/** Runs instructions from address `start` to `stop`; returns the address of the first that it did not run. */
export function runCommon(start: usize, stop: usize): usize {
  const nodes: usize = load<u32>(NODES);
  const sizes: usize = load<u32>(SIZES);
  const stacks: usize = load<u32>(STACKS);
  const stride = load<i32>(STRIDE);
  const shape: usize = load<u32>(SHAPE);
  const instructionCount = load<u32>(INSTRUCTION_COUNT);
  const stackCount = load<i32>(STACK_COUNT);
  const inputStacks: usize = load<u32>(INPUT_STACKS);
  const inputCount = load<u32>(INPUT_COUNT);
  const lastAst = load<i32>(LAST_AST);
  let nodeEnd = load<i32>(NODE_END);
  let ast = load<i32>(AST_USED);
  let at = start;
  while (at < stop && ast <= lastAst) {
    const head = load<i32>(at);
    const payload = load<i32>(at, 4);
    const type = head & 0xffff;
    if (type === PTX) {
      if (<u32>payload >= instructionCount) break;
      const packed = word(shape, payload);
      const args = packed & 3;
      if (args === 0) break;
      const from = (packed >> 2) & 0x3fff;
      const to = packed >> 16;
      const size = word(sizes, from) - args;
      if (size >= 0) {
        const top = stacks + ((<usize>(STACK_PAD - 1 + from * stride + size + args)) << 2);
        const second = load<i32>(top - 4) & ((1 - args) >> 31);
        const third = load<i32>(top - 8) & ((2 - args) >> 31);
        const resultSize = from === to ? size : word(sizes, to);
        if (resultSize >= stride) break;
        const node = nodes + ((<usize>nodeEnd) << 2);
        store<i32>(node, payload);
        store<i32>(node, 0, 4);
        store<i32>(node, load<i32>(top), 8);
        store<i32>(node, second, 12);
        store<i32>(node, third, 16);
        setWord(sizes, from, size);
        setWord(stacks, STACK_PAD + to * stride + resultSize, nodeEnd);
        setWord(sizes, to, resultSize + 1);
        nodeEnd += SHAPED_WORDS;
        ast += args + 1;
      }
    } else if (type === INPUT) {
      if (<u32>payload >= inputCount) break;
      const stack = word(inputStacks, payload);
      if (stack >= stackCount) break;
      const size = word(sizes, stack);
      if (size >= stride) break;
      setWord(stacks, STACK_PAD + stack * stride + size, FIRST_INPUT + payload * 2);
      setWord(sizes, stack, size + 1);
      ast++;
    } else if (type === CONSTANT) {
      const stack = <i32>(<u32>head >>> 16);
      if (stack >= stackCount) break;
      const size = word(sizes, stack);
      if (size >= stride) break;
      setWord(nodes, nodeEnd, payload);
      setWord(nodes, nodeEnd + 1, -1 - stack);
      setWord(stacks, STACK_PAD + stack * stride + size, nodeEnd);
      setWord(sizes, stack, size + 1);
      nodeEnd += 2;
      ast++;
    } else {
      break;
    }
    at += 8;
  }
  store<i32>(NODE_END, nodeEnd);
  store<i32>(AST_USED, ast);
  return at;
}

/** Walks from the entries on the visit stack, gives registers and orders nodes, until something else is needed. */
export function walkCommon(): void {
  const nodes: usize = load<u32>(NODES);
  const shape: usize = load<u32>(SHAPE);
  const visit: usize = load<u32>(VISIT);
  const order: usize = load<u32>(ORDER);
  const registerCounts: usize = load<u32>(REGISTER_COUNTS);
  const chunks: usize = load<u32>(CHUNKS);
  const lengths: usize = load<u32>(LENGTHS);
  const lastDepth = load<i32>(LAST_DEPTH);
  const lastOrdered = load<i32>(LAST_ORDERED);
  let depth = load<i32>(VISIT_DEPTH);
  let ordered = load<i32>(ORDER_COUNT);
  while (depth > 0) {
    const entry = word(visit, depth - 1);
    if (entry >= 0) {
      const node = nodes + ((<usize>entry) << 2);
      if (load<i32>(node, 4) !== 0) {
        depth--;
        continue;
      }
      const what = load<i32>(node);
      if (what < 0 || word(shape, what) === 0 || depth > lastDepth) break;
      setWord(visit, depth - 1, ~entry);
      const third = load<i32>(node, 16);
      setWord(visit, depth, third);
      depth += i32(load<i32>(nodes + ((<usize>third) << 2), 4) === 0);
      const second = load<i32>(node, 12);
      setWord(visit, depth, second);
      depth += i32(load<i32>(nodes + ((<usize>second) << 2), 4) === 0);
      const first = load<i32>(node, 8);
      setWord(visit, depth, first);
      depth += i32(load<i32>(nodes + ((<usize>first) << 2), 4) === 0);
      continue;
    }
    const node = ~entry;
    const what = word(nodes, node);
    if (what < 0 || ordered > lastOrdered) break;
    const packed = word(shape, what);
    if (packed === 0) break;
    const stack = packed >> 16;
    const number = word(registerCounts, stack);
    if (number >= CHUNK_REGISTERS) break;
    const firstText = word(chunks, stack * 16 + (number >> 6));
    if (firstText === 0) break;
    const text = firstText + (number & 63);
    setWord(nodes, node + 1, (text << 5) | <i32>load<u8>(lengths + <usize>text));
    setWord(registerCounts, stack, number + 1);
    setWord(order, ordered, node);
    ordered++;
    depth--;
  }
  store<i32>(VISIT_DEPTH, depth);
  store<i32>(ORDER_COUNT, ordered);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function writeOperand(at: usize, nodes: usize, node: i32, text: i32, texts: usize, constants: usize, hex: usize): usize {
  if (text >= 0) {
    const words = texts + ((<usize>(text >> 5)) << 4);
    store<u64>(at, load<u64>(words));
    store<u64>(at, load<u64>(words, 8), 8);
    return at + <usize>(text & 31);
  }
  const bits = load<u32>(nodes + ((<usize>node) << 2));
  const form = load<u8>(constants + <usize>(-1 - text));
  store<u16>(at, form === 0 ? 0x6630 : 0x7830);
  store<u16>(at, load<u16>(hex + ((<usize>(bits >>> 24)) << 1)), 2);
  store<u16>(at, load<u16>(hex + ((<usize>((bits >>> 16) & 0xff)) << 1)), 4);
  store<u16>(at, load<u16>(hex + ((<usize>((bits >>> 8) & 0xff)) << 1)), 6);
  store<u16>(at, load<u16>(hex + ((<usize>(bits & 0xff)) << 1)), 8);
  if (form !== 2) {
    store<u16>(at, 0x202c, 10);
    return at + 12;
  }
  store<u8>(at, 0x55, 10);
  store<u16>(at, 0x202c, 11);
  return at + 13;
}

/** Prints lines at address `start` up to line `endLine`, until something else is needed; returns the address behind. */
export function printCommon(start: usize, endLine: i32): usize {
  const nodes: usize = load<u32>(NODES);
  const shape: usize = load<u32>(SHAPE);
  const order: usize = load<u32>(ORDER);
  const mnemonics: usize = load<u32>(MNEMONICS);
  const mnemonicLengths: usize = load<u32>(MNEMONIC_LENGTHS);
  const texts: usize = load<u32>(TEXTS);
  const constants: usize = load<u32>(CONSTANTS);
  const hex: usize = load<u32>(HEX_PAIRS);
  let line = load<i32>(LINE);
  let at = start;
  for (; line < endLine; line++) {
    const offset = word(order, line);
    const node = nodes + ((<usize>offset) << 2);
    const instruction = load<i32>(node);
    if (instruction < 0 || word(shape, instruction) === 0) break;
    const first = load<i32>(node, 8);
    const second = load<i32>(node, 12);
    const third = load<i32>(node, 16);
    const text0 = load<i32>(node, 4);
    const text1 = word(nodes, first + 1);
    const text2 = word(nodes, second + 1);
    const text3 = word(nodes, third + 1);
    if (text0 >= TEXT_NUMBER || text1 >= TEXT_NUMBER || text2 >= TEXT_NUMBER || text3 >= TEXT_NUMBER) break;
    const length = word(mnemonicLengths, instruction);
    if (length > PIECE_BYTES) break;
    const words = mnemonics + <usize>(instruction * PIECE_BYTES);
    store<u64>(at, load<u64>(words));
    store<u64>(at, load<u64>(words, 8), 8);
    store<u64>(at, load<u64>(words, 16), 16);
    at += <usize>length;
    const words0 = texts + ((<usize>(text0 >> 5)) << 4);
    store<u64>(at, load<u64>(words0));
    store<u64>(at, load<u64>(words0, 8), 8);
    at += <usize>(text0 & 31);
    at = writeOperand(at, nodes, first, text1, texts, constants, hex);
    at = writeOperand(at, nodes, second, text2, texts, constants, hex);
    at = writeOperand(at, nodes, third, text3, texts, constants, hex);
    store<u16>(at - 2, 0x0a3b);
  }
  store<i32>(LINE, line);
  return at;
}
