// Checks functions with a body: their registers, their variables with places in the frame, and their instructions.
import type { PtxFunction, PtxVariable } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import type { VariableReference } from "../program/operand.js";
import type { Instruction, ProgramFunction, ProgramVariable } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { BranchChecker } from "./branch.js";
import { inProgram, type ModuleContext } from "./context.js";
import { Frame } from "./frame.js";
import { InstructionChecker } from "./instruction.js";
import { lowerStackMemory } from "./stack-memory.js";
import { REGISTER_TYPES } from "./types.js";
import { alignedTo, readVariable } from "./variable.js";

/** A function whose shared variables are not placed yet. */
export type PlacelessFunction = Omit<ProgramFunction, "shared" | "sharedBytes" | "calls">;

/** Checks a function that has a body. A valid function that this emulator does not support keeps its problems. */
export function checkFunction(context: ModuleContext, declared: PtxFunction): PlacelessFunction {
  const { problems } = context;
  const before = problems.count;
  const checked = new FunctionChecker(context, declared).check();
  if (!problems.isUnsupportedSince(before)) return checked;
  return { ...checked, registers: [], instructions: [], unsupported: problems.takeSince(before) };
}

class FunctionChecker {
  readonly #context: ModuleContext;
  readonly #function: PtxFunction;
  readonly #frame = new Frame();
  /** The first and the last statement between the braces. */
  readonly #first: number;
  readonly #last: number;
  /** For each statement of the body, the number of instructions before it. */
  readonly #before: Uint32Array;
  #paramBytes = 0;

  constructor(context: ModuleContext, declared: PtxFunction) {
    this.#context = context;
    this.#function = declared;
    const { statements } = context.module;
    this.#first = declared.statement + 2;
    this.#last = statements.closes[declared.scope!]!;
    this.#before = new Uint32Array(Math.max(0, this.#last - this.#first) + 1);
  }

  check(): PlacelessFunction {
    const { kind, name, nameSpan, span, directives } = this.#function;
    const { meanings } = this.#context;
    meanings.registers = [];
    const results = this.#parameters(this.#function.results);
    const params = this.#parameters(this.#function.parameters);
    this.#declare();
    const written = this.#check();
    this.#refuseStores(written, params.variables);
    const instructions = lowerStackMemory(written, meanings.registers, this.#frame);
    return {
      unsupported: [],
      kind,
      name,
      nameSpan: inProgram(this.#context, nameSpan),
      span: inProgram(this.#context, span),
      registers: meanings.registers,
      variables: this.#frame.placed(),
      results: results.variables,
      parameters: params.variables,
      registerResults: results.registers,
      registerParameters: params.registers,
      parameterBytes: this.#paramBytes,
      frameBytes: this.#frame.bytes,
      instructions,
      directives: directives.map((directive) => ({
        name: directive.name,
        values: directive.values.map(Number).filter((value) => !Number.isNaN(value)),
      })),
    };
  }

  /** Rejects stores to parameters, because a function may only read them. */
  #refuseStores(instructions: readonly Instruction[], params: readonly number[]): void {
    for (const { operation, operands, span } of instructions) {
      if (!operation.traits.writes) continue;
      const to = operands.find(({ kind }) => kind === "address");
      if (to?.kind !== "address" || to.base.kind !== "function-variable") continue;
      if (!params.includes(to.base.variable)) continue;
      const { base, problems } = this.#context;
      problems.expect(
        "WRONG_OPERANDS",
        { start: span.start - base, end: span.end - base },
        `no parameter of ${quoted(this.#function.name)} as the target of \`${operation.opcode}\``,
      );
    }
  }

  /** Declares the results or parameters of the header. */
  #parameters(list: readonly PtxVariable[]): { readonly variables: number[]; readonly registers: number[] } {
    const variables: number[] = [];
    const registers: number[] = [];
    const { meanings, module } = this.#context;
    for (const declared of list) {
      if (declared.space === "reg") {
        this.#declareRegister(declared);
        const declaration = module.names.declarationsIn(declared.nameSpan)[0];
        const meaning = declaration && meanings.meaningOf(declaration, declared.name);
        if (meaning?.kind === "register") registers.push(meaning.operand.register);
      } else if (this.#function.kind === "entry") {
        const placed = readVariable(this.#context, declared);
        if (placed === undefined) continue;
        const offset = alignedTo(this.#paramBytes, placed.align);
        this.#paramBytes = offset + placed.bytes;
        variables.push(this.#declareLocal(declared, { ...placed, offset }, true));
      } else {
        const variable = readVariable(this.#context, declared);
        if (variable !== undefined) variables.push(this.#declareLocal(declared, variable, false));
      }
    }
    return { variables, registers };
  }

  #declareRegister({ name, nameSpan, type, vector }: PtxVariable): void {
    const { problems, meanings } = this.#context;
    if (type === undefined || !REGISTER_TYPES.has(type)) {
      const found = type === undefined ? "none" : `\`.${type}\``;
      problems.add("WRONG_TYPE", nameSpan, `expected a register type for ${quoted(name)}, found ${found}`);
    } else if (vector !== 1) {
      problems.add(
        "UNSUPPORTED",
        nameSpan,
        `expected a scalar register, found ${quoted(name)} with ${vector} elements`,
      );
    } else meanings.declareRegisters(nameSpan.start, type as PtxType);
  }

  #declareLocal({ nameSpan }: PtxVariable, variable: ProgramVariable, isPlaced: boolean): number {
    const index = isPlaced ? this.#frame.addPlaced(variable) : this.#frame.add(variable);
    const reference: VariableReference = { kind: "function-variable", variable: index };
    this.#context.meanings.declareVariable(nameSpan.start, reference, variable);
    return index;
  }

  /** Declares what the body declares, and counts its instructions. */
  #declare(): void {
    const { module, variables, meanings } = this.#context;
    const { statements } = module;
    let count = 0;
    for (let statement = this.#first; statement < this.#last; statement++) {
      this.#before[statement - this.#first] = count;
      switch (statements.kind(statement)) {
        case "instruction":
          count++;
          break;
        case "open":
          this.#frame.enter();
          break;
        case "close":
          this.#frame.leave();
          break;
        case "variable":
          for (const declared of module.variables(statement)) {
            if (declared.space === "reg" || declared.space === "sreg") {
              this.#declareRegister(declared);
              continue;
            }
            const variable = readVariable(this.#context, declared);
            if (variable === undefined) continue;
            if (variable.space === "local" || variable.space === "param") {
              this.#declareLocal(declared, variable, false);
              continue;
            }
            const reference: VariableReference = { kind: "module-variable", variable: variables.length };
            variables.push(variable);
            meanings.declareVariable(declared.nameSpan.start, reference, variable);
          }
      }
    }
    this.#before[this.#last - this.#first] = count;
  }

  #check(): Instruction[] {
    const { module } = this.#context;
    const branches = new BranchChecker(
      this.#context,
      (statement) => this.#before[statement - this.#first] ?? 0,
    );
    const checker = new InstructionChecker(this.#context, branches);
    const instructions: Instruction[] = [];
    for (let statement = this.#first; statement < this.#last; statement++) {
      if (module.statements.kind(statement) !== "instruction") continue;
      const instruction = checker.check(module.operation(statement));
      if (instruction !== undefined) instructions.push(Object.freeze(instruction));
    }
    return instructions;
  }
}
