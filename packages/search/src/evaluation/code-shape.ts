// What straight-line code consists of: counts that archives use as measures.
import { CODE_NAMES, operandsOf } from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";

/** Names whose numbers of operands depend on the modifiers. */
const VARYING = ["setp", "set", "cvt"];

/** Reads codes; the same object reads one after the other. */
export class CodeShape {
  /** The number of instructions. */
  instructions = 0;
  constants = 0;
  /** The number of inputs that the code uses. */
  inputs = 0;
  /** The greatest number of instructions on a way from an input or a constant to an output. */
  depth = 0;
  /** How many instructions have each name, by its index in `CODE_NAMES`. */
  readonly names: Uint32Array = new Uint32Array(OperationField.nameMask + 1);
  /** The numbers of operands by names, -1 for unknown ones and those that depend on the rest of an operation. */
  readonly #operands = new Int8Array(OperationField.nameMask + 1).fill(-1);
  readonly #varying = new Map<number, number>();
  #depths = new Uint16Array(256);
  /** For each input: the number of the code that read it last. */
  readonly #stamps: number[] = [];
  #stamp = 0;
  #last = -1;

  /** Reads the code of the words from `start` on. */
  read(words: Uint32Array, start: number): void {
    const items = words[start + CodeWord.itemCount]!;
    if (this.#depths.length < items) this.#depths = new Uint16Array(2 * items);
    const [depths, names] = [this.#depths, this.names];
    names.fill(0);
    let constants = 0;
    let inputs = 0;
    let reads = 0;
    const stamp = ++this.#stamp;
    let deepest = 0;
    let at = start + CodeWord.header;
    for (let item = 0; item < items; item++) {
      const operation = words[at++]!;
      const name = operation & OperationField.nameMask;
      names[name]!++;
      const known = this.#operands[name]!;
      const operands = known >= 0 ? known : this.#count(operation);
      let depth = 0;
      if (name === CodeName.input) {
        reads++;
        const input = words[at]!;
        if (this.#stamps[input] !== stamp) {
          this.#stamps[input] = stamp;
          inputs++;
        }
      } else if (name === CodeName.constant) constants++;
      else {
        for (let operand = 0; operand < operands; operand++) {
          const below = depths[words[at + operand]!]!;
          if (below > depth) depth = below;
        }
        depth++;
        if (depth > deepest) deepest = depth;
      }
      depths[item] = depth;
      at += operands;
    }
    this.constants = constants;
    this.inputs = inputs;
    this.depth = deepest;
    this.instructions = items - constants - reads;
    this.#last = at;
  }

  /** The index of the first word after the items that were read last. */
  get end(): number {
    return this.#last;
  }

  #count(operation: number): number {
    let operands = this.#varying.get(operation);
    if (operands !== undefined) return operands;
    operands = operandsOf(operation);
    const name = operation & OperationField.nameMask;
    if (VARYING.includes(CODE_NAMES[name]!) || name === CodeName.constant)
      this.#varying.set(operation, operands);
    else this.#operands[name] = operands;
    return operands;
  }
}
