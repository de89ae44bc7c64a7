// Counts the machine instructions of straight-line f32 code without compiling it.
import type { CodeBatch } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import { invalid } from "../../options.js";
import { ConstantRegisters } from "./constant-registers.js";
import { ABSOLUTE, CONSTANT, INPUT, MachineGraph, MODIFIERS, NONE, type Reference } from "./graph.js";
import { MachineKind, type MachineOperation } from "./operations.js";

/** What a code costs, as `machineCost` counts it. */
export interface MachineCost {
  /** All instructions, those that load constants included. */
  readonly instructions: number;
  /** The instructions of the unit for special functions (`MUFU`), which is four to eight times slower than arithmetic. */
  readonly special: number;
  /** The instructions that load constants into registers. */
  readonly constants: number;
}

/**
 * The cost of a code of a batch, as `MachineCostModel` counts it.
 * @throws SearchError INVALID_ARGUMENT if there is no such code
 */
export function machineCost(codes: CodeBatch, index = 0): MachineCost {
  if (!(Number.isInteger(index) && index >= 0 && index < codes.offsets.length - 1)) {
    throw invalid(`the number of one of ${codes.offsets.length - 1} codes`, index);
  }
  const model = new MachineCostModel();
  model.count(codes.words, codes.offsets[index]!);
  const { instructions, special, constants } = model;
  return { instructions, special, constants };
}

const isMultiplication = ({ kind }: MachineOperation): boolean =>
  kind === MachineKind.multiply || kind === MachineKind.quotient;

/**
 * Counts the instructions that ptxas makes of f32 code for sm_90. Negations and absolute values are modifiers of the instruction that
 * reads them; of the constants of an instruction, one is part of it and others need a register; equal operations are computed once, and
 * operations of constants by the compiler; `mul` and `add` without a rounding become one instruction. Modifiers of outputs are free,
 * because they belong to the instruction that follows. Operations that are not of type f32 count as one instruction each.
 *
 * Of random programs of ten instructions and fewer, 98 % are counted exactly if their approximations have `.ftz` and their arithmetic does
 * not, 93 % with `.ftz` everywhere, 70 % where approximations have to scale subnormal numbers (disassembled code of ptxas 13.0).
 *
 * A model reuses its memory, so that counting allocates nothing.
 */
export class MachineCostModel implements MachineCost {
  instructions = 0;
  special = 0;
  constants = 0;
  readonly #graph = new MachineGraph();
  /** How often each node is used, and the node that it is fused with, or -1. */
  #uses = new Int32Array(64);
  #fused = new Int32Array(64);
  readonly #registers = new ConstantRegisters();

  /** Counts the code that starts at a word. The result is in the fields of this object. */
  count(words: Uint32Array, start: number): void {
    const graph = this.#graph;
    const end = graph.read(words, start);
    if (this.#uses.length < graph.count) {
      this.#uses = new Int32Array(2 * graph.count);
      this.#fused = new Int32Array(2 * graph.count);
    }
    this.#uses.fill(0, 0, graph.count);
    this.#fused.fill(NONE, 0, graph.count);
    const outputs = words[start + CodeWord.arity]! >>> CodeWord.outputShift;
    for (let output = 0; output < outputs; output++) {
      this.#use(graph.references[words[end + output]! & CodeWord.valueMask]!);
    }
    this.#spreadUses();
    this.#fuse();
    this.#add();
  }

