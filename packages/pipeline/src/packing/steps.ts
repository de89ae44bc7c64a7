// The instructions of the functions that a kernel runs, in the form that the analysis works on: nodes stand for registers and
// parameters, and each instruction has those that it reads and those that it sets.
import type { PtxDeclaration, PtxFunction, PtxModule, PtxName, PtxUse, PtxValue } from "@mm-ptx/ptx";
import { isPredefined } from "@mm-ptx/ptx";
import { instructionsOf } from "./kernel.js";
import { VALUE_OPCODES, WARP_OPCODES } from "./opcodes.js";

/** What an operand refers to. */
export type Operand =
  /** A register, a parameter, or a result of a function. */
  | { readonly kind: "node"; readonly node: number; readonly isParameter: boolean }
  | { readonly kind: "special"; readonly name: string; readonly component: string | undefined }
  /** The address of a variable. */
  | { readonly kind: "variable"; readonly name: string; readonly space: string }
  | { readonly kind: "constant"; readonly value: bigint | undefined };

/** An instruction. */
export interface Step {
  readonly function: PtxFunction;
  readonly statement: number;
  /** Without modifiers: `ld`. */
  readonly name: string;
  /** The modifiers without dots: `global`, `f32`. */
  readonly modifiers: readonly string[];
  readonly guard: number | undefined;
  /** The operands as written, each with the names and constants in it. */
  readonly operands: readonly (readonly Operand[])[];
  /** Whether each operand is a single name or constant. */
  readonly isScalar: readonly boolean[];
}

/**
 * Whether an instruction computes its first operand from the others without touching memory. Barriers do that if they reduce
 * values of the block.
 */
export const computesValue = ({ name, modifiers }: Step): boolean =>
  VALUE_OPCODES.has(name) ||
  (name === "wmma" && modifiers[0] === "mma") ||
  ((name === "bar" || name === "barrier") && modifiers.includes("red"));

/** Whether what an instruction computes depends on which threads run it together. */
export const dependsOnThreads = (step: Step): boolean =>
  WARP_OPCODES.has(step.name) ||
  (computesValue(step) && !VALUE_OPCODES.has(step.name) && step.name !== "wmma");

/** The nodes of a module: a number for each register and parameter. */
export class Nodes {
  readonly #module: PtxModule;
  readonly #uses = new Map<number, PtxUse>();
  readonly #byDeclaration = new Map<PtxDeclaration, Map<string, number>>();
  readonly #spaces = new Map<PtxDeclaration, string>();
  count = 0;

  constructor(module: PtxModule) {
    this.#module = module;
    for (const use of module.names.uses) this.#uses.set(use.span.start, use);
  }

  /** A new node that no name refers to. */
  add(): number {
    return this.count++;
  }

  /** The node of a name as it is declared; each register of a range has its own. */
  of(declaration: PtxDeclaration, name: string): number {
    const own = this.#byDeclaration.get(declaration) ?? new Map<string, number>();
    this.#byDeclaration.set(declaration, own);
    const known = own.get(name);
    if (known !== undefined) return known;
    const node = this.add();
    own.set(name, node);
    return node;
  }

  /** The node of a name that is visible at an offset. */
  at(offset: number, name: string): number | undefined {
    const { names } = this.#module;
    const declaration = names.meaningIn(this.#module.scopeAt(offset), name);
    return declaration === undefined ? undefined : this.of(declaration, name);
  }

  /** The node of a parameter or a result of a function that has a body. */
  ofParameter(one: PtxFunction, name: string): number {
    return this.of(this.#module.names.meaningIn(one.scope!, name)!, name);
  }

  /** What an operand of an instruction refers to. */
  operandOf(value: PtxValue): readonly Operand[] {
    return [...this.#operands(value)];
  }

  /** The instructions of a function. */
  *stepsOf(one: PtxFunction): Generator<Step> {
    for (const statement of instructionsOf(this.#module, one)) {
      const { opcode, guard, operands } = this.#module.operation(statement);
      const [name = "", ...modifiers] = opcode.split(".");
      const condition = guard === undefined ? undefined : this.#operand(guard.name);
      yield {
        ...{ function: one, statement, name, modifiers },
        guard: condition?.kind === "node" ? condition.node : undefined,
        operands: operands.map((value) => this.operandOf(value)),
        isScalar: operands.map(({ kind }) => kind === "name" || kind === "integer" || kind === "sum"),
      };
    }
  }

  *#operands(value: PtxValue): Generator<Operand> {
    switch (value.kind) {
      case "name": {
        const operand = this.#operand(value);
        if (operand !== undefined) yield operand;
        break;
      }
      case "negated":
        yield* this.#operands(value.value);
        break;
      case "sum":
        yield* this.#operands(value.base);
        break;
      case "pair":
        yield* this.#operands(value.first);
        yield* this.#operands(value.second);
        break;
      case "vector":
      case "address":
      case "list":
        for (const item of value.items) yield* this.#operands(item);
        break;
      case "integer":
        yield { kind: "constant", value: value.value };
        break;
      case "float":
        yield { kind: "constant", value: undefined };
        break;
      default:
    }
  }

  #operand({ name, component, span }: PtxName): Operand | undefined {
    const declaration = this.#uses.get(span.start)?.declaration;
    if (declaration === undefined) {
      return isPredefined(name) ? { kind: "special", name, component } : undefined;
    }
    const isParameter = declaration.kind === "parameter";
    if (isParameter || declaration.kind === "register")
      return { kind: "node", node: this.of(declaration, name), isParameter };
    if (declaration.kind !== "variable") return undefined;
    const space = this.#spaceOf(declaration);
    if (space === "param") return { kind: "node", node: this.of(declaration, name), isParameter: true };
    return { kind: "variable", name, space };
  }

  #spaceOf(declaration: PtxDeclaration): string {
    let space = this.#spaces.get(declaration);
    if (space === undefined) {
      const declared = this.#module.variables(declaration.statement);
      space = declared.find(({ name }) => name === declaration.name)?.space ?? "global";
      this.#spaces.set(declaration, space);
    }
    return space;
  }
}
