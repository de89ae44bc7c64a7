// Reads the only input and the only output of a code, which a check needs before a machine plans it.
import { CODE_TYPES, type CodeBatch, operandsOf } from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { readCodes } from "../evaluate/codes.js";

/** A code with one input and one output. */
export interface UnaryCode {
  readonly words: Uint32Array;
  readonly input: string;
  readonly output: string;
}

/**
 * Reads the only code of a batch, and copies it. The words of its items are checked when a machine plans it.
 * @param name what the error calls it
 * @throws ColumnsError INVALID_ARGUMENT unless it has one input, which is one of the types, and one output, which is one of them too
 */
export function readUnary(batch: CodeBatch, name: string, types: readonly string[]): UnaryCode {
  const { words: all, offsets, count } = readCodes(batch);
  if (count !== 1) throw invalid(`${name} as a batch of one code`, `${count} codes`);
  const words = all.slice(offsets[0]!, offsets[1]!);
  const arity = words[CodeWord.arity] ?? 0;
  const isCode = words[0] === CodeWord.magic && words.length >= CodeWord.header;
  // Words that are not a code have no operands to count.
  if (!isCode) throw new ColumnsError("BAD_CODE", `expected straight-line code of version 1 as ${name}`);
  const counts = [arity & CodeWord.inputMask, arity >>> CodeWord.outputShift];
  if (counts.some((count) => count !== 1)) {
    throw invalid(`${name} with one input and one output`, `${counts[0]} and ${counts[1]}`);
  }
  const input = inputType(words) ?? types[0]!;
  const output = CODE_TYPES[words[words.length - 1]! >>> CodeWord.typeShift] ?? "";
  for (const type of [input, output]) {
    if (!types.includes(type)) throw invalid(`${name} of ${types.join(" or ")}`, type || "another type");
  }
  return { words, input, output };
}

/** The type of the input, or `undefined` if no item reads it. */
function inputType(words: Uint32Array): string | undefined {
  for (let at: number = CodeWord.header; at < words.length - 1; at += 1 + operandsOf(words[at]!)) {
    const word = words[at]!;
    if ((word & OperationField.nameMask) === CodeName.input) {
      return CODE_TYPES[(word >>> OperationField.typeShift) & OperationField.typeMask] ?? "";
    }
  }
  return undefined;
}

const invalid = (expected: string, found: string): ColumnsError =>
  new ColumnsError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
