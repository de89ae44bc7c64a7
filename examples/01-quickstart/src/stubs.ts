// Programs to stubs: the site's operands are the registers that a program reads and writes.

import type { Injection } from "@mm-ptx/inject";
import {
  register,
  type StackCompileJob,
  StackCompiler,
  type StackProgram,
  type StackRegister,
} from "@mm-ptx/stack";
import type { StackTable } from "@mm-ptx/types/core";
import { QuickstartError } from "./error.js";

export class StubMaker {
  /** Which registers programs may read: the site's in and mod operands. */
  readonly inputs: readonly number[];
  /** The site's operands, in their order. */
  readonly registers: readonly StackRegister[];
  readonly #compiler: StackCompiler;
  readonly #job: StackCompileJob;

  /** @throws QuickstartError `KERNEL` when an operand has a type that no stack of the table holds */
  constructor(table: StackTable, site: Injection) {
    this.#compiler = new StackCompiler(table);
    this.inputs = site.operands.flatMap(({ direction }, index) => (direction === "out" ? [] : [index]));
    this.registers = site.operands.map((operand) => register(operand, stackOf(table, operand)));
    this.#job = {
      registers: this.registers,
      requests: site.operands.flatMap(({ direction }, index) => (direction === "in" ? [] : [index])),
    };
  }

  /** The stub of a program. @throws StackPtxError as the compiler does */
  make(program: StackProgram): string {
    return this.#compiler.compile(program, this.#job);
  }

  /** How many instructions a stub has besides its declarations and the final copies. */
  liveInstructions(stub: string): number {
    const statements = stub.split(";\n").length - 1;
    const declarations = stub.split("\t.reg ").length - 1;
    return Math.max(0, statements - declarations - this.#job.requests.length);
  }
}

function stackOf(table: StackTable, { name, registerType }: Injection["operands"][number]): number {
  const index = table.stackTypes.findIndex(({ literalPrefix }) => literalPrefix === registerType);
  if (index !== -1) return index;
  throw new QuickstartError(
    "KERNEL",
    `expected a stack of \`.${registerType}\` for operand \`${name}\`, found none`,
  );
}
