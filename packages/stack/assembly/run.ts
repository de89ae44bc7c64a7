// The fetch loop for WebAssembly (AssemblyScript): it does what src/loops/run.ts does, on the same data, and also runs
// three meta operations. It builds the lists of what is emitted as well: see `Node.next` and `Node.leaf`.
import {
  AST_USED,
  BITS,
  CONSTANT,
  CONSTANTS,
  DUP,
  FIRST,
  FIRST_INPUT,
  INPUT,
  INPUT_COUNT,
  INPUT_STACKS,
  INSTRUCTION_COUNT,
  LAST_AST,
  LEAF,
  LEAF_WORDS,
  LENGTH_WORD,
  META,
  MIXED,
  NEXT,
  NODES,
  NODE_END,
  NONE,
  PTX,
  ROTATE,
  SECOND,
  SHAPED_WORDS,
  SIZES,
  STACKS,
  STACK_COUNT,
  STACK_PAD,
  STRIDE,
  SWAP,
  THIRD,
  UNLISTED,
  WHAT,
  WHAT_CONSTANT,
  at,
  rotate,
  shapeOf,
  swap,
  word,
} from "./layout";

/** The text of a constant: `form`, with the eight digits of `bits` in the places that it leaves free. */
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
  // Places that do not hold a digit contribute no bits.
  const places = v128.or(digits, i8x16(-1, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1));
  const characters = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 65, 66, 67, 68, 69, 70);
  return v128.or(form, i8x16.swizzle(characters, places));
}

/**
 * Puts what an argument emits in front of a list; returns the first node of both. An input or a constant emits nothing.
 */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function prepend(nodes: usize, argument: i32, first: i32): i32 {
  const node = at(nodes, argument);
  store<i32>(node, first, NEXT);
  const leaf = load<i32>(node, LEAF);
  // There is no branch, because the kind of the argument is unpredictable.
  return leaf | (first & -i32(leaf === 0));
}

/** The number of bytes of a stack that are in use. */
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

/**
 * Runs instructions from address `start` to `stop`; returns the address of the first instruction that it did not run.
 */
export function runCommon(start: usize, stop: usize): usize {
  const nodes: usize = load<u32>(NODES);
  const stacks: usize = load<u32>(STACKS);
  const room: usize = (<usize>load<u32>(STRIDE)) << 2;
  const inputStacks: usize = load<u32>(INPUT_STACKS);
  const lastAst = load<i32>(LAST_AST);
  let nodeEnd = load<i32>(NODE_END);
  let ast = load<i32>(AST_USED);
  let unlisted = load<i32>(UNLISTED);
  // The stack that was used last, because most instructions use the same one again. Its contents end before address
  // `top`.
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
      if (from === MIXED) break;
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
        // When both copies are popped by the same instruction, the value is read once.
        if (third === second || third === first) {
          unlisted -= i32(load<i32>(at(nodes, third), LEAF) !== 0);
          third = NONE;
        }
        if (second === first) {
          unlisted -= i32(load<i32>(at(nodes, second), LEAF) !== 0);
          second = NONE;
        }
      }
      // What the arguments emit, one after the other, comes before the node.
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
        if (end - first > 4) swap(end);
        continue;
      }
      if (payload === ROTATE) {
        if (end - first > 8) rotate(end);
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
