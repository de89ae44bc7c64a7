// What exports are written from: the straight-line code of a genome as a list of values with their types.
import {
  CODE_TYPES,
  CodeBuffer,
  type OperationParts,
  operandsOf,
  operationParts,
  operationSignature,
  operationText,
} from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { invalid } from "../options.js";
import type { Genome, ProgramRegister, ProgramSpace } from "../spaces/space.js";

/** A value that a program computes. */
export type ProgramValue =
  | { readonly kind: "input"; readonly type: string; readonly input: number }
  | { readonly kind: "constant"; readonly type: string; readonly bits: bigint }
  | {
      readonly kind: "operation";
      readonly type: string;
      /** The instruction as PTX writes it. */
      readonly text: string;
      readonly parts: OperationParts;
      /** The indices of earlier values, and the types that the instruction takes. */
      readonly operands: readonly number[];
      readonly operandTypes: readonly string[];
    };

/** A program as values in the order in which they are computed; equal ones are there once. */
export interface ExportedProgram {
  readonly inputs: readonly ProgramRegister[];
  readonly outputs: readonly ProgramRegister[];
  readonly values: readonly ProgramValue[];
  /** The value of each output. */
  readonly results: readonly number[];
}

/** @throws SearchError INVALID_ARGUMENT for genomes that are not of the space, or that have no code */
export function programOf(space: ProgramSpace, genome: Genome): ExportedProgram {
  space.check(genome);
  const codes = new CodeBuffer();
  space.compile(genome, codes);
  if (codes.count === 0) throw invalid("a genome with a code", "one without");
  const { words } = codes;
  const values: ProgramValue[] = [];
  const known = new Map<string, number>();
  /** For each item of the code, its value. */
  const numbers: number[] = [];
  let at = CodeWord.header;
  for (let item = 0; item < words[CodeWord.itemCount]!; item++) {
    const operation = words[at++]!;
    const rest = Array.from(words.subarray(at, at + operandsOf(operation)));
    at += rest.length;
    const value = readValue(operation, rest, numbers);
    const key = JSON.stringify([operation, value.kind === "operation" ? value.operands : rest]);
    const number = known.get(key) ?? values.push(value) - 1;
    known.set(key, number);
    numbers.push(number);
  }
  const results = Array.from(words.subarray(at), (word) => numbers[word & CodeWord.valueMask]!);
  return { inputs: space.inputRegisters, outputs: space.outputRegisters, values, results };
}

function readValue(operation: number, rest: readonly number[], numbers: readonly number[]): ProgramValue {
  const name = operation & OperationField.nameMask;
  const parts = operationParts(operation);
  const [type = CODE_TYPES[0]!] = parts.types;
  if (name === CodeName.input) return { kind: "input", type, input: rest[0]! };
  if (name === CodeName.constant) {
    const [low = 0, high = 0] = rest;
    return { kind: "constant", type, bits: BigInt(low) | (BigInt(high) << 32n) };
  }
  const { result, operands } = operationSignature(parts, rest.length);
  return {
    kind: "operation",
    type: result,
    text: operationText(operation),
    parts,
    operands: rest.map((value) => numbers[value]!),
    operandTypes: operands,
  };
}
