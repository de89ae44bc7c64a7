// The values of all nodes of a formula on some rows.

import { AstWord } from "../../spaces/ast-layout.js";
import type { AstSymbols } from "../../spaces/ast-symbols.js";
import { RESULTS } from "./operations.js";

/** Evaluates formulas; the same object evaluates one after the other. */
export class NodeValues {
  /** The values of node k are those from `k * rows` on. */
  values = new Float64Array(0);
  /** For each node the first node of its subtree, and the number of its symbol. */
  first = new Int32Array(0);
  symbol = new Int32Array(0);
  count = 0;
  readonly rows: number;
  readonly symbols: AstSymbols;
  readonly #columns: readonly Float64Array[];
  readonly #roots: number[] = [];
  readonly #bits = new Uint32Array(1);
  readonly #float = new Float32Array(this.#bits.buffer);

  constructor(symbols: AstSymbols, columns: readonly Float64Array[], rows: number) {
    this.symbols = symbols;
    this.#columns = columns;
    this.rows = rows;
  }

  /** Whether an operator can be evaluated. */
  knows(symbol: number): boolean {
    return RESULTS[this.symbols.name(symbol)] !== undefined;
  }

  /** Evaluates all nodes. Returns false for a formula with an operator that is not known. */
  run(words: Uint32Array, start: number, end: number): boolean {
    const { rows, symbols } = this;
    const count = (end - start) / AstWord.perInstruction;
    if (this.first.length < count) {
      this.first = new Int32Array(2 * count);
      this.symbol = new Int32Array(2 * count);
      this.values = new Float64Array(2 * count * rows);
    }
    const roots = this.#roots;
    roots.length = 0;
    for (let node = 0; node < count; node++) {
      const payload = words[start + AstWord.perInstruction * node + 1]!;
      const number = symbols.numberOf(words[start + AstWord.perInstruction * node]!, payload);
      const arity = symbols.arity[number]!;
      const operands = roots.length - arity;
      this.symbol[node] = number;
      this.first[node] = arity === 0 ? node : this.first[roots[operands]!]!;
      if (arity > 0) {
        if (!this.#apply(node, number, operands, arity)) return false;
        roots.length = operands;
      } else if (number === symbols.constant) {
        this.#bits[0] = payload;
        this.values.fill(this.#float[0]!, node * rows, (node + 1) * rows);
      } else {
        this.values.set(this.#columns[number - symbols.firstInput]!, node * rows);
      }
      roots.push(node);
    }
    this.count = count;
    return true;
  }

  #apply(node: number, number: number, operands: number, arity: number): boolean {
    const compute = RESULTS[this.symbols.name(number)];
    if (compute === undefined) return false;
    const { rows, values } = this;
    const a = this.#roots[operands]! * rows;
    const b = arity > 1 ? this.#roots[operands + 1]! * rows : a;
    const c = arity > 2 ? this.#roots[operands + 2]! * rows : a;
    const to = node * rows;
    for (let row = 0; row < rows; row++)
      values[to + row] = compute(values[a + row]!, values[b + row]!, values[c + row]!);
    return true;
  }
}
