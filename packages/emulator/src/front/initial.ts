// Converts the initial values of variables to bytes and to addresses that the loader writes (PTX ISA, Initializers).
import type { PtxSum, PtxValue, PtxVariable } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import type { Relocation } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import { type ModuleContext, meaningOf } from "./context.js";
import { floatBits, integerBits } from "./types.js";

/**
 * The most bytes that initial values may cover. Longer values need a text of twice that size, or rows that are nearly
 * empty.
 */
const LARGEST = 2 ** 26;

/** A variable whose size is known. */
type SizedVariable = PtxVariable & { readonly type: PtxType; readonly bytes: number };

/** The bytes of a variable up to its last given value, and the addresses in them. */
export function initialBytes(
  context: ModuleContext,
  variable: SizedVariable,
  initial: PtxValue,
): { readonly bytes: Uint8Array; readonly relocations: readonly Relocation[] } {
  const { vector, dimensions } = variable;
  const lengths: number[] = [];
  if (dimensions.length > 0) {
    const inner = dimensions.slice(1).map((length) => length ?? 0);
    const rest = inner.reduce((a, b) => a * b, vector * (TYPES[variable.type].bits / 8));
    lengths.push(dimensions[0] ?? Math.floor(variable.bytes / Math.max(1, rest)), ...inner);
  }
  if (vector > 1) lengths.push(vector);
  const writer = new InitialWriter(context, variable);
  writer.write(initial, 0, lengths);
  return writer;
}

class InitialWriter {
  readonly #context: ModuleContext;
  readonly #variable: SizedVariable;
  /** The size of one element, in bytes. */
  readonly #size: number;
  bytes = new Uint8Array(0);
  readonly relocations: Relocation[] = [];

  constructor(context: ModuleContext, variable: SizedVariable) {
    this.#context = context;
    this.#variable = variable;
    this.#size = TYPES[variable.type].bits / 8;
  }

  /**
   * Writes a value at an offset. `lengths` are the lengths of the array dimensions that the value may have, outermost
   * first.
   */
  write(value: PtxValue, at: number, lengths: readonly number[]): void {
    if (value.kind !== "vector") {
      this.#writeElement(value, at);
      return;
    }
    const [length, ...inner] = lengths;
    const { problems } = this.#context;
    if (length === undefined) {
      problems.add(
        "WRONG_OPERANDS",
        value.span,
        `expected one value of ${quoted(this.#variable.name)}, found several`,
      );
      return;
    }
    if (value.items.length > length) {
      const message = `expected at most ${length} values in ${quoted(this.#variable.name)}, found ${value.items.length}`;
      problems.add("OUT_OF_RANGE", value.span, message);
      return;
    }
    const step = inner.reduce((a, b) => a * b, this.#size);
    const end = at + step * value.items.length;
    if (end > LARGEST) {
      const message = `expected initial values in the first ${LARGEST} bytes of ${quoted(this.#variable.name)}, found values after them`;
      problems.add("OUT_OF_RANGE", value.span, message);
      return;
    }
    this.#reserve(end);
    for (const [index, item] of value.items.entries()) this.write(item, at + index * step, inner);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.bytes.length || bytes > this.#variable.bytes) return;
    const larger = new Uint8Array(bytes);
    larger.set(this.bytes);
    this.bytes = larger;
  }

  #writeElement(value: PtxValue, at: number): void {
    const { type } = this.#variable;
    this.#reserve(at + this.#size);
    if (value.kind === "name" || value.kind === "sum") {
      const none = { offset: 0n, generic: false, mask: undefined };
      this.#writeAddress(
        value.kind === "name" ? { ...none, kind: "sum", base: value, span: value.span } : value,
        at,
      );
      return;
    }
    if (value.kind === "string" && this.#size === 1) {
      this.#reserve(at + value.text.length + 1);
      for (let i = 0; i < value.text.length; i++) this.bytes[at + i] = value.text.charCodeAt(i);
      return;
    }
    const bits =
      value.kind === "integer"
        ? initialInteger(type, value.value)
        : value.kind === "float"
          ? floatBits(type, value)
          : undefined;
    if (bits === undefined) {
      const { problems } = this.#context;
      if (value.kind === "unknown") problems.add("SYNTAX", value.span, value.message);
      else problems.expect("WRONG_TYPE", value.span, `a value of \`.${type}\``);
      return;
    }
    for (let i = 0; i < this.#size; i++) this.bytes[at + i] = Number((bits >> BigInt(8 * i)) & 0xffn);
  }

  #writeAddress({ base, offset, generic, mask, span }: PtxSum, at: number): void {
    const { problems, addressed, functions } = this.#context;
    const meaning = meaningOf(this.#context, base);
    if (meaning === undefined || meaning.kind === "mistaken") return;
    if (mask !== undefined) {
      problems.expect("UNSUPPORTED", span, "a whole address");
      return;
    }
    if (this.#size < 4 || TYPES[this.#variable.type].class === "float") {
      problems.add("WRONG_TYPE", span, `expected a value of \`.${this.#variable.type}\`, found an address`);
      return;
    }
    const place = { at, size: this.#size, addend: Number(BigInt.asIntN(64, offset)), generic };
    if (meaning.kind === "variable") this.relocations.push({ ...place, target: meaning.reference });
    else if (meaning.kind === "function" && functions.has(meaning.name)) {
      const index = functions.get(meaning.name)!;
      addressed.add(index);
      this.relocations.push({ ...place, target: { kind: "function", function: index } });
    } else problems.expect("WRONG_OPERANDS", span, "a variable or a function with a body");
  }
}

/** An integer that initializes a floating-point variable is its bit pattern. */
function initialInteger(type: PtxType, value: bigint): bigint | undefined {
  if (TYPES[type].class !== "float") return integerBits(type, value);
  return BigInt.asUintN(TYPES[type].bits, value);
}
