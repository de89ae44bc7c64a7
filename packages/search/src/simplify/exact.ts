// Finds the shortest program for given outputs: all programs by increasing length, depth first, whose values are all different and used.
import type { GraphConstant, GraphInput, GraphNode } from "./graph.js";
import type { WordOperation } from "./operations.js";
import type { Rows } from "./rows.js";
import { evaluate } from "./scalar.js";

/** What is searched: programs over leaves with values on some rows. */
export interface ExactProblem {
  readonly operations: readonly WordOperation[];
  /** The class of each leaf. */
  readonly classes: readonly number[];
  /** Whether a leaf is a constant: operations on constants alone are left out. */
  readonly isConstant: readonly boolean[];
  /** `leaves[leaf * rows + row]`. */
  readonly leaves: Int32Array;
  readonly rows: number;
  readonly target: Int32Array;
  readonly targetClass: number;
}

/** A program that computes the target: nodes whose operands are leaves and, after them, other nodes; the last one is the output. */
export type ExactProgram = readonly GraphNode[];

/** A node that was added. */
interface Added {
  readonly operation: WordOperation;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** The index of the operation. */
  readonly order: number;
}

/** The depth at which it looks at the clock. */
const CHECKED_DEPTH = 2;
const MOST_NODES = 8;
const TABLE = 1 << 12;

/** A search, which can be continued after each slice of time. */
export class ExactSearch {
  readonly #problem: ExactProblem;
  readonly #rows: number;
  readonly #values: Int32Array;
  readonly #classes: Uint8Array;
  readonly #constant: Uint8Array;
  /** The nodes that no other node uses, as bits. */
  #unused = 0;
  /** One less than the most operands of an operation. */
  readonly #joins: number;
  readonly #nodes: Added[] = [];
  /** For each depth: the hashes of values that were tried, with the stamps of the try. */
  readonly #hashes = Array.from({ length: MOST_NODES }, () => new Int32Array(TABLE));
  readonly #stamps = Array.from({ length: MOST_NODES }, () => new Int32Array(TABLE));
  #stamp = 0;
  readonly #found: (program: ExactProgram) => boolean;
  #left = 0;
  #until = Number.POSITIVE_INFINITY;

  /** @param found called with each program; returns whether the search ends */
  constructor(problem: ExactProblem, found: (program: ExactProgram) => boolean) {
    const leaves = problem.classes.length;
    this.#problem = problem;
    this.#rows = problem.rows;
    this.#found = found;
    this.#values = new Int32Array((leaves + MOST_NODES) * problem.rows);
    this.#values.set(problem.leaves);
    this.#classes = new Uint8Array(leaves + MOST_NODES);
    this.#classes.set(problem.classes);
    this.#constant = new Uint8Array(leaves + MOST_NODES);
    this.#constant.set(problem.isConstant.map(Number));
    this.#joins = Math.max(...problem.operations.map(({ args }) => args.length)) - 1;
  }

  /** How many more values the last `run` could have computed. */
  get left(): number {
    return this.#left;
  }

  /**
   * Tries all programs of a length.
   * @param evaluations how many values are computed at most
   * @param until the time of `performance.now` at which to stop
   * @returns `found` if `found` ended the search, `none` if there is no such program, `cut` if there may be one
   */
  run(length: number, evaluations: number, until = Number.POSITIVE_INFINITY): "found" | "none" | "cut" {
    this.#left = evaluations;
    this.#until = until;
    this.#unused = 0;
    this.#nodes.length = 0;
    const found = length <= MOST_NODES && this.#deepen(length, 0);
    return found ? "found" : this.#left <= 0 ? "cut" : "none";
  }

