// A program as a graph: leaves, which are inputs and constants, and operations on them and on each other.
import {
  CODE_TYPES,
  type CodeBuffer,
  codeType,
  constantOperation,
  encodeOperation,
  inputOperation,
} from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { operandCount } from "../spaces/operand-counts.js";
import { operationOf, ValueClass, type WordOperation } from "./operations.js";

/** An input of the codes. */
export interface GraphInput {
  readonly index: number;
  /** The index in `CODE_TYPES`. */
  readonly type: number;
  readonly class: number;
}

/** A constant. */
export interface GraphConstant {
  readonly bits: number;
  readonly class: number;
}

/** An operation on values, by their numbers: first the inputs, then the constants, then the nodes before it. */
export interface GraphNode {
  readonly operation: WordOperation;
  readonly args: readonly number[];
}

/** A program. Nodes come after their operands. */
export interface Graph {
  readonly inputs: readonly GraphInput[];
  readonly constants: readonly GraphConstant[];
  readonly nodes: readonly GraphNode[];
  /** The numbers of the values, and the index in `CODE_TYPES` of each output. */
  readonly outputs: readonly number[];
  readonly outputTypes: readonly number[];
}

/** Moves of 32 bits and of predicates. */
const MOVES = new Set(["b32", "u32", "s32", "f32", "pred"].map((type) => encodeOperation(`mov.${type}`, 1)));
const FLOATS = new Set(["f32", "tf32"]);
const WORDS = new Set(["b32", "u32", "s32", "u16x2", "s16x2"]);
const CONSTANT_TYPES: readonly number[] = ["u32", "f32", "pred"].map(codeType);

/** The number of the first node. */
export const firstNode = ({ inputs, constants }: Pick<Graph, "inputs" | "constants">): number =>
  inputs.length + constants.length;

/** The class of a value. */
export function classOf(graph: Graph, value: number): number {
  const { inputs, constants, nodes } = graph;
  if (value < inputs.length) return inputs[value]!.class;
  const constant = constants[value - inputs.length];
  return constant?.class ?? nodes[value - firstNode(graph)]!.operation.result;
}

/** Reads a code. @throws SearchError UNSUPPORTED for values of other types than 32 bits and predicates */
export function graphOf(words: Uint32Array, start = 0): Graph {
  const items = words[start + CodeWord.itemCount]!;
  const inputs: GraphInput[] = [];
  const constants: GraphConstant[] = [];
  const nodes: GraphNode[] = [];
  /** For each item: a list and the index in it. */
  const places: (readonly [list: "input" | "constant" | "node", index: number])[] = [];
  const raw: { operation: WordOperation; items: number[] }[] = [];
  let at = start + CodeWord.header;
  for (let item = 0; item < items; item++) {
    const word = words[at++]!;
    const name = word & OperationField.nameMask;
    const type = (word >>> OperationField.typeShift) & OperationField.typeMask;
    const count = operandCount(word);
    if (name === CodeName.input) {
      const index = words[at]!;
      const same = inputs.findIndex((input) => input.index === index && input.type === type);
      places.push(["input", same < 0 ? inputs.push({ index, type, class: classOfType(type) }) - 1 : same]);
    } else if (name === CodeName.constant) {
      const found = { bits: words[at]! | 0, class: classOfType(type) };
      const same = constants.findIndex((each) => each.bits === found.bits && each.class === found.class);
      places.push(["constant", same < 0 ? constants.push(found) - 1 : same]);
    } else if (MOVES.has(word)) {
      // Values are bits: a move makes no other value.
      places.push(places[words[at]!]!);
    } else {
      const operation = operationOf(word);
      if (operation === undefined) throw unsupported("instructions on single values of 32 bits");
      places.push(["node", raw.push({ operation, items: Array.from(words.subarray(at, at + count)) }) - 1]);
    }
    at += count;
  }
  const base = inputs.length + constants.length;
  const numberOf = (item: number): number => {
    const [list, index] = places[item]!;
    return list === "input" ? index : list === "constant" ? inputs.length + index : base + index;
  };
  for (const { operation, items: operands } of raw) nodes.push({ operation, args: operands.map(numberOf) });
  const outputs = Array.from(
    words.subarray(at, at + (words[start + CodeWord.arity]! >>> CodeWord.outputShift)),
  );
  return rebuilt({
    inputs,
    constants,
    nodes,
    outputs: outputs.map((word) => numberOf(word & CodeWord.valueMask)),
    outputTypes: outputs.map((word) => word >>> CodeWord.typeShift),
  });
}

