// The walk for WebAssembly: it does what src/loops/walk.ts does, on the same data. Where the lists are valid, it
// follows them instead.
import {
  DIGITS,
  FIRST,
  LAST_DEPTH,
  LAST_ORDERED,
  LEAF,
  LENGTH,
  LENGTH_WORD,
  MOST_CHARACTERS,
  NEXT,
  NODES,
  ORDER,
  ORDER_COUNT,
  REGISTER_COUNTS,
  REGISTER_TEXTS,
  SECOND,
  TEXT_LONG,
  THIRD,
  UNLISTED,
  VISIT,
  VISIT_DEPTH,
  WHAT,
  at,
  setWord,
  shapeOf,
  word,
} from "./layout";

/** Adds ten to the number that ends the text at `text`, whose last digit is zero; `number` is the result. */
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
    // All digits were nines: a one followed by as many zeros.
    store<u8>(digit, 0x31, 1);
    store<u8>(text + length - 2, 0x30);
    store<u16>(text + length - 1, 0x202c);
    store<u8>(text, <u8>(length + 1), LENGTH);
  }
}

/** Assigns a result the next register of its stack. The text of a stack ends in the digit zero. */
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

/** Walks from the entries on the visit stack, assigns registers and orders nodes, until something else is needed. */
export function walkCommon(): void {
  const nodes: usize = load<u32>(NODES);
  const visit: usize = load<u32>(VISIT);
  const order: usize = load<u32>(ORDER);
  const lastDepth = load<i32>(LAST_DEPTH);
  const lastOrdered = load<i32>(LAST_ORDERED);
  let depth = load<i32>(VISIT_DEPTH);
  let ordered = load<i32>(ORDER_COUNT);
  if (load<i32>(UNLISTED) === 0) {
    // No value is read twice, and each node names the one that is emitted after it.
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
