// The registers of a stub: its own, and those of the site's operands. Each contains the number of a value.
import { isPredefined, type PtxCode, type PtxDeclaration, type PtxName } from "@mm-ptx/ptx";
import type { SiteOperand } from "@mm-ptx/types/core";
import { CodeWord, quoted } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import type { Draft, Output } from "./draft.js";
import { errorAt } from "./error.js";
import { bitsOf, isCodeType } from "./types.js";

/** The condition under which an instruction runs: a predicate with this value, or its negation. */
export interface Condition {
  readonly predicate: number;
  readonly negated: boolean;
}

/** A register. */
export interface Register {
  readonly name: string;
  readonly type: string;
  /** The input that it contains at first, and whether the stub may write it. */
  readonly input: number | undefined;
  readonly isWritable: boolean;
  value: number | undefined;
  /** If instructions have written it under a condition only, that condition. */
  only: Condition | undefined;
}

export class Registers {
  readonly #code: PtxCode;
  readonly #draft: Draft;
  readonly #operands: readonly SiteOperand[];
  readonly #outer = new Map<string, Register>();
  readonly #declared = new Map<PtxDeclaration, Map<string, Register>>();

  /** @throws ColumnsError INVALID_ARGUMENT for operands that straight-line code has no place for */
  constructor(code: PtxCode, operands: readonly SiteOperand[], draft: Draft) {
    this.#code = code;
    this.#operands = operands;
    this.#draft = draft;
    if (operands.length > CodeWord.mostInputs) {
      throw invalid(`expected at most ${CodeWord.mostInputs} operands, found ${operands.length}`);
    }
    operands.forEach((operand, index) => {
      const { direction, name, register, registerType: type } = operand;
      if (!isCodeType(type)) {
        throw invalid(
          `expected operand ${quoted(name)} in a register of a type of straight-line code, found ${quoted(`.${type}`)}`,
        );
      }
      const known = this.#outer.get(`%${register}`);
      if (known !== undefined && known.type !== type) {
        throw invalid(
          `expected one type of register ${quoted(`%${register}`)}, found ${quoted(`.${known.type}`)} and ${quoted(`.${type}`)}`,
        );
      }
      this.#outer.set(`%${register}`, {
        name: `%${register}`,
        type,
        input: known?.input ?? (direction === "out" ? undefined : index),
        isWritable: direction !== "in" || known?.isWritable === true,
        value: undefined,
        only: undefined,
      });
    });
  }

  /**
   * The register that a name refers to.
   * @throws ColumnsError UNSUPPORTED_INSTRUCTION for special registers, BAD_OPERAND for names that are not registers
   */
  find({ component, name, span }: PtxName): Register {
    const full = component === undefined ? name : `${name}.${component}`;
    const { text } = this.#code;
    const declaration = this.#code.names.usesIn(span)[0]?.declaration;
    if (declaration !== undefined) {
      if (declaration.kind === "register" && component === undefined) return this.#own(declaration, name);
      throw errorAt(text, span, "BAD_OPERAND", `expected a register, found ${quoted(full)}`);
    }
    const outer = this.#outer.get(full);
    if (outer !== undefined) return outer;
    if (isPredefined(name)) {
      throw errorAt(
        text,
        span,
        "UNSUPPORTED_INSTRUCTION",
        `expected a register with a value of its own, found ${quoted(full)}`,
      );
    }
    throw errorAt(
      text,
      span,
      "BAD_OPERAND",
      `expected a declared register or an operand of the site, found ${quoted(full)}`,
    );
  }

  #own(declaration: PtxDeclaration, name: string): Register {
    const registers = this.#declared.get(declaration) ?? new Map<string, Register>();
    this.#declared.set(declaration, registers);
    const known = registers.get(name);
    if (known !== undefined) return known;
    const variables = this.#code.variables(declaration.statement);
    const type = variables.find(({ nameSpan }) => nameSpan.start === declaration.span.start)?.type ?? "";
    if (!isCodeType(type)) {
      const message = `expected registers of types of straight-line code, found ${quoted(`.${type}`)}`;
      throw errorAt(this.#code.text, declaration.span, "UNSUPPORTED_INSTRUCTION", message);
    }
    const register = { name, type, input: undefined, isWritable: true, value: undefined, only: undefined };
    registers.set(name, register);
    return register;
  }

  /** The value of a register for an instruction with a condition; undefined if it may have none. */
  read(register: Register, condition: Condition | undefined): number | undefined {
    if (register.value === undefined && register.input !== undefined) {
      register.value = this.#draft.input(register.input, register.type);
    }
    const { only, value } = register;
    return only === undefined || (condition !== undefined && isSame(only, condition)) ? value : undefined;
  }

  /**
   * Writes a register; returns false if it is only written under different conditions, so that it may have no value.
   */
  write(register: Register, value: number, condition: Condition | undefined): boolean {
    const before = this.read(register, undefined);
    if (condition === undefined) {
      register.value = value;
      register.only = undefined;
      return true;
    }
    const { only } = register;
    if (before !== undefined) register.value = this.#select(register.type, value, before, condition);
    else if (register.value === undefined || (only !== undefined && isSame(only, condition))) {
      register.value = value;
      register.only = condition;
    } else if (only!.predicate === condition.predicate) {
      register.value = this.#select(register.type, value, register.value, condition);
      register.only = undefined;
    } else return false;
    return true;
  }

  /** One value where the condition holds, and the other elsewhere. */
  #select(type: string, value: number, otherwise: number, { negated, predicate }: Condition): number {
    const draft = this.#draft;
    const [yes, no] = negated ? [otherwise, value] : [value, otherwise];
    const bits = bitsOf(type);
    if (bits > 1) return draft.instruction(`selp.b${Math.max(16, bits)}`, yes, no, predicate);
    const either = draft.instruction("and.pred", predicate, yes);
    const or = draft.instruction("and.pred", draft.instruction("not.pred", predicate), no);
    return draft.instruction("or.pred", either, or);
  }

  /**
   * The values of the operands that a stub writes: first those of kind `mod`, then those of kind `out`.
   * @throws ColumnsError UNWRITTEN_REGISTER for an operand that it does not write
   */
  outputs(): Output[] {
    return (["mod", "out"] as const).flatMap((direction) =>
      this.#operands
        .filter((operand) => operand.direction === direction)
        .map(({ name, register, registerType: type }) => {
          const value = this.read(this.#outer.get(`%${register}`)!, undefined);
          if (value !== undefined) return { value, type };
          const expected = `expected a stub that writes operand ${quoted(name)} in every case`;
          throw new ColumnsError(
            "UNWRITTEN_REGISTER",
            `${expected}, found none for ${quoted(`%${register}`)}`,
          );
        }),
    );
  }
}

const isSame = (a: Condition, b: Condition): boolean =>
  a.predicate === b.predicate && a.negated === b.negated;

const invalid = (message: string): ColumnsError => new ColumnsError("INVALID_ARGUMENT", message);
