// Programs to stubs: the site's operands are the registers that a program reads and writes.

import type { Injection } from "@mm-ptx/inject";
import {
  type StackCompileJob,
  StackCompiler,
  type StackProgram,
  type StackRegister,
  siteJob,
} from "@mm-ptx/stack";
import type { StackTable } from "@mm-ptx/types/core";

export class StubMaker {
  /** The registers that programs may read: those of the site's in and mod operands. */
  readonly inputs: readonly number[];
  /** The site's operands, in order. */
  readonly registers: readonly StackRegister[];
  readonly #compiler: StackCompiler;
  readonly #job: StackCompileJob;

  /** @throws StackPtxError INVALID_ARGUMENT if no stack of the table holds an operand's type */
  constructor(table: StackTable, site: Injection) {
    this.#compiler = new StackCompiler(table);
    this.#job = siteJob(table, site.operands);
    this.registers = this.#job.registers;
    this.inputs = site.operands.flatMap(({ direction }, index) => (direction === "out" ? [] : [index]));
  }

  /** The stub of a program. @throws StackPtxError as the compiler does */
  make(program: StackProgram): string {
    return this.#compiler.compile(program, this.#job);
  }

  /** The number of instructions in a stub, without its declarations and final copies. */
  liveInstructions(stub: string): number {
    const statements = stub.split(";\n").length - 1;
    const declarations = stub.split("\t.reg ").length - 1;
    return Math.max(0, statements - declarations - this.#job.requests.length);
  }
}