  #use(reference: Reference): void {
    if (reference !== NONE) this.#uses[reference >> 2]!++;
  }

  #spreadUses(): void {
    const graph = this.#graph;
    for (let node = graph.count - 1; node >= 0; node--) {
      if (this.#uses[node] === 0 || !graph.operations[node]) continue;
      this.#use(graph.a[node]!);
      this.#use(graph.b[node]!);
      this.#use(graph.c[node]!);
    }
  }

  /** Makes products part of sums, if sums are all that uses them. */
  #fuse(): void {
    const graph = this.#graph;
    for (let node = 0; node < graph.count; node++) {
      if (!this.#isSum(node)) continue;
      const product = this.#isProduct(graph.a[node]!, node)
        ? graph.a[node]!
        : this.#isProduct(graph.b[node]!, node)
          ? graph.b[node]!
          : NONE;
      if (product === NONE) continue;
      this.#fused[node] = product;
      this.#uses[product >> 2]!--;
    }
  }

  /** Whether a node is a sum that can contain a product. */
  #isSum(node: number): boolean {
    const graph = this.#graph;
    const operation = graph.operations[node];
    return (
      this.#uses[node]! > 0 &&
      !!operation?.isFusable &&
      operation.instructions > 0 &&
      !isMultiplication(operation)
    );
  }

  #isProduct(reference: Reference, sum: number): boolean {
    const graph = this.#graph;
    if (reference === NONE) return false;
    const node = reference >> 2;
    const operation = graph.operations[node];
    if (!operation?.isFusable || !isMultiplication(operation)) return false;
    if (operation.isFlushing !== graph.operations[sum]!.isFlushing) return false;
    // The absolute value of a square is the square.
    if (reference & ABSOLUTE && graph.a[node] !== graph.b[node]) return false;
    return this.#sumUses(node) === this.#uses[node];
  }

  /** How many sums could contain a product. */
  #sumUses(product: number): number {
    const graph = this.#graph;
    let uses = 0;
    for (let node = product + 1; node < graph.count; node++) {
      if (!this.#isSum(node) || this.#fused[node] !== NONE) continue;
      const a = graph.a[node]!;
      const b = graph.b[node]!;
      if (a >> 2 === product || (b !== NONE && b >> 2 === product)) uses++;
    }
    return uses;
  }

  #add(): void {
    const graph = this.#graph;
    this.instructions = 0;
    this.special = 0;
    const nodes = graph.count;
    // Operations may need one more constant.
    this.#registers.clear(nodes + 1);
    for (let node = 0; node < nodes; node++) {
      const operation = graph.operations[node];
      if (this.#uses[node] === 0 || !operation) continue;
      this.instructions += operation.instructions;
      this.special += operation.special;
      const fused = this.#fused[node]!;
      if (fused !== NONE) {
        const product = fused >> 2;
        const addend = graph.a[node] === fused ? graph.b[node]! : graph.a[node]!;
        this.#immediates(graph.a[product]!, graph.b[product]!, addend);
      } else if (operation.kind === MachineKind.bits) {
        this.#bits(graph.a[node]!);
        this.#bits(graph.b[node]!);
      } else if (operation.kind === MachineKind.special) this.#scaling(operation, graph.a[node]!);
      else this.#immediates(graph.a[node]!, graph.b[node]!, graph.c[node]!);
    }
    this.constants = this.#registers.count(graph.count);
    this.instructions += this.constants;
  }

  /** The constants of an instruction, of which one is an immediate; zeros are in a register that always exists. */
  #immediates(a: Reference, b: Reference, c: Reference): void {
    const first = this.#literal(a);
    const second = this.#literal(b);
    const third = this.#literal(c);
    if (first !== NONE && second !== NONE && third !== NONE) {
      this.#registers.force(first);
      this.#registers.pair(second, third);
    } else if (first !== NONE && second !== NONE) this.#registers.pair(first, second);
    else if (third !== NONE && (first !== NONE || second !== NONE)) {
      this.#registers.pair(Math.max(first, second), third);
    }
  }

  /** The node of a constant other than zero, or -1. */
  #literal(reference: Reference): number {
    const graph = this.#graph;
    const node = reference >> 2;
    return reference !== NONE && graph.operations[node] === CONSTANT && graph.words[node] !== 0 ? node : NONE;
  }

  /** What approximations without `.ftz` need besides. */
  #scaling(operation: MachineOperation, operand: Reference): void {
    const graph = this.#graph;
    const node = operand >> 2;
    if (operation.isScaling && (graph.operations[node] === INPUT || this.#uses[node]! > 1))
      this.instructions++;
    if (operation.register !== 0) this.#registers.force(graph.constant(operation.register, false) >> 2);
  }

  #bits(reference: Reference): void {
    const literal = this.#literal(reference);
    if (literal !== NONE) this.#registers.force(literal);
    else if (reference & MODIFIERS) this.instructions++;
  }
}
