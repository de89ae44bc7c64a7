// What a program computes, bit for bit, derived from the program itself: a stack machine that uses `float32Function` of
// @mm-ptx/ast for each instruction. It knows nothing of stubs, PTX or kernels, so it is an independent reference.

import { float32Function } from "@mm-ptx/ast";
import type { StackProgram } from "@mm-ptx/stack";
import type { StackTable } from "@mm-ptx/types/core";
import { QuickstartError } from "./error.js";

/** The bits of a value for each input that the program runs on; never modified. */
export type Column = Uint32Array;

/** Reorders the stack, whose top is its end; does nothing if the stack is too small. */
type Reordering = (stack: Column[]) => void;

const REORDERINGS: Readonly<Record<string, Reordering>> = {
  dup: (stack) => {
    if (stack.length > 0) stack.push(stack.at(-1)!);
  },
  swap: (stack) => {
    if (stack.length > 1) stack.push(...stack.splice(-2).reverse());
  },
  rotate: (stack) => {
    if (stack.length > 2) {
      const [a, b, c] = stack.splice(-3) as [Column, Column, Column];
      stack.push(c, a, b);
    }
  },
};

const word = new DataView(new ArrayBuffer(4));
/** The NaN that PTX instructions produce (PTX ISA, Floating Point Instructions). */
const NAN_BITS = 0x7fffffff;

/** The bits of the nearest f32. */
export function bitsOf(value: number): number {
  if (Number.isNaN(value)) return NAN_BITS;
  word.setFloat32(0, value);
  return word.getUint32(0);
}

export function numberOf(bits: number): number {
  word.setUint32(0, bits);
  return word.getFloat32(0);
}

/** The column of an instruction's results for those of its arguments. */
type ColumnFunction = (a: Column, b?: Column, c?: Column) => Column;

/** Instructions that work on bits, because JavaScript does not distinguish the signs of NaNs. */
const ON_BITS: Readonly<Record<string, ColumnFunction>> = {
  "copysign.f32": (signs, sizes) =>
    signs.map((sign, row) => (sign & 0x80000000) | (sizes![row]! & 0x7fffffff)),
};

/** Runs programs whose values are all f32, which are those that the quickstart draws. */
export class ReferenceMachine {
  readonly #table: StackTable;
  readonly #functions = new Map<number, ColumnFunction>();

  constructor(table: StackTable) {
    this.#table = table;
  }

  /**
   * The value on top of the stack at the end; `undefined` if the stack is empty.
   *
   * @param inputs columns of equal length, indexed as the program's `input` instructions refer to them
   * @throws QuickstartError `REFERENCE` for an instruction that drawn programs never contain
   */
  evaluate(program: StackProgram, inputs: readonly Column[]): Column | undefined {
    const stack: Column[] = [];
    for (let i = 0; i < program.length; i++) this.#step(program, i, inputs, stack);
    return stack.at(-1);
  }

  #step(program: StackProgram, i: number, inputs: readonly Column[], stack: Column[]): void {
    const instruction = program.decode(i);
    if (instruction.type === "input") stack.push(inputs[instruction.index]!);
    else if (instruction.type === "constant") stack.push(inputs[0]!.map(() => instruction.bits));
    else if (instruction.type === "ptx") this.#ptx(instruction.index, stack);
    else if (instruction.type === "meta" && Object.hasOwn(REORDERINGS, instruction.operation)) {
      REORDERINGS[instruction.operation]!(stack);
    } else {
      throw new QuickstartError(
        "REFERENCE",
        `expected an instruction of the sampler, found \`${instruction.type}\``,
      );
    }
  }

  #ptx(index: number, stack: Column[]): void {
    const { args } = this.#table.instructions[index]!;
    if (stack.length < args.length) return;
    // The first argument is on top.
    const [a, b, c] = stack.splice(stack.length - args.length).reverse();
    stack.push(this.#function(index)(a!, b, c));
  }

  #function(index: number): ColumnFunction {
    const known = this.#functions.get(index) ?? functionOf(this.#table.instructions[index]!.name);
    this.#functions.set(index, known);
    return known;
  }
}

function functionOf(ptx: string): ColumnFunction {
  const compute = float32Function(ptx);
  return (
    ON_BITS[ptx] ??
    ((...columns) =>
      columnOf(
        compute,
        columns.filter((column) => column !== undefined),
      ))
  );
}

function columnOf(compute: (...values: number[]) => number, columns: readonly Column[]): Column {
  const [a, b, c] = columns.map(
    ({ buffer, byteOffset, length }) => new Float32Array(buffer, byteOffset, length),
  );
  const values = a!.map((value, row) => {
    if (b === undefined) return compute(value);
    return c === undefined ? compute(value, b[row]!) : compute(value, b[row]!, c[row]!);
  });
  const bits = new Uint32Array(values.buffer);
  for (let row = 0; row < bits.length; row++) if (Number.isNaN(values[row])) bits[row] = NAN_BITS;
  return bits;
}
