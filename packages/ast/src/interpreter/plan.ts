// What has to be done for a program: kernels in order, on constants, input columns and temporary ones. It is read from
// the stub that the compiler writes, so that programs mean, and are refused for, the same in both. Only what the result
// depends on is done; subnormals are flushed where they can arise and matter, and NaNs canonicalized where their
// encoding can be seen: by `copysign` and in the result.
import { Kernel } from "./kernel.js";
import { type FindOperation, OperandKind, readStub, type Stub } from "./stub.js";

/** What stands behind an index of a slot. */
export const enum SlotKind {
  constant = 0,
  column = 1,
  temporary = 2,
  /** From a slot to its index. */
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
  /** Kernel, whether it flushes its result, and slots: target, a, b, c; operands that a kernel has not repeat the first. */
  readonly steps: readonly number[];
  /** The bits of each constant. */
  readonly constants: readonly number[];
  /** The input that each column is filled from. */
  readonly columns: readonly number[];
  readonly temporaries: number;
  /** The slot of the result. */
  readonly result: number;
}

/** The plan of a stub whose inputs are named by their indices. @throws what `findOperation` throws */
export function planOf(stub: string, findOperation: FindOperation): Plan {
  return new Planner(readStub(stub, findOperation)).plan();
}

class Planner {
  private readonly steps: number[] = [];
  private readonly constants: number[] = [];
  private readonly constantSlots = new Map<number, number>();
  private readonly columns: number[] = [];
  private readonly columnSlots = new Map<number, number>();
  private temporaries = 0;
  /** Temporary columns whose value nobody needs any more. */
  private readonly free: number[] = [];
  /** Temporary columns whose value nobody needs after the line that is being planned. */
  private readonly dying: number[] = [];
  /** Of each line: where its operands begin, how often its value is still to be read, and its slot. */
  private readonly firstOperands: Int32Array;
  private readonly uses: Int32Array;
  private readonly slots: Int32Array;

  constructor(private readonly stub: Stub) {
    const { length } = stub.operations;
    this.firstOperands = new Int32Array(length);
    this.uses = new Int32Array(length);
    this.slots = new Int32Array(length);
  }

  plan(): Plan {
    const { operations, result } = this.stub;
    this.countUses();
    for (let line = 0; line < operations.length; line++) {
      if (this.uses[line]! > 0) this.planLine(line);
    }
    return {
      result: this.canonical(result),
      steps: this.steps,
      constants: this.constants,
      columns: this.columns,
      temporaries: this.temporaries,
    };
  }

  /** Counts what the result depends on; the other lines are left out. */
  private countUses(): void {
    const { operations, operands, result } = this.stub;
    this.countUse(result);
    let first = operands.length;
    for (let line = operations.length - 1; line >= 0; line--) {
      const end = first;
      first -= operations[line]!.args;
      this.firstOperands[line] = first;
      if (this.uses[line]! > 0) for (let i = first; i < end; i++) this.countUse(operands[i]!);
    }
  }

  private countUse(operand: number): void {
    if ((operand & OperandKind.mask) === OperandKind.register) this.uses[operand >>> OperandKind.shift]!++;
  }

  private planLine(line: number): void {
    const { operations, operands } = this.stub;
    const { kernel, args, flushes } = operations[line]!;
    const first = this.firstOperands[line]!;
    const slot = (arg: number): number => {
      const operand = operands[first + arg]!;
      return kernel === Kernel.copysign ? this.canonical(operand) : this.operand(operand, flushes);
    };
    const a = slot(0);
    const b = args > 1 ? slot(1) : a;
    const c = args > 2 ? slot(2) : a;
    for (const slot of this.dying) this.free.push(slot);
    this.dying.length = 0;
    const target = this.free.pop() ?? this.newTemporary();
    this.slots[line] = target;
    this.steps.push(kernel, flushes ? 1 : 0, target, a, b, c);
  }

  /** The slot of an operand, without subnormals when `flushed`. */
  private operand(operand: number, flushed: boolean): number {
    if ((operand & OperandKind.mask) !== OperandKind.register) return this.outer(operand, flushed);
    const line = operand >>> OperandKind.shift;
    const clean = !flushed || this.stub.operations[line]!.flushes;
    return this.read(line, clean ? undefined : Kernel.flush);
  }

  /** The slot of an operand whose NaNs have the encoding that PTX instructions give them. */
  private canonical(operand: number): number {
    if ((operand & OperandKind.mask) !== OperandKind.register) return this.outer(operand, false);
    const line = operand >>> OperandKind.shift;
    const clean = this.stub.operations[line]!.kernel === Kernel.copysign;
    return this.read(line, clean ? undefined : Kernel.canonicalize);
  }

  /** Reads the value of a line, through a kernel when there is one: in its own column when nobody reads it afterwards. */
  private read(line: number, kernel: Kernel | undefined): number {
    const slot = this.slots[line]!;
    const last = --this.uses[line]! === 0;
    if (last) this.dying.push(slot);
    if (kernel === undefined) return slot;
    const target = last ? slot : (this.free.pop() ?? this.newTemporary());
    if (!last) this.dying.push(target);
    this.addUnary(kernel, target, slot);
    return target;
  }

  /** The slot of an input or constant. */
  private outer(operand: number, flushed: boolean): number {
    const index = operand >>> OperandKind.shift;
    return (operand & OperandKind.mask) === OperandKind.input
      ? this.column(index, flushed)
      : this.constant(this.stub.constants[index]!, flushed);
  }

  private column(input: number, flushed: boolean): number {
    const key = 2 * input + (flushed ? 1 : 0);
    const known = this.columnSlots.get(key);
    if (known !== undefined) return known;
    const slot = (this.columns.length << SlotKind.shift) | SlotKind.column;
    this.columns.push(input);
    this.columnSlots.set(key, slot);
    if (flushed) this.addUnary(Kernel.flush, slot, slot);
    return slot;
  }

  private constant(bits: number, flushed: boolean): number {
    const value = flushed && (bits & 0x7f800000) === 0 ? (bits & 0x80000000) >>> 0 : bits;
    const known = this.constantSlots.get(value);
    if (known !== undefined) return known;
    const slot = (this.constants.length << SlotKind.shift) | SlotKind.constant;
    this.constants.push(value);
    this.constantSlots.set(value, slot);
    return slot;
  }

  private newTemporary(): number {
    return (this.temporaries++ << SlotKind.shift) | SlotKind.temporary;
  }

  private addUnary(kernel: Kernel, target: number, from: number): void {
    this.steps.push(kernel, 1, target, from, from, from);
  }
}
