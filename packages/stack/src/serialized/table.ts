// Makes tables from serialized ones. Tables of 1.0 do not contain the operand types of instructions; the words of
// programs do.
import { type ArgType, deepFreeze, type StackTable, type StackType } from "@mm-ptx/types/core";
import { fingerprintOfTable } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { type SerializedNames, uniqueNames } from "./names.js";
import type { SerializedTable } from "./values.js";

/** The most elements of a vector operand, and of a special register: x, y, z, w. */
const MOST_ELEMENTS = 65535;
export const MOST_SPECIAL_ELEMENTS = 4;

/** The register types whose constants programs can have. */
const CONSTANT_TYPES = ["f32", "s32", "u32"] as const;

/** The arguments and results of an instruction, as indices of argument types. */
export interface Operands {
  readonly args: readonly number[];
  readonly results: readonly number[];
}

/** An entry of a table: the index of its text in the serialized table, and its operands. */
export type EntryOperands = Operands & { readonly text: number };

/** The operands that a table of 1.0 does not contain. */
export interface MissingOperands {
  readonly instructions: readonly EntryOperands[];
  /** A special register leaves a value of its argument type. */
  readonly specials: readonly EntryOperands[];
}

/** Whether a table contains the operand types of its instructions, as those of 1.1 do. */
export function hasOperands({ instructions, special_registers: specials }: SerializedTable): boolean {
  return (
    instructions.every(({ arg_types: args }) => args !== undefined) &&
    specials.every(({ arg_type: arg }) => arg !== undefined)
  );
}

/** @param missing for a table of 1.0 */
export function tableOf(
  serialized: SerializedTable,
  names: SerializedNames,
  missing: MissingOperands = operandsIn(serialized),
): StackTable {
  const { instructions: texts, special_registers: specials, literal_prefixes: prefixes } = serialized;
  const stackTypes = namedStacks(prefixes, names);
  const argTypes = namedArgTypes(serialized.arg_types, stackTypes, names);
  const { instructions } = missing;
  const instructionNames = uniqueNames(
    "instructions",
    names.instructions,
    instructions.length,
    (index) => texts[instructions[index]!.text]!.ptx,
  );
  const specialNames = uniqueNames(
    "special registers",
    names.specialRegisters,
    missing.specials.length,
    (index) => specials[missing.specials[index]!.text]!.ptx,
  );
  const content = {
    kind: "stack" as const,
    stackTypes,
    argTypes,
    instructions: instructions.map(({ text, args, results }, index) => ({
      ptx: texts[text]!.ptx,
      name: instructionNames[index]!,
      args,
      results,
      aligned: texts[text]!.is_aligned ?? false,
    })),
    specialRegisters: missing.specials.map(({ text, results: [argType = 0] }, index) => {
      const { vectorElements } = argTypes[argType]!;
      if (vectorElements > MOST_SPECIAL_ELEMENTS) {
        throw invalid(
          `at most ${MOST_SPECIAL_ELEMENTS} elements in special register ${index}`,
          vectorElements,
        );
      }
      return { ptx: specials[text]!.ptx, name: specialNames[index]!, argType };
    }),
  };
  return deepFreeze({ ...content, fingerprint: fingerprintOfTable(content), bases: [] });
}

function operandsIn(serialized: SerializedTable): MissingOperands {
  const none = serialized.arg_types.length;
  const listed = (types: readonly number[]) => types.filter((type) => type !== none);
  return {
    instructions: serialized.instructions.map(({ arg_types: args = [], ret_types: results = [] }, text) => ({
      text,
      args: listed(args),
      results: listed(results),
    })),
    specials: serialized.special_registers.map(({ arg_type: type = 0 }, text) => ({
      text,
      args: [],
      results: [type],
    })),
  };
}

function namedStacks(prefixes: readonly string[], { stacks }: SerializedNames): StackType[] {
  const names = uniqueNames("stacks", stacks, prefixes.length, (index) => prefixes[index]!.toUpperCase());
  return prefixes.map((literalPrefix, index) => {
    const constantType = CONSTANT_TYPES.find((type) => type === literalPrefix);
    return { name: names[index]!, literalPrefix, ...(constantType && { constantType }) };
  });
}

function namedArgTypes(
  argTypes: SerializedTable["arg_types"],
  stackTypes: readonly StackType[],
  names: SerializedNames,
): ArgType[] {
  const read = argTypes.map(({ stack, num_vec_elems: elements }, index) => {
    if (elements > MOST_ELEMENTS) {
      throw invalid(`at most ${MOST_ELEMENTS} elements in argument type ${index}`, elements);
    }
    return { stackIndex: Number(stack), vectorElements: Number(elements) };
  });
  const named = uniqueNames("argument types", names.argTypes, read.length, (index) => {
    const { stackIndex, vectorElements } = read[index]!;
    const { name } = stackTypes[stackIndex]!;
    return vectorElements === 0 ? name : `V${vectorElements}_${name}`;
  });
  return read.map((type, index) => ({ name: named[index]!, ...type }));
}
