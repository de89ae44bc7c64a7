// Plans the steps of a program: kernels in order, on constants, input columns and temporary columns. The plan is made
// from the stub that the compiler writes, so that the interpreter and the compiler agree on what programs mean and on
// which are refused. Only steps that the result depends on are planned. Subnormals are flushed where they can occur and
// matter, and NaNs are canonicalized where their encoding is visible: in `copysign` and in the result.
import { Kernel } from "./kernel.js";
import { type FindOperation, OperandKind, readStub, type Stub } from "./stub.js";

/** The kind of a slot, from which its index follows. */
export const enum SlotKind {
  constant = 0,
  column = 1,
  temporary = 2,
  /** The number of bits by which a slot's index is shifted. */
  shift = 2,
  mask = 3,
}

/** Integers of a step in `Plan.steps`. */
export const enum PlanStep {
  kernel = 0,
  flushes = 1,
  target = 2,
  a = 3,
  b = 4,
  c = 5,
  length = 6,
}

export interface Plan {
  /**
   * For each step: the kernel, whether it flushes its result, and slots: target, a, b, c. Operands that a kernel does
   * not have repeat the first one.
   */
  readonly steps: readonly number[];
  /** The bits of each constant. */
  readonly constants: readonly number[];
  /** The input that each column is filled from. */
  readonly columns: readonly number[];
  readonly temporaries: number;
  /** The slot of the result. */
  readonly result: number;
}

/** Plans a stub whose inputs are named by their indices. @throws the errors of `findOperation` */
export function planOf(stub: string, findOperation: FindOperation): Plan {
  return new Planner(readStub(stub, findOperation)).plan();
}

class Planner {
  readonly #steps: number[] = [];
  readonly #constants: number[] = [];
  readonly #constantSlots = new Map<number, number>();
  readonly #columns: number[] = [];
  readonly #columnSlots = new Map<number, number>();
  #temporaries = 0;
  /** Temporary columns whose value is no longer needed. */
  readonly #free: number[] = [];
  /** Temporary columns whose value is no longer needed after the current line. */
  readonly #dying: number[] = [];
  /** For each line: where its operands begin, how many reads of its value remain, and its slot. */
  readonly #firstOperands: Int32Array;
  readonly #uses: Int32Array;
  readonly #slots: Int32Array;

  readonly #stub: Stub;

  constructor(stub: Stub) {
    this.#stub = stub;
    const { length } = stub.operations;
    this.#firstOperands = new Int32Array(length);
    this.#uses = new Int32Array(length);
    this.#slots = new Int32Array(length);
  }

  plan(): Plan {
    const { operations, result } = this.#stub;
    this.#countUses();
    for (let line = 0; line < operations.length; line++) {
      if (this.#uses[line]! > 0) this.#planLine(line);
    }
    return {
      result: this.#canonical(result),
      steps: this.#steps,
      constants: this.#constants,
      columns: this.#columns,
      temporaries: this.#temporaries,
    };
  }

  /** Counts the lines that the result depends on; all other lines are skipped. */
  #countUses(): void {
    const { operations, operands, result } = this.#stub;
    this.#countUse(result);
    let first = operands.length;
    for (let line = operations.length - 1; line >= 0; line--) {
      const end = first;
      first -= operations[line]!.args;
      this.#firstOperands[line] = first;
      if (this.#uses[line]! > 0) for (let i = first; i < end; i++) this.#countUse(operands[i]!);
    }
  }

  #countUse(operand: number): void {
    if ((operand & OperandKind.mask) === OperandKind.register) this.#uses[operand >>> OperandKind.shift]!++;
  }

  #planLine(line: number): void {
    const { operations, operands } = this.#stub;
    const { kernel, args, flushes } = operations[line]!;
    const first = this.#firstOperands[line]!;
    const slot = (arg: number): number => {
      const operand = operands[first + arg]!;
      return kernel === Kernel.copysign ? this.#canonical(operand) : this.#operand(operand, flushes);
    };
    const a = slot(0);
    const b = args > 1 ? slot(1) : a;
    const c = args > 2 ? slot(2) : a;
    for (const slot of this.#dying) this.#free.push(slot);
    this.#dying.length = 0;
    const target = this.#free.pop() ?? this.#newTemporary();
    this.#slots[line] = target;
    this.#steps.push(kernel, flushes ? 1 : 0, target, a, b, c);
  }

  /** The slot of an operand; when `flushed`, its subnormals have become zeros. */
  #operand(operand: number, flushed: boolean): number {
    if ((operand & OperandKind.mask) !== OperandKind.register) return this.#outer(operand, flushed);
    const line = operand >>> OperandKind.shift;
    const clean = !flushed || this.#stub.operations[line]!.flushes;
    return this.#read(line, clean ? undefined : Kernel.flush);
  }

  /** The slot of an operand whose NaNs have the encoding that PTX instructions produce. */
  #canonical(operand: number): number {
    if ((operand & OperandKind.mask) !== OperandKind.register) return this.#outer(operand, false);
    const line = operand >>> OperandKind.shift;
    const clean = this.#stub.operations[line]!.kernel === Kernel.copysign;
    return this.#read(line, clean ? undefined : Kernel.canonicalize);
  }

  /**
   * Reads the value of a line, through a kernel if one is given. The kernel works in place when this is the last read.
   */
  #read(line: number, kernel: Kernel | undefined): number {
    const slot = this.#slots[line]!;
    const last = --this.#uses[line]! === 0;
    if (last) this.#dying.push(slot);
    if (kernel === undefined) return slot;
    const target = last ? slot : (this.#free.pop() ?? this.#newTemporary());
    if (!last) this.#dying.push(target);
    this.#addUnary(kernel, target, slot);
    return target;
  }

  /** The slot of an input or constant. */
  #outer(operand: number, flushed: boolean): number {
    const index = operand >>> OperandKind.shift;
    return (operand & OperandKind.mask) === OperandKind.input
      ? this.#column(index, flushed)
      : this.#constant(this.#stub.constants[index]!, flushed);
  }

  #column(input: number, flushed: boolean): number {
    const key = 2 * input + (flushed ? 1 : 0);
    const known = this.#columnSlots.get(key);
    if (known !== undefined) return known;
    const slot = (this.#columns.length << SlotKind.shift) | SlotKind.column;
    this.#columns.push(input);
    this.#columnSlots.set(key, slot);
    if (flushed) this.#addUnary(Kernel.flush, slot, slot);
    return slot;
  }

  #constant(bits: number, flushed: boolean): number {
    const value = flushed && (bits & 0x7f800000) === 0 ? (bits & 0x80000000) >>> 0 : bits;
    const known = this.#constantSlots.get(value);
    if (known !== undefined) return known;
    const slot = (this.#constants.length << SlotKind.shift) | SlotKind.constant;
    this.#constants.push(value);
    this.#constantSlots.set(value, slot);
    return slot;
  }

  #newTemporary(): number {
    return (this.#temporaries++ << SlotKind.shift) | SlotKind.temporary;
  }

  #addUnary(kernel: Kernel, target: number, from: number): void {
    this.#steps.push(kernel, 1, target, from, from, from);
  }
}