function classOfType(type: number): number {
  const name = CODE_TYPES[type]!;
  if (name === "pred") return ValueClass.pred;
  if (FLOATS.has(name)) return ValueClass.float;
  if (WORDS.has(name)) return ValueClass.word;
  throw unsupported("registers of 32 bits and predicates", name);
}

const unsupported = (expected: string, found = "others"): SearchError =>
  new SearchError("UNSUPPORTED", `expected ${expected}, found ${found}`);

/** Appends a graph as code. */
export function appendGraph(graph: Graph, arity: number, out: CodeBuffer): void {
  const { inputs, constants, nodes, outputs, outputTypes } = graph;
  const items = new Map<number, number>();
  const words: number[] = [];
  const base = firstNode(graph);
  const itemOf = (value: number): number => {
    let item = items.get(value);
    if (item !== undefined) return item;
    if (value < inputs.length) words.push(inputOperation(inputs[value]!.type), inputs[value]!.index);
    else if (value < base) {
      const constant = constants[value - inputs.length]!;
      words.push(constantOperation(CONSTANT_TYPES[constant.class]!), constant.bits >>> 0);
    } else {
      const { operation, args } = nodes[value - base]!;
      const operands = args.map(itemOf);
      words.push(operation.word, ...operands);
    }
    item = items.size;
    items.set(value, item);
    return item;
  };
  const values = outputs.map(itemOf);
  const tail = values.map((value, index) => (value | (outputTypes[index]! << CodeWord.typeShift)) >>> 0);
  const head = [CodeWord.magic, items.size, arity | (outputs.length << CodeWord.outputShift)];
  const all = [...head, ...words, ...tail];
  out.reserve(all.length).set(all, out.end);
  out.append(out.end + all.length);
}

/**
 * The same graph with only the nodes and constants that outputs use, each once. Nodes are in the order in which outputs need them.
 * @param replace the value in place of a value, if another one takes its place
 */
export function rebuilt(graph: Graph, replace: (value: number) => number = (value) => value): Graph {
  const { inputs, constants, nodes } = graph;
  const base = firstNode(graph);
  const kept: GraphConstant[] = [];
  const made: GraphNode[] = [];
  const numbers = new Map<number, number>();
  const same = new Map<string, number>();
  // Nodes have numbers from this one on until it is clear how many constants there are.
  const NODES = 2 ** 20;
  const visit = (given: number): number => {
    const value = replace(given);
    if (value < inputs.length) return value;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    let number: number;
    if (value < base) number = inputs.length + kept.push(constants[value - inputs.length]!) - 1;
    else {
      const { operation, args } = nodes[value - base]!;
      const operands = args.map(visit);
      if (operation.commutes && operands[0]! > operands[1]!)
        operands.splice(0, 2, operands[1]!, operands[0]!);
      const key = `${operation.text}/${operands.join()}`;
      number = same.get(key) ?? NODES + made.push({ operation, args: operands }) - 1;
      same.set(key, number);
    }
    numbers.set(value, number);
    return number;
  };
  const outputs = graph.outputs.map(visit);
  const settle = (number: number): number =>
    number < NODES ? number : number - NODES + inputs.length + kept.length;
  return {
    inputs,
    constants: kept,
    nodes: made.map(({ operation, args }) => ({ operation, args: args.map(settle) })),
    outputs: outputs.map(settle),
    outputTypes: graph.outputTypes,
  };
}

/** A text that equal graphs share. */
export function graphKey({ constants, nodes, outputs }: Graph): string {
  const texts = nodes.map(({ operation, args }) => `${operation.text} ${args.join(" ")}`);
  return [constants.map(({ bits }) => bits).join(" "), ...texts, outputs.join(" ")].join("\n");
}
