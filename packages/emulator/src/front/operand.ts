// Operands of instructions: checks that each fits its place in the table row, and converts it.
import { isPredefined, type PtxName, type PtxSum, type PtxValue } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { MatchedOperand } from "../isa/match.js";
import { SPECIAL_REGISTERS } from "../isa/special.js";
import type { AddressOperand, Operand } from "../program/operand.js";
import type { ProgramVariable } from "../program/program.js";
import { reservedOperand } from "../program/reserved.js";
import { type PtxType, TYPES } from "../program/types.js";
import { type ModuleContext, meaningOf, reportUndeclared } from "./context.js";
import type { Meaning } from "./scope.js";
import { floatBits, integerBits, takesRegister } from "./types.js";

const SINK: Operand = Object.freeze({ kind: "sink" });
const COMPONENTS = ["x", "y", "z", "w"];

/** Whether a value has the shape of an operand, regardless of its type. */
export function hasShape({ form, items }: MatchedOperand, value: PtxValue): boolean {
  switch (form.kind) {
    case "address":
      return value.kind === "address";
    case "label":
    case "targets":
      return value.kind === "name";
    case "constant":
      return value.kind === "integer";
    case "value":
      if (value.kind === "vector") return value.items.length === items;
      return items === 0 && value.kind !== "address" && value.kind !== "list" && value.kind !== "string";
  }
}

/** Checks the operands of one function's instructions. */
export class OperandChecker {
  readonly #context: ModuleContext;
  /** The opcode of the instruction that is being checked. */
  opcode = "";

  constructor(context: ModuleContext) {
    this.#context = context;
  }

  /** The converted operand; undefined, with a problem reported, when the value does not fit. */
  check(matched: MatchedOperand, value: PtxValue): Operand | undefined {
    const { form } = matched;
    if (value.kind === "unknown") return this.#fail("SYNTAX", value.span, value.message);
    if (form.kind === "address") return this.#address(matched, value);
    if (value.kind === "vector") return this.#vector(matched, value.items);
    if (form.kind === "constant") return this.#constant(matched, value);
    return this.#value(matched, value, form.sink);
  }

