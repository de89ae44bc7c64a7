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
