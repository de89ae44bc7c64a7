// The meanings of names during the check: maps each declaration that the PTX reader resolved to the register, variable,
// function or label that it became.
import type { PtxDeclaration, PtxModule, PtxName } from "@mm-ptx/ptx";
import type { RegisterOperand, VariableReference } from "../program/operand.js";
import type { ProgramRegister, ProgramVariable } from "../program/program.js";
import type { PtxType } from "../program/types.js";

/** What a name means. */
export type Meaning =
  | { readonly kind: "register"; readonly operand: RegisterOperand; readonly type: PtxType }
  | { readonly kind: "variable"; readonly reference: VariableReference; readonly variable: ProgramVariable }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "label"; readonly statement: number }
  /** A variable of the module that this emulator does not support. */
  | { readonly kind: "refused" }
  /** The declaration contains a mistake that has already been reported. */
  | { readonly kind: "mistaken" };

/** What declared names became, keyed by the offset of the name in its declaration. */
export class Meanings {
  readonly #variables = new Map<number, Meaning>();
  readonly #registers = new Map<number, PtxType>();
  readonly #used = new Map<PtxDeclaration, Map<string, Meaning>>();
  readonly #uses: PtxModule["names"]["uses"];
  /** Index of the use that was looked up last, or of the one after it. */
  #cursor = 0;
  /** The registers of the function that is being checked. */
  registers: ProgramRegister[] = [];

  constructor(module: PtxModule) {
    this.#uses = module.names.uses;
  }

  declareVariable(offset: number, reference: VariableReference, variable: ProgramVariable): void {
    this.#variables.set(offset, { kind: "variable", reference, variable });
  }

  /** Records that a variable of the module is not supported. */
  refuseVariable(offset: number): void {
    this.#variables.set(offset, { kind: "refused" });
  }

  declareRegisters(offset: number, type: PtxType): void {
    this.#registers.set(offset, type);
  }

  /** The meaning of a name in the text; undefined when nothing in the text declares it. */
  of({ span: { start } }: PtxName): Meaning | undefined {
    const uses = this.#uses;
    // Searching from the last use is fast, because most lookups are close to it.
    while (this.#cursor > 0 && uses[this.#cursor - 1]!.span.start >= start) this.#cursor--;
    while (this.#cursor < uses.length && uses[this.#cursor]!.span.start < start) this.#cursor++;
    const use = uses[this.#cursor];
    if (use?.declaration === undefined || use.span.start !== start) return undefined;
    return this.meaningOf(use.declaration, use.name);
  }

  /** What a declaration became, for one of its names. */
  meaningOf(declaration: PtxDeclaration, name: string): Meaning {
    const known = this.#used.get(declaration)?.get(name);
    if (known !== undefined) return known;
    const meaning = this.#find(declaration, name);
    const names = this.#used.get(declaration);
    if (names === undefined) this.#used.set(declaration, new Map([[name, meaning]]));
    else names.set(name, meaning);
    return meaning;
  }

  #find(declaration: PtxDeclaration, name: string): Meaning {
    const { kind, span, statement } = declaration;
    if (kind === "label") return { kind, statement };
    if (kind === "function") return { kind, name };
    const type = this.#registers.get(span.start);
    if (type === undefined) return this.#variables.get(span.start) ?? { kind: "mistaken" };
    const register = this.registers.length;
    this.registers.push(Object.freeze({ name, type }));
    return { kind: "register", operand: Object.freeze({ kind: "register", register, negated: false }), type };
  }
}
