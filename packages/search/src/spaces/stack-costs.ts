// What genomes of stack spaces cost: the sum over the instructions, functions, constants and inputs that are used.
import { type StackCompileJob, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { CodeBuffer, encodeOperation } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { operandCount } from "./operand-counts.js";
import type { StackSettings } from "./stack-options.js";
import { GENE, INPUT, PTX, ROUTINE, TYPE_MASK } from "./stack-words.js";

/** Computes costs. Kept between genomes. */
export class StackCosts {
  readonly #settings: StackSettings;
  readonly #table: StackTable;
  readonly #compiler: StackCompiler;
  /** The costs of operations other than 1. */
  readonly #operations = new Map<number, number>();
  readonly #codes = new CodeBuffer();
  /** Compiles programs in which each call has a routine of its own. */
  #separate: StackCompiler | undefined;

  constructor(table: StackTable, settings: StackSettings, compiler: StackCompiler) {
    this.#settings = settings;
    this.#table = table;
    this.#compiler = compiler;
    for (const { name, ptx, args } of table.instructions) {
      const cost = settings.costs[name];
      if (cost !== undefined) this.#operations.set(encodeOperation(ptx, args.length), cost);
    }
  }

  /** The cost of a program. */
  of(program: StackProgram, job: StackCompileJob): number {
    const { words } = program;
    for (let word = 0; word < words.length; word += GENE) {
      if ((words[word]! & TYPE_MASK) === ROUTINE) return this.#ofCalls(program, job);
    }
    const { constantCost, inputCost } = this.#settings;
    const operations = this.#operations;
    const codes = this.#codes;
    codes.clear();
    this.#compiler.compileToCode(program, job, codes);
    const { room } = codes;
    const isPlain = operations.size === 0;
    let cost = 0;
    let at = CodeWord.header;
    for (let item = room[CodeWord.itemCount]!; item > 0; item--) {
      const operation = room[at]!;
      const name = operation & OperationField.nameMask;
      if (name > CodeName.constant) cost += isPlain ? 1 : (operations.get(operation) ?? 1);
      else cost += name === CodeName.input ? inputCost : constantCost;
      at += 1 + operandCount(operation);
    }
    return cost;
  }

  /** The cost of a program with calls, of which each that computes something that is used costs as much as its function. */
  #ofCalls({ words }: StackProgram, job: StackCompileJob): number {
    const { library, costs, constantCost, inputCost } = this.#settings;
    this.#separate ??= this.#makeSeparate();
    const { instructions } = this.#table;
    const copies = words.slice();
    const functions = library.routines.length;
    let calls = 0;
    for (let word = 0; word < copies.length; word += GENE) {
      if ((copies[word]! & TYPE_MASK) === ROUTINE) copies[word + 1] = calls++ * functions + copies[word + 1]!;
    }
    const { live, routines } = this.#separate.analyze(StackProgram.fromWords(copies), job);
    let cost = 0;
    for (const index of live) {
      const type = copies[index * GENE]! & TYPE_MASK;
      if (type === PTX) cost += costs[instructions[copies[index * GENE + 1]!]!.name] ?? 1;
      else cost += type === INPUT ? inputCost : constantCost;
    }
    for (let call = 0; call < calls; call++) {
      for (let index = 0; index < functions; index++) {
        if (routines[call * functions + index]!.live.length > 0) cost += costs[library.names[index]!] ?? 1;
      }
    }
    return cost;
  }

  #makeSeparate(): StackCompiler {
    const { library, maxLength } = this.#settings;
    const routines = Array.from({ length: maxLength }, () => library.routines).flat();
    return new StackCompiler(this.#table, { routines });
  }
}
