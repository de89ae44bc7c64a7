// Converts the instructions of a stub, one by one, to operations on the values that its registers contain.
import type { PtxCode, PtxOperation, PtxValue } from "@mm-ptx/ptx";
import {
  encodeOperation,
  type OperationParts,
  type OperationSignature,
  operationParts,
  operationSignature,
  operationText,
} from "@mm-ptx/types/code";
import type { Span } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { ColumnsError, ColumnsErrorCode } from "../error.js";
import { isInstruction } from "../machine/instructions.js";
import { constantBits } from "./constants.js";
import type { Draft } from "./draft.js";
import { errorAt } from "./error.js";
import type { Condition, Register, Registers } from "./registers.js";
import { bitsOf, takesRegister } from "./types.js";

/** Lanes of at most 32 bits, which hold values of every narrower type. */
const LANE_BITS = 32;
/** Swaps the halves of 32 bits as the selector of `prmt`. */
const SWAP_HALVES = 0x1032n;
const MOST_OPERANDS = 4;
/** The bits of the table of `lop3`. */
const TABLE_BITS = 8;

/** An instruction that is being converted. */
interface Step {
  readonly operation: PtxOperation;
  readonly condition: Condition | undefined;
}

export class InstructionConverter {
  readonly #code: PtxCode;
  readonly #draft: Draft;
  readonly #registers: Registers;

  constructor(code: PtxCode, registers: Registers, draft: Draft) {
    this.#code = code;
    this.#registers = registers;
    this.#draft = draft;
  }

  /**
   * Converts a statement of kind "instruction".
   * @throws ColumnsError SYNTAX, UNSUPPORTED_INSTRUCTION, BAD_OPERAND, UNWRITTEN_REGISTER
   */
  convert(statement: number): void {
    const operation = this.#code.operation(statement);
    const { opcode, opcodeSpan, operands } = operation;
    for (const value of operands)
      if (value.kind === "unknown") throw this.#fail(value.span, "SYNTAX", value.message);
    const sources = operands.length - 1;
    const word = this.#encode(opcode, sources);
    if (word === 0) throw this.#unknown(opcode, opcodeSpan, sources);
    const condition = this.#conditionOf(operation);
    const step = { operation, condition };
    const parts = operationParts(word);
    const signature = operationSignature(parts, sources);
    const args = operands.slice(1).map((value, index) => this.#operand(step, value, signature, index));
    const [target] = operands;
    if (target!.kind === "pair") {
      const { first, second } = target!;
      const [one, two] = this.#pair(step, parts, word, args);
      this.#write(step, first, one, signature);
      this.#write(step, second, two, signature);
      return;
    }
    if (parts.name === "setp" && isPacked(parts))
      throw this.#fail(target!.span, "BAD_OPERAND", "expected two results, found one");
    const value =
      parts.name === "mov" ? args[0]! : this.#draft.operation(word, this.#checkTable(step, parts, args));
    this.#write(step, target!, value, signature);
  }

  #fail(span: Span, code: ColumnsErrorCode, message: string): ColumnsError {
    return errorAt(this.#code.text, span, code, message);
  }

  /** The operation of an instruction with this number of sources, or 0. */
  #encode(opcode: string, sources: number): number {
    const word = encodeOperation(opcode, sources);
    if (word === 0) return 0;
    const text = operationText(word);
    return isInstruction(operationParts(word).name, text.slice(text.indexOf("."))) ? word : 0;
  }

