// The operations that one kernel of the module `core` computes: f32, integers of 32 bits, predicates.
import { encodeOperation, operandsOf, operationParts, operationText } from "@mm-ptx/types/code";
import { comparisonOf } from "./comparison-rows.js";
import type { CoreKernels } from "./core-kernels.js";
import { FLOAT_ROWS, UNFLUSHED, VARIANTS } from "./float-rows.js";
import { FloatKernel } from "./kernels.js";
import { Class, Entry, Flag } from "./layout.js";
import type { OperationEntry } from "./operations.js";
import { Comparison, Conversion, WordOperation } from "./word-kernels.js";

/** Instructions on words, by their mnemonic without the `32` of its types. */
const WORDS: Readonly<Record<string, WordOperation>> = {
  "mov.b": WordOperation.copy,
  "mov.u": WordOperation.copy,
  "mov.s": WordOperation.copy,
  "mov.f": WordOperation.copy,
  "not.b": WordOperation.not,
  "neg.s": WordOperation.neg,
  "abs.s": WordOperation.abs,
  "add.u": WordOperation.add,
  "add.s": WordOperation.add,
  "sub.u": WordOperation.sub,
  "sub.s": WordOperation.sub,
  "mul.lo.u": WordOperation.mul,
  "mul.lo.s": WordOperation.mul,
  "mad.lo.u": WordOperation.mad,
  "mad.lo.s": WordOperation.mad,
  "and.b": WordOperation.and,
  "or.b": WordOperation.or,
  "xor.b": WordOperation.xor,
  "min.u": WordOperation.minUnsigned,
  "min.s": WordOperation.minSigned,
  "max.u": WordOperation.maxUnsigned,
  "max.s": WordOperation.maxSigned,
  "div.u": WordOperation.divUnsigned,
  "div.s": WordOperation.divSigned,
  "rem.u": WordOperation.remUnsigned,
  "rem.s": WordOperation.remSigned,
  "shl.b": WordOperation.shiftLeft,
  "shr.b": WordOperation.shiftRightUnsigned,
  "shr.u": WordOperation.shiftRightUnsigned,
  "shr.s": WordOperation.shiftRightSigned,
};
/** The same on predicates. */
const PREDICATES: Readonly<Record<string, WordOperation>> = {
  "mov.pred": WordOperation.copy,
  "and.pred": WordOperation.and,
  "or.pred": WordOperation.or,
  "xor.pred": WordOperation.xor,
};
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  "cvt.rn.f.s": Conversion.fromSigned,
  "cvt.rn.f.u": Conversion.fromUnsigned,
  "cvt.rzi.s.f": Conversion.toSigned,
  "cvt.rzi.u.f": Conversion.toUnsigned,
};
const FLUSHING_CONVERSIONS: Readonly<Record<string, Conversion>> = {
  "cvt.rzi.ftz.s.f": Conversion.toSigned,
  "cvt.rzi.ftz.u.f": Conversion.toUnsigned,
};
const NARROW = ["b32", "u32", "s32", "f32"];

const bitwise = (operands: number): number => ((1 << operands) - 1) << Flag.bitwiseShift;
const predicates = (...operands: readonly number[]): number =>
  operands.reduce((bits, operand) => bits | (Class.predicate << (operand * Class.bits)), 0);
const PREDICATE_RESULT = Class.predicate << Flag.resultShift;

/** How the planner treats an operation, or `undefined` if there is no kernel for it. */
export function commonEntry(word: number, kernels: CoreKernels): OperationEntry | undefined {
  const operands = operandsOf(word);
  const text = operationText(word);
  // Several words may have the same text, but only one of them encodes the instruction.
  if (encodeOperation(text, operands) !== word) return undefined;
  const entry = entryOf(word, text, operands, kernels);
  return entry && { ...entry, flags: entry.flags | (operands << Flag.arityShift) };
}

function entryOf(
  word: number,
  text: string,
  operands: number,
  kernels: CoreKernels,
): OperationEntry | undefined {
  const { name, types, choice, flush } = operationParts(word);
  // With three operands, these have the text of those with two.
  if (name === "min3" || name === "max3") return undefined;
  const [type = ""] = types;
  const short = text.replace(/32/g, "");
  const integer = WORDS[short];
  if (integer !== undefined) return { kernel: kernels.words, flags: bitwise(operands), extra: integer };
  const logic = PREDICATES[text];
  if (logic !== undefined) {
    const flags = predicates(...[0, 1].slice(0, operands)) | PREDICATE_RESULT | bitwise(operands);
    return { kernel: kernels.words, flags, extra: logic };
  }
  const conversion = CONVERSIONS[short] ?? FLUSHING_CONVERSIONS[short];
  if (conversion !== undefined) {
    const fromFloat = conversion === Conversion.toSigned || conversion === Conversion.toUnsigned;
    const flags = fromFloat ? (flush ? Flag.flushes : 0) : bitwise(1) | Flag.clean;
    return { kernel: kernels.conversions, flags, extra: conversion };
  }
  const isFloat = type === "f32";
  const comparison = NARROW.includes(type) ? comparisonOf(type, choice) : undefined;
  if (comparison !== undefined && text === `setp.${choice}.${flush && isFloat ? "ftz." : ""}${type}`) {
    const [operation, inverse] = comparison;
    const flags = PREDICATE_RESULT | (isFloat ? 0 : bitwise(2)) | (flush ? Flag.flushes : 0);
    return { kernel: kernels.comparisons, flags, extra: operation | (Number(inverse) << 8) };
  }
  if (text === `selp.${type}` && NARROW.includes(type)) {
    return { kernel: kernels.comparisons, flags: predicates(2) | bitwise(2), extra: Comparison.select };
  }
  return text.endsWith(".f32") ? floatEntry(name, text, flush, kernels) : undefined;
}

function floatEntry(
  name: string,
  text: string,
  flush: boolean,
  kernels: CoreKernels,
): OperationEntry | undefined {
  if (flush && UNFLUSHED.includes(name)) return undefined;
  if (text === "copysign.f32") {
    return { kernel: kernels.float(FloatKernel.copysign), flags: bitwise(2), extra: 0 };
  }
  const row = FLOAT_ROWS[text.replace(".ftz", "").replace(".f32", "")];
  if (row === undefined) return undefined;
  const [kernel] = row;
  const [second, first] = VARIANTS.get(kernel) ?? [];
  return {
    kernel: kernels.float(kernel),
    flags: Flag.loose | (flush ? Flag.clean | Flag.flushes : 0) | (second === undefined ? 0 : Flag.variants),
    extra: second === undefined ? 0 : kernels.float(second) | (kernels.float(first!) << Entry.variantShift),
  };
}
