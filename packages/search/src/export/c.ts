// Programs as functions of C99.
import { SearchError } from "../error.js";
import { helpersOf } from "./c-helpers.js";
import { type CClass, classOf, ctype, expressionOf, isApproximate } from "./c-operations.js";
import { identifiers } from "./names.js";
import type { ExportedProgram, ProgramValue } from "./program.js";

/** Conversions between classes of the same size; the first one is for results of arithmetic, whose NaN are all the same in PTX. */
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
  const [functionName = ""] = identifiers([name]);
  const parameters = identifiers(
    [...inputs, ...(outputs.length === 1 ? [] : outputs)].map((register) => register.name),
    [functionName],
  );
  const texts: string[] = [];
  const lines: string[] = [];
  const temporaries = identifiers(
    values.map((_, index) => `t${index}`),
    [functionName, ...parameters],
  );
  values.forEach((value, index) => {
    if (value.kind === "input") texts.push(parameters[value.input]!);
    else if (value.kind === "constant") texts.push(literal(value.bits, value.type));
    else {
      lines.push(`  ${typeOf(value.type)} ${temporaries[index]} = ${operationOf(value, values, texts)};`);
      texts.push(temporaries[index]!);
    }
  });
  const resultOf = (index: number): string =>
    cast(values[results[index]!]!, texts[results[index]!]!, classOf(outputs[index]!.type)!);
  const declared = inputs.map(({ type }, index) => `${typeOf(type)} ${parameters[index]}`);
  const [single] = outputs;
  const returned = outputs.length === 1 ? typeOf(single!.type) : "void";
  if (outputs.length === 1) lines.push(`  return ${resultOf(0)};`);
  else {
    outputs.forEach(({ type }, index) => {
      declared.push(`${typeOf(type)} *${parameters[inputs.length + index]}`);
      lines.push(`  *${parameters[inputs.length + index]} = ${resultOf(index)};`);
    });
  }
  const body = `${returned} ${functionName}(${declared.join(", ") || "void"}) {\n${lines.join("\n")}\n}`;
  const head = [`// ${comment}`, "// Compile with -ffp-contract=off."];
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
  const operands = value.operands.map((operand, index) =>
    cast(values[operand]!, texts[operand]!, operandClass(value, index)),
  );
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

/** A value as another class of the same size. */
function cast(value: ProgramValue, text: string, to: CClass): string {
  const from = classOf(value.type);
  if (from === to) return text;
  const isResult = value.kind === "operation" && !COPYING.includes(value.parts.name);
  const name = CASTS[`${from} ${to}`];
  if (name === undefined) throw unsupported(`values of type \`${value.type}\` where \`${to}\` is expected`);
  return name === "ptx_bits" && isResult ? `ptx_bits_of_result(${text})` : `${name}(${text})`;
}

const floats = new Float64Array(1);
const doubleBits = new BigUint64Array(floats.buffer);
const singles = new Float32Array(1);
const singleBits = new Uint32Array(singles.buffer);

/** A constant of C with the same bits. */
function literal(bits: bigint, type: string): string {
  const hex = bits.toString(16);
  switch (classOf(type)) {
    case "f32": {
      singleBits[0] = Number(bits);
      const value = singles[0]!;
      return Number.isFinite(value) ? `${digits(value, 9)}f` : `ptx_float(0x${hex})`;
    }
    case "f64": {
      doubleBits[0] = bits;
      const value = floats[0]!;
      return Number.isFinite(value) ? digits(value, 17) : `ptx_double(0x${hex})`;
    }
    case "pred":
      return bits === 0n ? "false" : "true";
    case "b64":
      return `UINT64_C(0x${hex})`;
    default:
      return `0x${hex}u`;
  }
}

/** A number that C takes for a floating-point one; negative numbers are in brackets. */
function digits(value: number, precision: number): string {
  const short = String(Number(Math.abs(value).toPrecision(precision)));
  const text = /[.e]/.test(short) ? short : `${short}.0`;
  return value < 0 || Object.is(value, -0) ? `(-${text})` : text;
}

const unsupported = (what: string): SearchError =>
  new SearchError("UNSUPPORTED", `C can't express ${what} with the same results`);