  /**
   * Adds the next node in all ways.
   * @param unused the number of nodes that no other node uses
   * @returns whether `found` ended the search
   */
  #deepen(left: number, unused: number): boolean {
    if (left === 1) return this.#finish(unused);
    const { operations } = this.#problem;
    const depth = this.#nodes.length;
    if (depth === CHECKED_DEPTH && performance.now() >= this.#until) this.#left = 0;
    const count = this.#problem.classes.length + depth;
    const newest = depth === 0 ? -1 : count - 1;
    const before = this.#nodes[depth - 1];
    const classes = this.#classes;
    const stamp = ++this.#stamp;
    // Each later node uses at most this many nodes more than the one that it adds.
    const most = 1 + this.#joins * (left - 1);
    for (let order = 0; order < operations.length; order++) {
      const operation = operations[order]!;
      const { args, commutes, result } = operation;
      const arity = args.length;
      for (let a = 0; a < count; a++) {
        if (classes[a] !== args[0]) continue;
        const lastB = arity > 1 ? count : 1;
        for (let b = arity > 1 && commutes ? a : 0; b < lastB; b++) {
          if (arity > 1 && classes[b] !== args[1]) continue;
          const lastC = arity > 2 ? count : 1;
          for (let c = 0; c < lastC; c++) {
            if (arity > 2 && classes[c] !== args[2]) continue;
            if (this.#isConstant(arity, a, b, c)) continue;
            const isFree = a !== newest && (arity < 2 || b !== newest) && (arity < 3 || c !== newest);
            if (isFree && before !== undefined && precedes(order, a, b, c, before)) continue;
            const mask = this.#maskOf(arity, a, b, c);
            const after = unused - ones(this.#unused & mask) + 1;
            if (after > most || !this.#isNew(operation, a, b, c, count, depth, stamp, this.#unused & mask)) {
              if (this.#left <= 0) return false;
              continue;
            }
            const kept = this.#unused;
            this.#unused = (kept & ~mask) | (1 << depth);
            classes[count] = result;
            this.#constant[count] = 0;
            this.#nodes.push({ operation, a, b, c, order });
            const found = this.#deepen(left - 1, after);
            this.#nodes.pop();
            this.#unused = kept;
            if (found) return true;
            if (this.#left <= 0) return false;
          }
        }
      }
    }
    return false;
  }

  /** Adds the last node, which uses all nodes that no other one uses. */
  #finish(unused: number): boolean {
    const { operations, targetClass } = this.#problem;
    const depth = this.#nodes.length;
    const leaves = this.#problem.classes.length;
    const count = leaves + depth;
    const classes = this.#classes;
    const wanted = this.#unused;
    // With two unused nodes, an operation with two operands has these; with one, it is one of the operands.
    const first = wanted === 0 ? -1 : leaves + 31 - Math.clz32(wanted & -wanted);
    const second = unused === 2 ? leaves + 31 - Math.clz32(wanted) : -1;
    for (let order = 0; order < operations.length; order++) {
      const operation = operations[order]!;
      const { args, commutes, result } = operation;
      const arity = args.length;
      if (result !== targetClass || arity < unused) continue;
      if (arity <= 2 && first >= 0) {
        const lastB = arity === 1 ? 1 : second >= 0 ? second + 1 : count;
        for (let b = Math.max(second, 0); b < lastB; b++) {
          if (classes[first] === args[0] && (arity === 1 || classes[b] === args[1])) {
            if (this.#hits(operation, first, b, 0) && this.#report(operation, first, b, 0, order))
              return true;
          }
          if (arity === 1 || commutes || b === first) continue;
          if (classes[b] === args[0] && classes[first] === args[1]) {
            if (this.#hits(operation, b, first, 0) && this.#report(operation, b, first, 0, order))
              return true;
          }
        }
        if (this.#left <= 0) return false;
        continue;
      }
      for (let a = 0; a < count; a++) {
        if (classes[a] !== args[0]) continue;
        const lastB = arity > 1 ? count : 1;
        for (let b = arity > 1 && commutes ? a : 0; b < lastB; b++) {
          if (arity > 1 && classes[b] !== args[1]) continue;
          const lastC = arity > 2 ? count : 1;
          for (let c = 0; c < lastC; c++) {
            if (arity > 2 && classes[c] !== args[2]) continue;
            if ((wanted & ~this.#maskOf(arity, a, b, c)) !== 0 || this.#isConstant(arity, a, b, c)) continue;
            if (this.#hits(operation, a, b, c) && this.#report(operation, a, b, c, order)) return true;
          }
          if (this.#left <= 0) return false;
        }
      }
    }
    return false;
  }

  #report(operation: WordOperation, a: number, b: number, c: number, order: number): boolean {
    this.#nodes.push({ operation, a, b, c, order });
    const program = this.#nodes.map((node) => ({
      operation: node.operation,
      args: [node.a, node.b, node.c].slice(0, node.operation.args.length),
    }));
    this.#nodes.pop();
    return this.#found(program);
  }

  /** The nodes among the operands, as bits. */
  #maskOf(arity: number, a: number, b: number, c: number): number {
    const leaves = this.#problem.classes.length;
    let mask = a >= leaves ? 1 << (a - leaves) : 0;
    if (arity > 1 && b >= leaves) mask |= 1 << (b - leaves);
    if (arity > 2 && c >= leaves) mask |= 1 << (c - leaves);
    return mask;
  }

  #isConstant(arity: number, a: number, b: number, c: number): boolean {
    const constant = this.#constant;
    return constant[a] === 1 && (arity < 2 || constant[b] === 1) && (arity < 3 || constant[c] === 1);
  }

  /** Whether an operation computes the target. */
  #hits(operation: WordOperation, a: number, b: number, c: number): boolean {
    const rows = this.#rows;
    const values = this.#values;
    const { target } = this.#problem;
    const [atA, atB, atC] = [a * rows, b * rows, c * rows];
    this.#left--;
    for (let row = 0; row < rows; row++) {
      if (evaluate(operation, values[atA + row]!, values[atB + row]!, values[atC + row]!, 0) !== target[row])
        return false;
    }
    return true;
  }

  /** Computes a value; returns whether no other value has been the same on all rows, here or further up. */
  #isNew(
    operation: WordOperation,
    a: number,
    b: number,
    c: number,
    place: number,
    depth: number,
    stamp: number,
    used: number,
  ): boolean {
    const rows = this.#rows;
    const values = this.#values;
    const [atA, atB, atC, at] = [a * rows, b * rows, c * rows, place * rows];
    this.#left -= rows;
    // What matters besides the value is which nodes it is the first to use.
    let hash = used;
    for (let row = 0; row < rows; row++) {
      const value = evaluate(operation, values[atA + row]!, values[atB + row]!, values[atC + row]!, 0);
      values[at + row] = value;
      hash = Math.imul(hash ^ value, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (let other = 0; other < place; other++) {
      let row = 0;
      while (row < rows && values[other * rows + row] === values[at + row]) row++;
      if (row === rows) return false;
    }
    const entry = (hash ^ (hash >>> 12)) & (TABLE - 1);
    const hashes = this.#hashes[depth]!;
    const stamps = this.#stamps[depth]!;
    if (stamps[entry] === stamp && hashes[entry] === hash) return false;
    stamps[entry] = stamp;
    hashes[entry] = hash;
    return true;
  }
}

/** Whether an operation comes before another one: those that do not depend on each other are tried in one order alone. */
function precedes(order: number, a: number, b: number, c: number, before: Added): boolean {
  if (order !== before.order) return order < before.order;
  if (a !== before.a) return a < before.a;
  return b !== before.b ? b < before.b : c < before.c;
}

function ones(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** The leaves of inputs and constants on rows, as a problem has them. */
export function leafValues(
  inputs: readonly GraphInput[],
  constants: readonly GraphConstant[],
  { count, values }: Rows,
): Int32Array {
  const leaves = new Int32Array((inputs.length + constants.length) * count);
  for (let row = 0; row < count; row++) {
    for (let input = 0; input < inputs.length; input++)
      leaves[input * count + row] = values[row * inputs.length + input]!;
    for (let index = 0; index < constants.length; index++) {
      leaves[(inputs.length + index) * count + row] = constants[index]!.bits;
    }
  }
  return leaves;
}