  #fail(
    code: "SYNTAX" | "WRONG_OPERANDS" | "WRONG_TYPE" | "OUT_OF_RANGE",
    span: Span,
    message: string,
  ): undefined {
    this.#context.problems.add(code, span, message);
    return undefined;
  }

  #expect(code: "WRONG_OPERANDS" | "WRONG_TYPE" | "OUT_OF_RANGE", span: Span, expected: string): undefined {
    this.#context.problems.expect(code, span, expected);
    return undefined;
  }

  #vector(matched: MatchedOperand, values: readonly PtxValue[]): Operand | undefined {
    const items: Operand[] = [];
    for (const value of values) {
      const item = this.#value(matched, value, matched.form.result);
      if (item !== undefined) items.push(item);
    }
    return items.length === values.length ? { kind: "vector", items } : undefined;
  }

  #constant({ form }: MatchedOperand, value: PtxValue): Operand | undefined {
    if (value.kind !== "integer") return this.#expect("WRONG_OPERANDS", value.span, "a constant");
    const bits = value.value;
    if (form.constants.length > 0 && !form.constants.includes(bits)) {
      return this.#expect("OUT_OF_RANGE", value.span, `${form.constants.join(" or ")} as \`${form.name}\``);
    }
    return { kind: "immediate", bits: BigInt.asUintN(32, bits) };
  }

  #value(matched: MatchedOperand, value: PtxValue, sink: boolean): Operand | undefined {
    const { form } = matched;
    const wanted = matched.type!;
    switch (value.kind) {
      case "name":
        return this.#name(matched, wanted, value);
      case "integer":
      case "float": {
        if (form.register) break;
        const bits = value.kind === "integer" ? integerBits(wanted, value.value) : floatBits(wanted, value);
        if (bits === undefined) break;
        if (form.limit !== undefined && bits >= form.limit) {
          return this.#expect("OUT_OF_RANGE", value.span, `less than ${form.limit} as \`${form.name}\``);
        }
        return { kind: "immediate", bits };
      }
      case "sum":
        return this.#addressOf(matched, wanted, value);
      case "negated":
        return this.#negated(matched, wanted, value.value, value.span);
      case "sink":
        if (sink) return SINK;
        return this.#fail(
          "WRONG_OPERANDS",
          value.span,
          `expected a register as \`${form.name}\`, found \`_\``,
        );
      case "unknown":
        return this.#fail("SYNTAX", value.span, value.message);
      default:
        return this.#expect("WRONG_OPERANDS", value.span, `one value as \`${form.name}\``);
    }
    return this.#expect(
      "WRONG_TYPE",
      value.span,
      form.register ? "a register" : `a constant of \`.${wanted}\``,
    );
  }

  #name(matched: MatchedOperand, type: PtxType, name: PtxName): Operand | undefined {
    const { form } = matched;
    const meaning = this.#context.meanings.of(name);
    if (meaning === undefined) {
      if (isPredefined(name.name)) return this.#predefined(form, type, name);
      reportUndeclared(this.#context, name.name, name.span);
      return undefined;
    }
    switch (meaning.kind) {
      case "register":
        if (name.component !== undefined) {
          const expected =
            "a whole register, because this emulator does not support byte masks and selectors";
          this.#context.problems.expect("UNSUPPORTED", name.span, expected);
          return undefined;
        }
        if (takesRegister(type, meaning.type, form.relaxed)) return meaning.operand;
        return this.#fail(
          "WRONG_TYPE",
          name.span,
          `expected a register of \`.${type}\` as \`${form.name}\` of \`${this.opcode}\`, found ${quoted(name.name)} of \`.${meaning.type}\``,
        );
      case "variable":
      case "function":
        return this.#addressOf(matched, type, {
          kind: "sum",
          base: name,
          offset: 0n,
          generic: false,
          mask: undefined,
          span: name.span,
        });
      case "label":
        break;
      default:
        return undefined;
    }
    return this.#expect("WRONG_OPERANDS", name.span, `a register as \`${form.name}\` of \`${this.opcode}\``);
  }

  #predefined(form: MatchedOperand["form"], type: PtxType, name: PtxName): Operand | undefined {
    const special = SPECIAL_REGISTERS.get(name.name.slice(1));
    if (special === undefined) {
      this.#context.problems.add(
        "UNSUPPORTED",
        name.span,
        `expected a special register that this emulator supports, found ${quoted(name.name)}`,
      );
      return undefined;
    }
    if (!form.special) {
      const expected = `a register or a constant as \`${form.name}\` of \`${this.opcode}\``;
      return this.#expect("WRONG_OPERANDS", name.span, expected);
    }
    const component = special.vector ? COMPONENTS.indexOf(name.component ?? "") : 0;
    if (component === -1 || (!special.vector && name.component !== undefined)) {
      const expected = special.vector ? "a component, `.x` to `.w`, after" : "no component after";
      return this.#expect("WRONG_OPERANDS", name.span, `${expected} \`${name.name}\``);
    }
    if (
      !takesRegister(type, special.type, false) &&
      (special.early === undefined || !takesRegister(type, special.early, false))
    ) {
      const message = `expected a special register of \`.${type}\`, found ${quoted(name.name)} of \`.${special.type}\``;
      return this.#fail("WRONG_TYPE", name.span, message);
    }
    const register = name.name.slice(1);
    const reserved = reservedOperand(this.#context.variables, register);
    return reserved ?? { kind: "special", name: register, component: component as 0 | 1 | 2 | 3 };
  }

  #negated(matched: MatchedOperand, type: PtxType, name: PtxName, span: Span): Operand | undefined {
    const { form } = matched;
    if (!form.negatable) return this.#expect("WRONG_OPERANDS", span, `\`${form.name}\` without \`!\``);
    const operand = this.#name(matched, type, name);
    return operand?.kind === "register" ? { ...operand, negated: true } : operand;
  }

  /** The address of a variable or function plus an offset. */
  #addressOf({ form, space }: MatchedOperand, type: PtxType, sum: PtxSum): Operand | undefined {
    const { base, offset, generic, mask, span } = sum;
    const meaning = meaningOf(this.#context, base);
    if (meaning === undefined || meaning.kind === "mistaken") return undefined;
    if (!form.addressable || generic || mask !== undefined) {
      const expected = `a register or a constant as \`${form.name}\` of \`${this.opcode}\``;
      return this.#expect("WRONG_OPERANDS", span, expected);
    }
    const { bits, class: kind } = TYPES[type];
    const isNarrow = bits === 32 && meaning.kind === "variable" && isNarrowSpace(meaning.variable.space);
    if (kind === "float" || (bits !== 64 && !isNarrow)) {
      return this.#fail("WRONG_TYPE", span, `expected a value of \`.${type}\`, found a 64-bit address`);
    }
    if (meaning.kind === "variable") {
      if (space !== undefined && space !== meaning.variable.space)
        return this.#otherSpace(space, base, meaning.variable);
      const bytes = this.#offset(offset, span);
      return bytes === undefined
        ? undefined
        : { kind: "variable", variable: meaning.reference, offset: bytes };
    }
    if (meaning.kind !== "function" || offset !== 0n) {
      return this.#expect("WRONG_OPERANDS", span, `a variable or a function as \`${form.name}\``);
    }
    const index = this.#context.functions.get(meaning.name);
    if (index === undefined) {
      this.#context.problems.expect("UNSUPPORTED", span, "a function with a body");
      return undefined;
    }
    this.#context.addressed.add(index);
    return { kind: "function", function: index };
  }

  /** An offset from an address, in bytes: a signed 32-bit number. */
  #offset(offset: bigint, span: Span): number | undefined {
    const signed = BigInt.asIntN(64, offset);
    if (signed === BigInt.asIntN(33, offset)) return Number(signed);
    return this.#expect("OUT_OF_RANGE", span, "a 32-bit offset");
  }

  #address({ form, space }: MatchedOperand, value: PtxValue): AddressOperand | undefined {
    if (value.kind !== "address" || value.items.length !== 1) {
      return this.#expect(
        "WRONG_OPERANDS",
        value.span,
        `an address as \`${form.name}\` of \`${this.opcode}\``,
      );
    }
    const inner = value.items[0]!;
    switch (inner.kind) {
      case "unknown":
        return this.#fail("SYNTAX", inner.span, inner.message);
      case "integer":
        if (space !== "local") {
          return this.#expect(
            "WRONG_OPERANDS",
            inner.span,
            "a register or a variable as address, outside `.local`",
          );
        }
        return {
          kind: "address",
          base: { kind: "immediate", bits: BigInt.asUintN(64, inner.value) },
          offset: 0,
        };
      case "name":
      case "sum": {
        const name = inner.kind === "sum" ? inner.base : inner;
        const offset = inner.kind === "sum" ? this.#offset(inner.offset, inner.span) : 0;
        const meaning = meaningOf(this.#context, name);
        if (meaning === undefined || meaning.kind === "mistaken" || offset === undefined) return undefined;
        const base = this.#base(space, name, meaning);
        return base && { kind: "address", base, offset };
      }
    }
    return this.#expect("WRONG_OPERANDS", inner.span, "a register or a variable as address");
  }

  #base(space: string | undefined, name: PtxName, meaning: Meaning): AddressOperand["base"] | undefined {
    if (meaning.kind === "register") {
      const { type } = meaning;
      const isWide = takesRegister("u64", type, false);
      const isNarrow = space !== undefined && isNarrowSpace(space) && takesRegister("u32", type, false);
      if (isWide || isNarrow) return meaning.operand;
      const message = `expected a 64-bit address, found ${quoted(name.name)} of \`.${type}\``;
      return this.#fail("WRONG_TYPE", name.span, message);
    }
    if (meaning.kind !== "variable") {
      return this.#expect("WRONG_OPERANDS", name.span, "a register or a variable as address");
    }
    const { variable, reference } = meaning;
    if (space === undefined ? GENERIC.has(variable.space) : space === variable.space) return reference;
    return this.#otherSpace(space, name, variable);
  }

  #otherSpace(space: string | undefined, { name, span }: PtxName, variable: ProgramVariable): undefined {
    const place = space === undefined ? "memory" : `\`.${space}\``;
    const message = `expected a variable in ${place}, found ${quoted(name)} in \`.${variable.space}\``;
    return this.#fail("WRONG_TYPE", span, message);
  }
}

/** State spaces whose variables generic accesses may name. */
const GENERIC: ReadonlySet<string> = new Set(["global", "shared", "local"]);

/** Whether addresses of a state space fit in 32 bits. */
function isNarrowSpace(space: string): boolean {
  return space !== "global";
}