  #unknown(opcode: string, span: Span, sources: number): ColumnsError {
    for (let count = 1; count <= MOST_OPERANDS; count++) {
      if (this.#encode(opcode, count) === 0) continue;
      return this.#fail(
        span,
        "BAD_OPERAND",
        `expected ${count + 1} operands of ${quoted(opcode)}, found ${sources + 1}`,
      );
    }
    return this.#fail(
      span,
      "UNSUPPORTED_INSTRUCTION",
      `expected an instruction on single values, found ${quoted(opcode)}`,
    );
  }

  #conditionOf({ guard }: PtxOperation): Condition | undefined {
    if (guard === undefined) return undefined;
    const { name, negated } = guard;
    const register = this.#registers.find(name);
    if (register.type !== "pred") throw this.#mismatch(name.span, "pred", register);
    return { predicate: this.#read(register, undefined, name.span), negated };
  }

  #read(register: Register, condition: Condition | undefined, span: Span): number {
    const value = this.#registers.read(register, condition);
    if (value !== undefined) return value;
    const reason = register.only === undefined ? "" : " under this condition";
    throw this.#fail(
      span,
      "UNWRITTEN_REGISTER",
      `expected a register with a value, found ${quoted(register.name)}, which nothing has written${reason}`,
    );
  }

  #mismatch(span: Span, type: string, { name, type: found }: Register): ColumnsError {
    return this.#fail(
      span,
      "BAD_OPERAND",
      `expected a register of ${quoted(`.${type}`)}, found ${quoted(name)} of ${quoted(`.${found}`)}`,
    );
  }

  #operand(
    { condition, operation }: Step,
    value: PtxValue,
    { operands, relaxed }: OperationSignature,
    index: number,
  ): number {
    const type = operands[index]!;
    const { kind, span } = value;
    switch (kind) {
      case "name": {
        const register = this.#registers.find(value);
        if (!takesRegister(type, register.type, relaxed)) throw this.#mismatch(span, type, register);
        const read = this.#read(register, condition, span);
        const isCut = bitsOf(register.type) > LANE_BITS && bitsOf(type) <= LANE_BITS;
        return isCut ? this.#draft.instruction("cvt.u32.u64", read) : read;
      }
      case "negated": {
        if (type !== "pred") break;
        const register = this.#registers.find(value.value);
        if (register.type !== type) throw this.#mismatch(span, type, register);
        return this.#draft.instruction("not.pred", this.#read(register, condition, span));
      }
      case "integer":
      case "float": {
        const bits = constantBits(type, value);
        if (bits !== undefined) return this.#draft.constant(type, bits);
        break;
      }
      case "vector":
      case "address":
      case "sum":
        throw this.#fail(
          span,
          "UNSUPPORTED_INSTRUCTION",
          `expected ${quoted(operation.opcode)} on single values, found ${kindName(kind)}`,
        );
    }
    throw this.#fail(
      span,
      "BAD_OPERAND",
      `expected a value of ${quoted(`.${type}`)}, found ${quoted(this.#textOf(span))}`,
    );
  }

  #textOf({ start, end }: Span): string {
    return this.#code.text.slice(start, end);
  }

  /** The last operand of `lop3` must be a constant of 8 bits. */
  #checkTable({ operation }: Step, { name }: OperationParts, args: readonly number[]): readonly number[] {
    if (name !== "lop3") return args;
    const table = operation.operands.at(-1)!;
    if (table.kind === "integer" && BigInt.asUintN(TABLE_BITS, table.value) === table.value) return args;
    throw this.#fail(
      table.span,
      "BAD_OPERAND",
      `expected a number from 0 to 255, found ${quoted(this.#textOf(table.span))}`,
    );
  }

  /**
   * Both results of a comparison `p|q`: the comparison and its negation, each combined with the predicate operand; for
   * packed values, the comparisons of the low and of the high halves.
   */
  #pair({ operation }: Step, parts: OperationParts, word: number, args: readonly number[]): [number, number] {
    const draft = this.#draft;
    const [a, b, ...rest] = args;
    const first = draft.operation(word, args);
    if (parts.name !== "setp") {
      throw this.#fail(
        operation.operands[0]!.span,
        "BAD_OPERAND",
        `expected one result of ${quoted(operation.opcode)}, found two`,
      );
    }
    if (isPacked(parts)) {
      const high = (value: number) =>
        draft.instruction("prmt.b32", value, value, draft.constant("b32", SWAP_HALVES));
      return [first, draft.operation(word, [high(a!), high(b!), ...rest])];
    }
    const [comparison, combination] = parts.choice.split(".");
    if (combination === undefined) return [first, draft.instruction("not.pred", first)];
    const text = operationText(word).replace(`.${parts.choice}`, `.${comparison}`);
    const negation = draft.instruction("not.pred", draft.instruction(text, a!, b!));
    return [first, draft.instruction(`${combination}.pred`, negation, ...rest)];
  }

  #write(
    { condition, operation }: Step,
    target: PtxValue,
    value: number,
    { relaxed, result }: OperationSignature,
  ): void {
    const { kind, span } = target;
    if (kind === "sink" && result === "pred") return;
    if (kind === "vector" || kind === "address") {
      throw this.#fail(
        span,
        "UNSUPPORTED_INSTRUCTION",
        `expected ${quoted(operation.opcode)} on single values, found ${kindName(kind)}`,
      );
    }
    if (kind !== "name")
      throw this.#fail(
        span,
        "BAD_OPERAND",
        `expected a register to write, found ${quoted(this.#textOf(span))}`,
      );
    const register = this.#registers.find(target);
    if (!takesRegister(result, register.type, relaxed)) throw this.#mismatch(span, result, register);
    if (!register.isWritable) {
      throw this.#fail(
        span,
        "BAD_OPERAND",
        `expected a register to write, found ${quoted(register.name)}, which the stub may only read`,
      );
    }
    if (this.#registers.write(register, this.#widened(value, result, register), condition)) return;
    throw this.#fail(
      span,
      "UNWRITTEN_REGISTER",
      `expected a register with a value, found ${quoted(register.name)}, which is only written under another condition`,
    );
  }

  /** Extends a result to a register of 64 bits. Lanes of 32 bits contain narrower values extended by their sign. */
  #widened(value: number, type: string, register: Register): number {
    const [from, to] = [bitsOf(type), bitsOf(register.type)];
    if (to <= LANE_BITS || to === from) return value;
    const sort = type.startsWith("s") ? "s" : "u";
    return this.#draft.instruction(`cvt.${sort}${to}.${sort}${from}`, value);
  }
}

const isPacked = ({ types }: OperationParts): boolean => types[0]!.endsWith("x2");

const kindName = (kind: "address" | "sum" | "vector"): string =>
  kind === "vector" ? "a vector" : "an address";
