// Rows of inputs on which programs are compared while they are searched: edge cases and random values of all magnitudes.
import type { Draws } from "../draws.js";
import type { Graph, GraphInput } from "./graph.js";
import { firstNode } from "./graph.js";
import { ValueClass } from "./operations.js";
import { evaluate } from "./scalar.js";

/** Inputs of programs, row by row. */
export interface Rows {
  readonly count: number;
  /** `values[row * inputs + input]`: bits. */
  readonly values: Int32Array;
}

const WORDS = [
  0, 1, -1, 2, 3, 0x7fffffff, -0x80000000, 31, 32, -2, 0xffff, 0x10000, 0x55555555, -0x55555556, 8, 255,
];
const FLOATS = [
  0, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
  0x7f7fffff, 0x00800000,
].map((bits) => bits | 0);

/** Draws rows: the first ones have edge cases, others are random, with inputs that are equal or near each other in some. */
export function drawRows(inputs: readonly Pick<GraphInput, "class">[], count: number, draws: Draws): Rows {
  const width = inputs.length;
  const values = new Int32Array(count * width);
  for (let row = 0; row < count; row++) {
    for (let input = 0; input < width; input++) {
      const at = row * width + input;
      values[at] = drawValue(inputs[input]!.class, row < 2 * WORDS.length, draws);
      if (input === 0 || inputs[input]!.class !== inputs[input - 1]!.class) continue;
      const how = draws.below(8);
      if (how === 0) values[at] = values[at - 1]!;
      else if (how === 1)
        values[at] = values[at - 1]! ^ (inputs[input]!.class === ValueClass.pred ? 0 : 1 << draws.below(32));
    }
  }
  return { count, values };
}

function drawValue(kind: number, edges: boolean, draws: Draws): number {
  if (kind === ValueClass.pred) return draws.word() & 1;
  const list = kind === ValueClass.float ? FLOATS : WORDS;
  if (edges ? draws.below(3) > 0 : draws.below(16) === 0) return list[draws.below(list.length)]!;
  if (kind === ValueClass.float) {
    // Exponents near that of 1 are more likely than others.
    const bits = draws.word();
    return draws.below(4) === 0 ? bits | 0 : (bits & 0x807fffff) | ((112 + draws.below(32)) << 23);
  }
  const bits = draws.word();
  const how = draws.below(4);
  // All magnitudes, both signs, sparse and dense words.
  if (how === 0) return bits >>> draws.below(32);
  if (how === 1) return ~(bits >>> draws.below(32));
  if (how === 2)
    return draws.below(2) === 0 ? bits & draws.word() & draws.word() : bits | draws.word() | draws.word();
  return bits | 0;
}

/** A row more. */
export function withRow(rows: Rows, row: ArrayLike<number>): Rows {
  const values = new Int32Array(rows.values.length + row.length);
  values.set(rows.values);
  values.set(row, rows.values.length);
  return { count: rows.count + 1, values };
}

/** Computes all values of a graph: `values[row * stride + value]`. */
export function evaluateGraph(graph: Graph, rows: Rows, stride: number, values: Int32Array): void {
  const { inputs, constants, nodes } = graph;
  const base = firstNode(graph);
  for (let row = 0; row < rows.count; row++) {
    const at = row * stride;
    for (let input = 0; input < inputs.length; input++)
      values[at + input] = rows.values[row * inputs.length + input]!;
    for (let index = 0; index < constants.length; index++)
      values[at + inputs.length + index] = constants[index]!.bits;
    for (let node = 0; node < nodes.length; node++) {
      const { operation, args } = nodes[node]!;
      const a = values[at + args[0]!]!;
      const b = args.length > 1 ? values[at + args[1]!]! : 0;
      const c = args.length > 2 ? values[at + args[2]!]! : 0;
      const d = args.length > 3 ? values[at + args[3]!]! : 0;
      values[at + base + node] = evaluate(operation, a, b, c, d);
    }
  }
}

/** The outputs of a graph on rows: `result[row * outputs + output]`. */
export function outputsOn(graph: Graph, rows: Rows): Int32Array {
  const stride = firstNode(graph) + graph.nodes.length;
  const chunk = 1024;
  const values = new Int32Array(stride * Math.min(chunk, rows.count));
  const { outputs } = graph;
  const result = new Int32Array(rows.count * outputs.length);
  const width = graph.inputs.length;
  for (let first = 0; first < rows.count; first += chunk) {
    const count = Math.min(chunk, rows.count - first);
    const part = { count, values: rows.values.subarray(first * width, (first + count) * width) };
    evaluateGraph(graph, part, stride, values);
    for (let row = 0; row < count; row++) {
      for (let output = 0; output < outputs.length; output++) {
        result[(first + row) * outputs.length + output] = values[row * stride + outputs[output]!]!;
      }
    }
  }
  return result;
}
