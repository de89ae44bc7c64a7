// What straight-line code consists of: counts that archives use as measures.
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { OperandCounts } from "./operand-counts.js";

/** What has been counted of the code. */
const enum Counted {
  items = 1,
  inputs = 2,
  depth = 4,
  names = 8,
}

/** Counts what a code consists of, when it is asked for; the same object reads one code after the other. */
export class CodeShape {
  readonly #operands = new OperandCounts();
  readonly #names = new Uint32Array(OperationField.nameMask + 1);
  #words: Uint32Array = new Uint32Array(0);
  #start = 0;
  /** Flags of `Counted`. */
  #counted = 0;
  #constants = 0;
  #reads = 0;
  #end = 0;
  #inputs = 0;
  #depth = 0;
  #depths = new Uint16Array(256);
  /** For each input: the number of the code that read it last. */
  readonly #stamps: number[] = [];
  #stamp = 0;

  /** Begins with the code of the words from `start` on. They must not change before everything was asked for. */
  read(words: Uint32Array, start: number): void {
    this.#words = words;
    this.#start = start;
    this.#counted = 0;
  }

  /** The number of instructions. */
  get instructions(): number {
    this.#countItems();
    return this.#words[this.#start + CodeWord.itemCount]! - this.#constants - this.#reads;
  }

  /** The number of constants. */
  get constants(): number {
    this.#countItems();
    return this.#constants;
  }

  /** The index of the first word after the items. */
  get end(): number {
    this.#countItems();
    return this.#end;
  }

  /** The number of inputs that the code uses. */
  get inputs(): number {
    if (this.#begins(Counted.inputs)) this.#countInputs();
    return this.#inputs;
  }

  /** The greatest number of instructions on a way from an input or a constant to an output. */
  get depth(): number {
    if (this.#begins(Counted.depth)) this.#findDepth();
    return this.#depth;
  }

  /** How many items have each name, by its index in `CODE_NAMES`. */
  get names(): Uint32Array {
    if (this.#begins(Counted.names)) this.#countNames();
    return this.#names;
  }

  /** Whether something has not been counted yet; from now on it has. */
  #begins(what: Counted): boolean {
    const isNew = (this.#counted & what) === 0;
    this.#counted |= what;
    return isNew;
  }

  #countItems(): void {
    if (!this.#begins(Counted.items)) return;
    const words = this.#words;
    let constants = 0;
    let reads = 0;
    let at = this.#start + CodeWord.header;
    for (let left = words[this.#start + CodeWord.itemCount]!; left > 0; left--) {
      const operation = words[at]!;
      const name = operation & OperationField.nameMask;
      // Sums of comparisons, because processors cannot predict what comes next.
      constants += name === CodeName.constant ? 1 : 0;
      reads += name === CodeName.input ? 1 : 0;
      at += 1 + this.#operands.of(operation);
    }
    this.#constants = constants;
    this.#reads = reads;
    this.#end = at;
  }

  #countInputs(): void {
    const words = this.#words;
    const stamps = this.#stamps;
    const stamp = ++this.#stamp;
    let inputs = 0;
    let at = this.#start + CodeWord.header;
    for (let left = words[this.#start + CodeWord.itemCount]!; left > 0; left--) {
      const operation = words[at]!;
      if ((operation & OperationField.nameMask) === CodeName.input) {
        const input = words[at + 1]!;
        if (stamps[input] !== stamp) inputs++;
        stamps[input] = stamp;
      }
      at += 1 + this.#operands.of(operation);
    }
    this.#inputs = inputs;
  }

  #findDepth(): void {
    const words = this.#words;
    const items = words[this.#start + CodeWord.itemCount]!;
    if (this.#depths.length < items) this.#depths = new Uint16Array(2 * items);
    const depths = this.#depths;
    let deepest = 0;
    let at = this.#start + CodeWord.header;
    for (let item = 0; item < items; item++) {
      const operation = words[at++]!;
      const name = operation & OperationField.nameMask;
      const operands = this.#operands.of(operation);
      let depth = 0;
      if (name !== CodeName.input && name !== CodeName.constant) {
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
    this.#depth = deepest;
  }

  #countNames(): void {
    const words = this.#words;
    const names = this.#names;
    names.fill(0);
    let at = this.#start + CodeWord.header;
    for (let left = words[this.#start + CodeWord.itemCount]!; left > 0; left--) {
      const operation = words[at]!;
      names[operation & OperationField.nameMask]!++;
      at += 1 + this.#operands.of(operation);
    }
  }
}
