// The printing loop for WebAssembly: it does what src/loops/print.ts does, on the same data.
import {
  FIRST,
  LENGTH,
  LINE,
  MNEMONICS,
  MNEMONIC_LENGTHS,
  NODES,
  ORDER,
  PIECE_BYTES,
  SECOND,
  THIRD,
  WHAT,
  at,
  shapeOf,
  word,
} from "./layout";

/**
 * Prints lines at address `start`, up to line `endLine` or until something else is needed; returns the address after
 * the last byte.
 */
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
