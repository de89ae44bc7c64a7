// The whole compiler written for readability, as the oracle of the package's own: it runs the program, walks
// the values that requests reach, and writes the text. It is slow and shares no code with the package.
import type { StackTable } from "@mm-ptx/types/core";
import { Failure, type Limits, Machine, type Register, type Value } from "./reference-machine.js";

export type { Limits, Register } from "./reference-machine.js";

export const REFERENCE_LIMITS: Limits = {
  maxAstSize: 65536,
  maxVisitDepth: 1024,
  stackSize: 128,
  maxFrameDepth: 4,
  storeSize: 16,
};

export interface ReferenceCase {
  readonly table: StackTable;
  readonly limits: Limits;
  readonly routines: readonly (readonly number[])[];
  readonly program: readonly number[];
  readonly registers: readonly Register[];
  readonly requests: readonly number[];
  readonly executionLimit: number;
  readonly requestCopies: "parallel" | "sequential";
}

/** The stub, or the code of the error. */
export type Outcome = { readonly text: string } | { readonly code: string };

/** What the compiler must return. */
export function referenceCompile(each: ReferenceCase): Outcome {
  const starts = each.limits.maxFrameDepth > 0;
  try {
    const machine = new Machine(each.table, each.limits, each.routines, each.registers);
    if (starts) machine.run(each.program, each.executionLimit);
    const copies = requestedCopies(each, machine.stacks);
    if (!starts) return { text: "" };
    return { text: new Emission(each).write(copies) };
  } catch (failure) {
    if (failure instanceof Failure) return { code: failure.code };
    throw failure;
  }
}

/** A request with its value. */
interface Copy {
  readonly target: string;
  readonly stack: number;
  readonly value: Value;
}

function requestedCopies({ registers, requests, limits }: ReferenceCase, stacks: Value[][]): Copy[] {
  const copies: Copy[] = [];
  for (const request of requests) {
    const register = registers[request];
    if (register === undefined) throw new Failure("REGISTER_IDX_OUT_OF_BOUNDS");
    const stack = stacks[register.stackIndex];
    if (stack === undefined) throw new Failure("STACK_IDX_OUT_OF_BOUNDS");
    const value = stack.pop();
    if (value === undefined) continue;
    copies.push({ target: register.name, stack: register.stackIndex, value });
    if (copies.length > limits.maxVisitDepth) throw new Failure("INSUFFICIENT_AST_VISIT_SIZE");
  }
  return copies;
}

class Emission {
  readonly #table: StackTable;
  readonly #lines: string[] = [];
  /** Registers of the stub on each stack. */
  readonly #used: number[];

  constructor(readonly each: ReferenceCase) {
    this.#table = each.table;
    this.#used = each.table.stackTypes.map(() => 0);
  }

  write(copies: readonly Copy[]): string {
    this.#walk(copies.map(({ value }) => value));
    if (this.each.requestCopies === "parallel") this.#parallelCopies(copies);
    else this.#sequentialCopies(copies);
    const declarations = this.#table.stackTypes.flatMap(({ literalPrefix }, stack) =>
      this.#used[stack] === 0 ? [] : [`\t.reg .${literalPrefix} %_s${stack}_<${this.#used[stack]}>;\n`],
    );
    return `\t{\n${declarations.join("")}${this.#lines.join("")}\t}`;
  }

  #walk(requested: readonly Value[]): void {
    const visit = [...requested];
    const push = (value: Value): void => {
      visit.push(value);
      if (visit.length > this.each.limits.maxVisitDepth) throw new Failure("INSUFFICIENT_AST_VISIT_SIZE");
    };
    for (let value = visit.pop(); value !== undefined; value = visit.pop()) {
      if (hasText(value)) continue;
      if (value.kind === "special") {
        this.#emitSpecial(value);
        continue;
      }
      if (value.kind !== "result") continue;
      const waiting = [...value.operation.args].reverse().filter((arg) => !hasText(arg));
      if (waiting.length === 0) this.#emitOperation(value);
      else for (const each of [value, ...waiting]) push(each);
    }
  }

  #emitSpecial(value: Extract<Value, { kind: "special" }>): void {
    const { ptx, argType } = this.#table.specialRegisters[value.special]!;
    const { stackIndex, vectorElements } = this.#table.argTypes[argType]!;
    value.register = this.#freshRegister(stackIndex);
    const suffix = vectorElements === 0 ? "" : `.${["x", "y", "z", "w"][value.element]}`;
    this.#move(stackIndex, value.register, `%${ptx}${suffix}`);
  }

  #emitOperation({ operation }: Extract<Value, { kind: "result" }>): void {
    const { ptx, args, results } = this.#table.instructions[operation.instruction]!;
    for (const result of operation.results) {
      if (result.kind === "result") result.register = this.#freshRegister(result.stack);
    }
    const operands = [
      this.#grouped(results, operation.results).join("|"),
      ...this.#grouped(args, operation.args),
    ];
    this.#lines.push(`\t${ptx} ${operands.join(", ")};\n`);
  }

  /** The text of each operand: one value, or the elements of a vector in braces. */
  #grouped(argTypes: readonly number[], values: readonly Value[]): string[] {
    const texts = values.map((value) => this.#text(value));
    return argTypes.map((type) => {
      const { vectorElements } = this.#table.argTypes[type]!;
      if (vectorElements === 0) return texts.shift()!;
      return `\n\t\t{${texts.splice(0, vectorElements).join(", ")}}`;
    });
  }

  #sequentialCopies(copies: readonly Copy[]): void {
    for (const { target, stack, value } of copies) this.#move(stack, `%${target}`, this.#text(value));
  }

  /** As `sequentialCopies`, but a register that a later copy still reads is saved before any is overwritten. */
  #parallelCopies(copies: readonly Copy[]): void {
    const changed = new Set<string>();
    const saves = new Map<string, string>();
    const saved = copies.map(({ target, stack, value }) => {
      const source = value.kind === "input" ? value.name : undefined;
      if (source === target) return undefined;
      const hazardous = source !== undefined && changed.has(source);
      changed.add(target);
      if (!hazardous) return undefined;
      // A name may be used on several stacks, like a b32 register: it is saved once for each, with the right
      // type.
      const key = `${stack} ${source}`;
      if (!saves.has(key)) {
        saves.set(key, this.#freshRegister(stack));
        this.#move(stack, saves.get(key)!, `%${source}`);
      }
      return saves.get(key);
    });
    for (const [index, { target, stack, value }] of copies.entries()) {
      this.#move(stack, `%${target}`, saved[index] ?? this.#text(value));
    }
  }

  #move(stack: number, to: string, from: string): void {
    this.#lines.push(`\tmov.${this.#table.stackTypes[stack]!.literalPrefix} ${to}, ${from};\n`);
  }

  #freshRegister(stack: number): string {
    const number = this.#used[stack]!;
    this.#used[stack] = number + 1;
    return `%_s${stack}_${number}`;
  }

  #text(value: Value): string {
    if (value.kind === "input") return `%${value.name}`;
    if (value.kind !== "constant") return value.register!;
    const hex = value.bits.toString(16).toUpperCase().padStart(8, "0");
    const { literalPrefix } = this.#table.stackTypes[value.stack]!;
    if (literalPrefix === "f32") return `0f${hex}`;
    return literalPrefix === "u32" ? `0x${hex}U` : `0x${hex}`;
  }
}

/** Whether an operand can be written: constants and inputs always can, the others once they have a register. */
function hasText(value: Value): boolean {
  return value.kind === "input" || value.kind === "constant" || value.register !== undefined;
}
