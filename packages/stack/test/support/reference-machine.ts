// The stack machine written for readability: what each instruction of a program does to stacks of plain
// objects. It shares no code with the package and repeats the numbers of the instruction layout.
import type { StackTable } from "@mm-ptx/types/core";

/** Thrown with the code that a compile must fail with. */
export class Failure extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

export interface Limits {
  readonly maxAstSize: number;
  readonly maxVisitDepth: number;
  readonly stackSize: number;
  readonly maxFrameDepth: number;
  readonly storeSize: number;
}

export interface Register {
  readonly name: string;
  readonly stackIndex: number;
}

/**
 * A PTX instruction that ran: one operand for each element of its arguments, one result for each of its
 * results.
 */
export interface Operation {
  readonly instruction: number;
  readonly args: Value[];
  readonly results: Value[];
}

/** A value on a stack. `register` is the register of the stub that it gets when it is emitted. */
export type Value =
  | { readonly kind: "input"; readonly name: string }
  | { readonly kind: "constant"; readonly stack: number; readonly bits: number }
  | { readonly kind: "special"; readonly special: number; readonly element: number; register?: string }
  | { readonly kind: "result"; readonly operation: Operation; readonly stack: number; register?: string };

interface Frame {
  readonly words: readonly number[];
  /** The routine; `undefined` for the program. */
  readonly routine: number | undefined;
  next: number;
}

/** What the stacks do not show of a run. */
export interface Notes {
  fetched: number;
  /** Instructions of the program itself that were fetched. */
  reached: number;
  returned: boolean;
  /** Counts of instructions that did nothing, by type. */
  readonly ignored: Record<number, number>;
  /** Counts of values that a full stack dropped, by stack. */
  readonly dropped: number[];
  /** Count of numbers that were popped from the meta stack by an instruction that did nothing. */
  lostNumbers: number;
  /** The instruction that created each value, as `routine:instruction`. */
  readonly origins: Map<Value, string>;
}

export class Machine {
  readonly stacks: Value[][];
  readonly #metaStack: number[] = [];
  readonly #slots: ({ value: Value; stack: number } | undefined)[];
  readonly #frames: Frame[] = [];
  #astSize = 0;
  /** The place of the current instruction; `#type` is its type. */
  #origin = "";
  #type = 0;
  readonly notes: Notes;

  constructor(
    readonly table: StackTable,
    readonly limits: Limits,
    readonly routines: readonly (readonly number[])[],
    readonly registers: readonly Register[],
  ) {
    this.stacks = table.stackTypes.map(() => []);
    this.#slots = Array.from({ length: limits.storeSize }, () => undefined);
    this.notes = {
      fetched: 0,
      reached: 0,
      returned: false,
      ignored: {},
      dropped: this.stacks.map(() => 0),
      lostNumbers: 0,
      origins: new Map(),
    };
  }

  /** Runs a program until it returns or the limit of fetched instructions is reached. */
  run(program: readonly number[], executionLimit: number): void {
    const { notes } = this;
    this.#frames.push({ words: program, routine: undefined, next: 0 });
    for (; notes.fetched < executionLimit && this.#frames.length > 0; notes.fetched++) {
      const frame = this.#frames[this.#frames.length - 1]!;
      this.#origin = `${frame.routine}:${frame.next / 2}`;
      if (frame.routine === undefined && frame.next < program.length) notes.reached = frame.next / 2 + 1;
      // A program or routine without a return ends as if it had one.
      const first = frame.words[frame.next] ?? 10;
      const payload = frame.words[frame.next + 1] ?? 0;
      frame.next += 2;
      this.#type = first % 65536;
      this.#step(this.#type, Math.floor(first / 65536), payload);
    }
    notes.returned = this.#frames.length === 0;
  }

  #step(type: number, aux: number, payload: number): void {
    switch (type) {
      case 1:
        this.#ptx(payload);
        return;
      case 2:
        this.#checkStack(aux);
        this.#pushNew(aux, { kind: "constant", stack: aux, bits: payload });
        return;
      case 3: {
        const register = this.registers[payload];
        if (register === undefined) throw new Failure("REGISTER_IDX_OUT_OF_BOUNDS");
        this.#checkStack(register.stackIndex);
        this.#pushNew(register.stackIndex, { kind: "input", name: register.name });
        return;
      }
      case 4:
        this.#special(payload);
        return;
      case 5:
        this.#checkStack(aux);
        this.#meta(this.stacks[aux]!, payload);
        return;
      case 6:
        if (this.#metaStack.length < this.limits.stackSize) this.#metaStack.push(payload);
        else this.#ignore();
        return;
      case 7: {
        const routine = this.routines[payload];
        if (routine === undefined) throw new Failure("ROUTINES_IDX_OUT_OF_BOUNDS");
        if (this.#frames.length < this.limits.maxFrameDepth) {
          this.#frames.push({ words: routine, routine: payload, next: 0 });
        } else this.#ignore();
        return;
      }
      case 10:
        this.#frames.pop();
        return;
      case 11: {
        this.#checkStack(aux);
        if (payload >= this.limits.storeSize) throw new Failure("STORE_IDX_OUT_OF_BOUNDS");
        const value = this.stacks[aux]!.pop();
        if (value !== undefined) this.#slots[payload] = { value, stack: aux };
        else this.#ignore();
        return;
      }
      case 12: {
        if (payload >= this.limits.storeSize) throw new Failure("LOAD_IDX_OUT_OF_BOUNDS");
        const slot = this.#slots[payload];
        if (slot !== undefined) this.#push(slot.stack, slot.value);
        else this.#ignore();
        return;
      }
      default:
        throw new Failure("BAD_INSTRUCTION_MAYBE_FORGOT_RETURN");
    }
  }

