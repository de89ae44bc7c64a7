// Programs as functions of C99.
import { SearchError } from "../error.js";
import { constantText } from "../spaces/formula.js";
import { helpersOf } from "./c-helpers.js";
import { type CClass, classOf, ctype, expressionOf, isApproximate } from "./c-operations.js";
import { argumentComment, argumentNames, temporaryName } from "./names.js";
import type { ExportedProgram, ProgramValue } from "./program.js";

/** Conversions between classes of the same size. */
const CASTS: Readonly<Record<string, string>> = {
  "f32 b32": "ptx_bits",
  "b32 f32": "ptx_float",
  "f64 b64": "ptx_bits_f64",
  "b64 f64": "ptx_double",
};

/** The instructions of f32 that copy bits. */
const COPYING = ["copysign", "mov", "selp", "slct"];

/**
 * A function of C99 that computes a program. The results have the same bits as those of PTX, except for NaN and for instructions that PTX
 * approximates, which a comment names.
 * @param comment what the program is, for the first line
 * @throws SearchError UNSUPPORTED for instructions and types that C has nothing for
 */
export function exportC(program: ExportedProgram, name: string, comment: string): string {
  const { inputs, outputs, values, results } = program;
  const names = argumentNames(program);
  const texts: string[] = [];
  const lines: string[] = [];
  values.forEach((value, index) => {
    if (value.kind === "input") texts.push(names.inputs[value.input]!);
    else if (value.kind === "constant") texts.push(literal(value.bits, value.type));
    else {
      const temporary = temporaryName(index);
      lines.push(`  ${typeOf(value.type)} ${temporary} = ${operationOf(value, values, texts)};`);
      texts.push(temporary);
    }
  });
  const used = new Set(values.map((value) => (value.kind === "input" ? value.input : -1)));
  inputs.forEach((_, index) => {
    if (!used.has(index)) lines.unshift(`  (void)${names.inputs[index]};`);
  });
  const resultOf = (index: number): string =>
    cast(values[results[index]!]!, texts[results[index]!]!, classOf(outputs[index]!.type)!);
  const declared = inputs.map(({ type }, index) => `${typeOf(type)} ${names.inputs[index]}`);
  const [single] = outputs;
  const returned = outputs.length === 1 ? typeOf(single!.type) : "void";
  if (outputs.length === 1) lines.push(`  return ${resultOf(0)};`);
  else {
    outputs.forEach(({ type }, index) => {
      declared.push(`${typeOf(type)} *${names.outputs[index]}`);
      lines.push(`  *${names.outputs[index]} = ${resultOf(index)};`);
    });
  }
  const body = `${returned} ${name}(${declared.join(", ") || "void"}) {\n${lines.join("\n")}\n}`;
  const head = [`// ${comment}`, ...argumentComment(program, names)];
  if (values.some(({ type }) => type === "f32" || type === "f64"))
    head.push(
      "// Compile with -ffp-contract=off: then results have the same bits as in PTX, except for NaN.",
    );
  const approximate = [
    ...new Set(
      values.flatMap((value) =>
        value.kind === "operation" && isApproximate(value.parts) ? [value.text] : [],
      ),
    ),
  ];
  if (approximate.length > 0)
    head.push(`// PTX approximates ${approximate.join(", ")}: the last bits of their results may differ.`);
  const includes = "float math stdbool stdint string".split(" ").map((header) => `#include <${header}.h>`);
  return `${[head.join("\n"), includes.join("\n"), ...helpersOf(body), body].join("\n\n")}\n`;
}

function typeOf(type: string): string {
  if (classOf(type) === undefined) throw unsupported(`values of type \`${type}\``);
  return ctype(type);
}

function operationOf(
  value: Extract<ProgramValue, { kind: "operation" }>,
  values: readonly ProgramValue[],
  texts: readonly string[],
): string {
  const operands = value.operands.map((operand, index) => {
    const text = cast(values[operand]!, texts[operand]!, operandClass(value, index));
    const readsSign = value.text === "copysign.f32" && index === 0;
    if (readsSign && isResult(values[operand]!)) return `ptx_with_sign(${text})`;
    const flushes = value.parts.flush && operandClass(value, index) === "f32";
    return flushes && !isFlushed(values[operand]!) ? `ptx_ftz(${text})` : text;
  });
  const text = expressionOf(operands, value.parts);
  if (text === undefined || classOf(value.type) === undefined) throw unsupported(`\`${value.text}\``);
  return text;
}

/** Conversions take the low bits of wider operands. */
function operandClass(
  { operandTypes, text }: Extract<ProgramValue, { kind: "operation" }>,
  index: number,
): CClass {
  const type = operandTypes[index]!;
  const found = classOf(type) ?? (/^[us](8|16)$/.test(type) ? "b32" : undefined);
  if (found === undefined) throw unsupported(`\`${text}\``);
  return found;
}

/** Whether a value is the result of arithmetic, whose NaN are all the same in PTX. */
const isResult = (value: ProgramValue): boolean =>
  value.kind === "operation" && !COPYING.includes(value.parts.name);

/** Whether an f32 value is never a subnormal number. */
function isFlushed(value: ProgramValue): boolean {
  if (value.kind === "operation") return value.parts.flush && value.type === "f32";
  return (
    value.kind === "constant" && ((value.bits & 0x7f800000n) !== 0n || (value.bits & 0x7fffffffn) === 0n)
  );
}

/** A value as another class of the same size. */
function cast(value: ProgramValue, text: string, to: CClass): string {
  const from = classOf(value.type);
  if (from === to) return text;
  const name = CASTS[`${from} ${to}`];
  if (name === undefined) throw unsupported(`values of type \`${value.type}\` where \`${to}\` is expected`);
  return name === "ptx_bits" && isResult(value) ? `ptx_bits_of_result(${text})` : `${name}(${text})`;
}

const doubles = new Float64Array(1);
const doubleBits = new BigUint64Array(doubles.buffer);

/** A constant of C with the same bits. */
function literal(bits: bigint, type: string): string {
  const hex = `0x${bits.toString(16)}`;
  switch (classOf(type)) {
    case "f32": {
      const text = constantText(Number(bits));
      return text.startsWith("0f") ? `ptx_float(${hex})` : decimal(text, "f");
    }
    case "f64": {
      doubleBits[0] = bits;
      const value = doubles[0]!;
      if (!Number.isFinite(value)) return `ptx_double(${hex})`;
      return decimal(Object.is(value, -0) ? "-0" : String(value), "");
    }
    case "pred":
      return bits === 0n ? "false" : "true";
    case "b64":
      return `UINT64_C(${hex})`;
    default:
      return `${hex}u`;
  }
}

/** A decimal as a floating-point constant of C, with brackets if it is negative. */
function decimal(text: string, suffix: string): string {
  const constant = `${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`;
  return text.startsWith("-") ? `(${constant})` : constant;
}

const unsupported = (what: string): SearchError =>
  new SearchError("UNSUPPORTED", `C can't express ${what} with the same results`);
