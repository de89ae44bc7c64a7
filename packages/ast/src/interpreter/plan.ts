// What has to be done for a program: kernels in order, on constants, input columns and temporary ones. It is read from
// the stub that the compiler writes, so that programs mean, and are refused for, the same in both. Only what the result
// depends on is done; subnormals are flushed where they can arise and matter, and NaNs canonicalized where their
// encoding can be seen: by `copysign` and in the result.
import { AstPtxError } from "../error.js";
import { describeUnknown, type Operation, operationOf } from "../float32.js";
import { Kernel } from "./kernel.js";

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

/** A line of a stub. */
interface Line {
  readonly operation: Operation;
  readonly operands: readonly string[];
}

const REGISTER = "%ast";

/**
 * Reads a stub whose inputs are named by their indices.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION
 */
export function planOf(stub: string): Plan {
  const lines = stub.split("\n");
  const first = lines[1]!.startsWith(".reg ") ? 2 : 1;
  const result = operandsOf(lines[lines.length - 2]!)[1]!;
  return new Planner(lines.slice(first, -2).map(parseLine)).plan(result);
}

function parseLine(line: string): Line {
  const ptx = line.slice(0, line.indexOf(` ${REGISTER}`));
  const operation = operationOf(ptx);
  if (operation === undefined) throw new AstPtxError("UNSUPPORTED_INSTRUCTION", describeUnknown(ptx));
  const operands = operandsOf(line).slice(1);
  if (operands.length !== operation.args) {
    throw new AstPtxError(
      "UNSUPPORTED_INSTRUCTION",
      `expected ${operation.args} arguments for \`${ptx}\`, found ${operands.length}`,
    );
  }
  return { operation, operands };
}

/** What stands between the mnemonic and the semicolon. */
function operandsOf(line: string): string[] {
  return line.slice(line.indexOf(" %") + 1, -1).split(", ");
}

/** The register that an operand is, or -1. */
function registerOf(operand: string): number {
  return operand.startsWith(REGISTER) ? Number(operand.slice(REGISTER.length)) : -1;
}

class Planner {
  private readonly steps: number[] = [];
  private readonly constants: number[] = [];
  private readonly constantSlots = new Map<number, number>();
  private readonly columns: number[] = [];
  private readonly columnSlots = new Map<string, number>();
  private temporaries = 0;
  /** Temporary columns whose value nobody needs any more. */
  private readonly free: number[] = [];
  /** Temporary columns whose value nobody needs after the line that is being planned. */
  private dying: number[] = [];
  /** Of each register: how often it is still to be read, and its slot. */
  private readonly uses: Int32Array;
  private readonly slots: Int32Array;

  constructor(private readonly lines: readonly Line[]) {
    this.uses = new Int32Array(lines.length);
    this.slots = new Int32Array(lines.length);
  }

  plan(result: string): Plan {
    const { lines, uses } = this;
    this.countUse(result);
    for (let register = lines.length - 1; register >= 0; register--) {
      if (uses[register]! > 0) for (const operand of lines[register]!.operands) this.countUse(operand);
    }
    lines.forEach((line, register) => {
      if (uses[register]! > 0) this.slots[register] = this.planLine(line);
    });
    return {
      result: this.canonical(result),
      steps: this.steps,
      constants: this.constants,
      columns: this.columns,
      temporaries: this.temporaries,
    };
  }

  private countUse(operand: string): void {
    const register = registerOf(operand);
    if (register >= 0) this.uses[register]!++;
  }

  private planLine({ operation, operands }: Line): number {
    const { kernel, flushes } = operation;
    const from = operands.map((operand) =>
      kernel === Kernel.copysign ? this.canonical(operand) : this.operand(operand, flushes),
    );
    this.free.push(...this.dying);
    this.dying = [];
    const target = this.free.pop() ?? this.newTemporary();
    this.addStep(kernel, flushes, target, from);
    return target;
  }

  /** The slot of an operand, without subnormals when `flushed`. */
  private operand(operand: string, flushed: boolean): number {
    const register = registerOf(operand);
    if (register < 0) return this.outer(operand, flushed);
    const clean = !flushed || this.lines[register]!.operation.flushes;
    return this.read(register, clean ? undefined : Kernel.flush);
  }

  /** The slot of an operand whose NaNs have the encoding that PTX instructions give them. */
  private canonical(operand: string): number {
    const register = registerOf(operand);
    if (register < 0) return this.outer(operand, false);
    const clean = this.lines[register]!.operation.kernel === Kernel.copysign;
    return this.read(register, clean ? undefined : Kernel.canonicalize);
  }

  /** Reads a register, through a kernel when there is one: in its own column when nobody reads it afterwards. */
  private read(register: number, kernel: Kernel | undefined): number {
    const slot = this.slots[register]!;
    const last = --this.uses[register]! === 0;
    if (last) this.dying.push(slot);
    if (kernel === undefined) return slot;
    const target = last ? slot : (this.free.pop() ?? this.newTemporary());
    if (!last) this.dying.push(target);
    this.addStep(kernel, true, target, [slot]);
    return target;
  }

  /** The slot of an input or constant. */
  private outer(operand: string, flushed: boolean): number {
    return operand.startsWith("%")
      ? this.column(Number(operand.slice(1)), flushed)
      : this.constant(Number.parseInt(operand.slice(2), 16), flushed);
  }

  private column(input: number, flushed: boolean): number {
    const key = `${input}${flushed ? " flushed" : ""}`;
    const known = this.columnSlots.get(key);
    if (known !== undefined) return known;
    const slot = (this.columns.length << SlotKind.shift) | SlotKind.column;
    this.columns.push(input);
    this.columnSlots.set(key, slot);
    if (flushed) this.addStep(Kernel.flush, true, slot, [slot]);
    return slot;
  }

  private constant(pattern: number, flushed: boolean): number {
    const value = flushed && (pattern & 0x7f800000) === 0 ? (pattern & 0x80000000) >>> 0 : pattern;
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

  private addStep(kernel: Kernel, flushes: boolean, target: number, from: readonly number[]): void {
    const [a = 0, b = a, c = a] = from;
    this.steps.push(kernel, flushes ? 1 : 0, target, a, b, c);
  }
}