  #ptx(index: number): void {
    const instruction = this.table.instructions[index];
    if (instruction === undefined) throw new Failure("PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS");
    const argStacks = this.#flatStacks(instruction.args);
    const resultStacks = this.#flatStacks(instruction.results);
    for (const [stack, values] of this.stacks.entries()) {
      if (values.length < argStacks.filter((each) => each === stack).length) {
        this.#ignore();
        return;
      }
    }
    for (let entry = 0; entry < argStacks.length + resultStacks.length; entry++) this.#countAstEntry();
    const args = argStacks.map((stack) => this.stacks[stack]!.pop()!);
    const operation: Operation = { instruction: index, args, results: [] };
    for (const stack of resultStacks) {
      const value: Value = { kind: "result", operation, stack };
      operation.results.push(value);
      this.notes.origins.set(value, this.#origin);
    }
    for (const [result, stack] of [...resultStacks.entries()].reverse()) {
      this.#push(stack, operation.results[result]!);
    }
  }

  #special(index: number): void {
    const special = this.table.specialRegisters[index];
    if (special === undefined) throw new Failure("SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS");
    for (const [element, stack] of this.#flatStacks([special.argType]).entries()) {
      this.#pushNew(stack, { kind: "special", special: index, element });
    }
  }

  #meta(stack: Value[], operation: number): void {
    const full = stack.length >= this.limits.stackSize;
    const top = stack.length - 1;
    switch (operation) {
      case 0: // dup
        if (stack.length > 0 && !full) stack.push(stack[top]!);
        else this.#ignore();
        return;
      case 1: // yank_dup
        this.#withMetaValue((depth) => {
          if (stack.length <= depth || full) return false;
          stack.push(stack[top - depth]!);
          return true;
        });
        return;
      case 2: // swap
        if (stack.length > 1) exchange(stack, top, top - 1);
        else this.#ignore();
        return;
      case 3: // swap_with
        this.#withMetaValue((depth) => {
          if (stack.length <= depth || full) return false;
          exchange(stack, top, top - depth);
          return true;
        });
        return;
      case 4: // replace
        this.#withMetaValue((depth) => {
          if (stack.length <= depth || full) return false;
          stack[top - depth] = stack[top]!;
          stack.pop();
          return true;
        });
        return;
      case 5: // drop
        this.#withMetaValue((count) => {
          if (stack.length <= count) return false;
          stack.length -= count;
          return true;
        });
        return;
      case 6: // clear
        stack.length = 0;
        return;
      case 7: // rotate
        if (stack.length > 2) stack.splice(top - 2, 0, stack.pop()!);
        else this.#ignore();
        return;
      case 8:
        stack.reverse();
        return;
      default:
        throw new Failure("META_INSTRUCTION_IDX_OUT_OF_BOUNDS");
    }
  }

  /**
   * Pops a value of the meta stack for `use`, which returns whether it did anything; an empty stack does
   * nothing.
   */
  #withMetaValue(use: (value: number) => boolean): void {
    const value = this.#metaStack.pop();
    if (value !== undefined && use(value)) return;
    this.#ignore();
    if (value !== undefined) this.notes.lostNumbers++;
  }

  /** Notes that the instruction did nothing. */
  #ignore(): void {
    this.notes.ignored[this.#type] = (this.notes.ignored[this.#type] ?? 0) + 1;
  }

  /** The state of the machine besides the stacks. */
  get rest() {
    return { meta: [...this.#metaStack], slots: [...this.#slots], astSize: this.#astSize };
  }

  /** Pushes a new value, which takes an AST entry even if it is dropped. */
  #pushNew(stack: number, value: Value): void {
    this.#countAstEntry();
    this.notes.origins.set(value, this.#origin);
    this.#push(stack, value);
  }

  #push(stack: number, value: Value): void {
    const values = this.stacks[stack]!;
    if (values.length < this.limits.stackSize) values.push(value);
    else this.notes.dropped[stack]!++;
  }

  #countAstEntry(): void {
    this.#astSize++;
    if (this.#astSize > this.limits.maxAstSize) throw new Failure("INSUFFICIENT_AST_SIZE");
  }

  #checkStack(stack: number): void {
    if (stack >= this.stacks.length) throw new Failure("STACK_IDX_OUT_OF_BOUNDS");
  }

  /** The stack of each element of these operands. */
  #flatStacks(argTypes: readonly number[]): number[] {
    return argTypes.flatMap((type) => {
      const { stackIndex, vectorElements } = this.table.argTypes[type]!;
      return Array.from({ length: Math.max(1, vectorElements) }, () => stackIndex);
    });
  }
}

function exchange(stack: Value[], a: number, b: number): void {
  const value = stack[a]!;
  stack[a] = stack[b]!;
  stack[b] = value;
}
