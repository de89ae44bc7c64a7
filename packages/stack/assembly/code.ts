// The loop that writes straight-line code for WebAssembly (AssemblyScript), on the same memory as index.ts. It handles the
// common cases and stops where the general code of src/code has to continue.
import {
  BITS,
  FIRST,
  LENGTH_WORD,
  LINES_END,
  LINES_LINE,
  LINES_NAMED,
  NUMBER_BITS,
  SECOND,
  THIRD,
  WHAT,
  WHAT_CONSTANT,
  at,
  shapeOf,
  word,
} from "./layout";

/**
 * Writes the items of instructions with a shape, from `LINES_LINE` up to `stop`, with those of their operands that have
 * none yet, at address `LINES_END`, until something else is needed.
 * @param operations one word for each instruction, 0 or -1 for those that need the general code
 * @param constants the operation that makes a constant of each stack, 0 for those that need the general code
 */
export function writeCommonCode(
  state: usize,
  nodes: usize,
  order: usize,
  operations: usize,
  constants: usize,
  stop: i32,
): void {
  let line = load<i32>(state, LINES_LINE);
  let items = load<i32>(state, LINES_NAMED);
  let end = <usize>load<u32>(state, LINES_END);
  for (; line < stop; line++) {
    const node = at(nodes, word(order, line));
    const what = load<i32>(node, WHAT);
    if (what < 0) break;
    const args = shapeOf(what) & 3;
    const operation = word(operations, what);
    if (args === 0 || operation === 0 || operation === -1) break;
    const operands = (<usize>args) << 2;
    for (let operand: usize = 0; operand < operands; operand += 4) {
      const value = at(nodes, load<i32>(node + operand, FIRST));
      const known = load<i32>(value, LENGTH_WORD);
      // The stack of a constant; other values have no number that small. Inputs have their operation in the first word.
      const stack = WHAT_CONSTANT - load<i32>(value, WHAT);
      const constant = i32(<u32>stack < 0x10000);
      const leaf = select<i32>(word(constants, stack & -constant), load<i32>(value), constant);
      // The item is written in any case and counts if the value has no number yet: a branch would be unpredictable.
      const counts = i32(known >>> NUMBER_BITS !== 0);
      // Items have the same order whoever writes them.
      if ((counts & i32(leaf === 0)) !== 0) break;
      store<i32>(end, leaf);
      store<i32>(end, load<i32>(value, BITS), 4);
      store<i32>(value, select<i32>(items, known, counts), LENGTH_WORD);
      end += (<usize>counts) << 3;
      items += counts;
    }
    const first = load<i32>(at(nodes, load<i32>(node, FIRST)), LENGTH_WORD);
    const second = load<i32>(at(nodes, load<i32>(node, SECOND)), LENGTH_WORD);
    const third = load<i32>(at(nodes, load<i32>(node, THIRD)), LENGTH_WORD);
    if ((first | second | third) >>> NUMBER_BITS !== 0) break;
    store<i32>(end, operation);
    store<i32>(end, first, 4);
    store<i32>(end, second, 8);
    store<i32>(end, third, 12);
    end += 4 + operands;
    store<i32>(node, items++, LENGTH_WORD);
  }
  store<i32>(state, line, LINES_LINE);
  store<i32>(state, items, LINES_NAMED);
  store<u32>(state, <u32>end, LINES_END);
}
