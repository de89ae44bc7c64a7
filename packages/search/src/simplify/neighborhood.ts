// One program and what could take the place of its values: which values are free to use, and whether outputs stay the same.
import { classOf, firstNode, type Graph, type GraphConstant, type GraphNode, rebuilt } from "./graph.js";
import type { WordOperation } from "./operations.js";
import { evaluateGraph, type Rows } from "./rows.js";
import { evaluate } from "./scalar.js";

/** New nodes, whose operands are values of the graph and, after them, the nodes before; the last one or `value` replaces something. */
export interface Replacement {
  readonly nodes: readonly GraphNode[];
  readonly value: number;
}

/** A graph with all constants of a pool, in their order. */
export function withConstants(graph: Graph, pool: readonly GraphConstant[]): Graph {
  const { inputs, constants } = graph;
  const moved = constants.map(({ bits, class: kind }) =>
    pool.findIndex((each) => each.bits === bits && each.class === kind),
  );
  const shift = pool.length - constants.length;
  const number = (value: number): number =>
    value < inputs.length
      ? value
      : value < inputs.length + constants.length
        ? inputs.length + moved[value - inputs.length]!
        : value + shift;
  return {
    ...graph,
    constants: pool,
    nodes: graph.nodes.map(({ operation, args }) => ({ operation, args: args.map(number) })),
    outputs: graph.outputs.map(number),
  };
}

/** A graph with its values on rows. */
export class Neighborhood {
  readonly graph: Graph;
  readonly base: number;
  /** The number of values. */
  readonly stride: number;
  readonly classes: Uint8Array;
  readonly rows: Rows;
  readonly values: Int32Array;
  readonly #target: Int32Array;
  /** Values for a try: those of the graph, except of what depends on the value that is replaced. */
  readonly #tried: Int32Array;
  #replaced = -1;
  /** The nodes that depend on the value that is replaced, in their order. */
  #dependent: GraphNode[] = [];
  #dependentValues: number[] = [];
  readonly #depends: Uint8Array;
  /** The rows in the order in which they are tried: the one that refused most first. */
  #firstRow = 0;

  /** @param target the outputs on the rows: `target[row * outputs + output]` */
  constructor(graph: Graph, rows: Rows, target: Int32Array) {
    this.graph = graph;
    this.rows = rows;
    this.#target = target;
    this.base = firstNode(graph);
    this.stride = this.base + graph.nodes.length;
    this.classes = Uint8Array.from({ length: this.stride }, (_, value) => classOf(graph, value));
    this.values = new Int32Array(rows.count * this.stride);
    evaluateGraph(graph, rows, this.stride, this.values);
    this.#tried = this.values.slice();
    this.#depends = new Uint8Array(this.stride);
  }

  /** Begins the replacements of a node's value. */
  begin(node: number): void {
    const { graph, base } = this;
    const value = base + node;
    if (this.#replaced >= 0) this.#tried.set(this.values);
    this.#replaced = value;
    const depends = this.#depends.fill(0);
    depends[value] = 1;
    this.#dependent = [];
    this.#dependentValues = [];
    for (let index = node + 1; index < graph.nodes.length; index++) {
      const each = graph.nodes[index]!;
      if (!each.args.some((arg) => depends[arg] === 1)) continue;
      depends[base + index] = 1;
      this.#dependent.push(each);
      this.#dependentValues.push(base + index);
    }
  }

  /** Whether a value may be used in place of the one that is replaced. */
  isFree(value: number): boolean {
    return this.#depends[value] === 0;
  }

  /** The number of nodes that only the value that is replaced needs, itself included. */
  ownNodes(): number {
    const { graph, base } = this;
    const value = this.#replaced;
    const needed = new Uint8Array(this.stride);
    for (const output of graph.outputs) if (output !== value) needed[output] = 1;
    let own = 0;
    for (let node = graph.nodes.length - 1; node >= 0; node--) {
      if (base + node === value || needed[base + node] === 0) own++;
      else for (const arg of graph.nodes[node]!.args) needed[arg] = 1;
    }
    return own;
  }

  /** Whether outputs stay the same with a value of the graph in this place. */
  fitsValue(value: number): boolean {
    const { stride, rows } = this;
    for (
      let turn = 0, row = this.#firstRow;
      turn < rows.count;
      turn++, row = row + 1 === rows.count ? 0 : row + 1
    ) {
      if (this.#fitsRow(row, this.values[row * stride + value]!)) continue;
      this.#firstRow = row;
      return false;
    }
    return true;
  }

  /** The same with an operation on values of the graph. */
  fitsOperation(operation: WordOperation, a: number, b: number, c: number): boolean {
    const { stride, rows, values } = this;
    for (
      let turn = 0, row = this.#firstRow;
      turn < rows.count;
      turn++, row = row + 1 === rows.count ? 0 : row + 1
    ) {
      const at = row * stride;
      if (this.#fitsRow(row, evaluate(operation, values[at + a]!, values[at + b]!, values[at + c]!, 0)))
        continue;
      this.#firstRow = row;
      return false;
    }
    return true;
  }

  /** The same with an operation on the result of another one, as operand `place`. */
  fitsTwo(
    inner: WordOperation,
    a: number,
    b: number,
    outer: WordOperation,
    other: number,
    place: number,
  ): boolean {
    const { stride, rows, values } = this;
    for (
      let turn = 0, row = this.#firstRow;
      turn < rows.count;
      turn++, row = row + 1 === rows.count ? 0 : row + 1
    ) {
      const at = row * stride;
      const made = evaluate(inner, values[at + a]!, values[at + b]!, 0, 0);
      const beside = values[at + other]!;
      const value = place === 0 ? evaluate(outer, made, beside, 0, 0) : evaluate(outer, beside, made, 0, 0);
      if (this.#fitsRow(row, value)) continue;
      this.#firstRow = row;
      return false;
    }
    return true;
  }

  #fitsRow(row: number, value: number): boolean {
    const tried = this.#tried;
    const at = row * this.stride;
    const dependent = this.#dependent;
    tried[at + this.#replaced] = value;
    for (let index = 0; index < dependent.length; index++) {
      const { operation, args } = dependent[index]!;
      const count = args.length;
      tried[at + this.#dependentValues[index]!] = evaluate(
        operation,
        tried[at + args[0]!]!,
        count > 1 ? tried[at + args[1]!]! : 0,
        count > 2 ? tried[at + args[2]!]! : 0,
        count > 3 ? tried[at + args[3]!]! : 0,
      );
    }
    const { outputs } = this.graph;
    for (let output = 0; output < outputs.length; output++) {
      if (tried[at + outputs[output]!] !== this.#target[row * outputs.length + output]) return false;
    }
    return true;
  }

  /** The graph with a replacement, without what is not needed any more. */
  replaced({ nodes, value }: Replacement): Graph {
    const { graph } = this;
    const made = { ...graph, nodes: [...graph.nodes, ...nodes] };
    return rebuilt(made, (each) => (each === this.#replaced ? value : each));
  }
}
