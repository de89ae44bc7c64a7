// The parts of serialized state, field by field.
import { describeValue } from "@mm-ptx/types/internal";
import { InstructionType, Packed } from "../layout.js";
import { Legacy, LegacyType } from "../legacy/layout.js";
import { damaged, type SerializedReader } from "./reader.js";
import type {
  SerializedInstruction,
  SerializedRegister,
  SerializedTable,
  SerializedValues,
  SerializedVersion,
} from "./values.js";

type PartKind = Exclude<keyof SerializedValues, "compiler_state">;

/** Reads each kind of part. */
export const PARTS: {
  readonly [Kind in PartKind]: (
    reader: SerializedReader,
    version: SerializedVersion,
  ) => SerializedValues[Kind];
} = {
  compiler_info: (reader) => ({
    max_ast_size: reader.size("`max_ast_size`"),
    max_ast_to_visit_stack_depth: reader.size("`max_ast_to_visit_stack_depth`"),
    stack_size: reader.size("`stack_size`"),
    max_frame_depth: reader.size("`max_frame_depth`"),
    store_size: reader.size("`store_size`"),
  }),

  extra: (reader) => ({
    device_capability_major: reader.u32("`device_capability_major`"),
    device_capability_minor: reader.u32("`device_capability_minor`"),
    execution_limit: reader.size("`execution_limit`"),
  }),

  instructions: (reader, version) => reader.list("programs", 8, () => readProgram(reader, version)),

  ptx: (reader) => reader.string("PTX"),

  registers: readRegisters,

  requests(reader) {
    const start = reader.offset;
    const lengths = reader.list("lists of requests", reader.sizeBytes, () => reader.size("a length"));
    const total = lengths.reduce((sum: bigint, length) => sum + BigInt(length), 0n);
    reader.fitting(total, "requests", reader.sizeBytes, start);
    return lengths.map((length) => Array.from({ length: Number(length) }, () => reader.size("a request")));
  },

  stack_info: readTable,
};

/** The largest index of a stack in 1.1. In 1.0 it is stored in more bytes, but no table has more stacks. */
const MOST_STACK = Packed.auxMax;

/**
 * The stacks of all registers, then their names. Values that no register can have show that the bytes are of the other
 * version.
 */
function readRegisters(reader: SerializedReader, version: SerializedVersion): SerializedRegister[] {
  const start = reader.offset;
  const stackBytes = version === "1.0" ? reader.sizeBytes : 2;
  const stacks = reader.list("registers", stackBytes + 1, () => {
    const place = reader.offset;
    const stack = version === "1.0" ? reader.size("a stack") : reader.u16("a stack");
    if (stack > MOST_STACK) throw outOfRange("a stack", MOST_STACK + 1, stack, place);
    return stack;
  });
  const registers = stacks.map((stack) => {
    const place = reader.offset;
    const name = reader.string("the name of a register");
    if (/[\0-\x1f]/.test(name)) {
      throw damaged("FILE_FORMAT", `expected the name of a register, found ${describeValue(name)}`, place);
    }
    return { name, stack };
  });
  // The stacks of 1.0 are mostly zeros, which in 1.1 would be the ends of empty names.
  if (registers.length > 1 && registers.every(({ name }) => name === "")) {
    throw damaged("FILE_FORMAT", `expected registers with names, found ${registers.length} without`, start);
  }
  return registers;
}

/** The words of a program, up to and with its first return. */
function readProgram(reader: SerializedReader, version: SerializedVersion): string[] {
  const words: string[] = [];
  for (;;) {
    const word = reader.word("an instruction");
    words.push(word);
    const head = Number.parseInt(word.slice(2, 4) + word.slice(0, 2), 16);
    const isReturn =
      version === "1.0"
        ? (head & Legacy.typeMask) === LegacyType.return
        : head === (InstructionType.return as number);
    if (isReturn) return words;
  }
}

/** The bytes of an instruction's arguments, results and stacks in 1.1. */
const DESCRIPTOR_BYTES = 31;

type Descriptor = Required<Omit<SerializedInstruction, "ptx">>;

function readTable(reader: SerializedReader, version: SerializedVersion): SerializedTable {
  const isCurrent = version === "1.1";
  const texts = reader.list("instructions", isCurrent ? 1 + DESCRIPTOR_BYTES : 1, () =>
    reader.string("the text of an instruction"),
  );
  const descriptorsAt = reader.offset;
  const descriptors = isCurrent ? texts.map(() => readDescriptor(reader)) : undefined;
  const specials = reader.list("special registers", isCurrent ? 3 : 1, () =>
    reader.string("the name of a special register"),
  );
  const specialTypesAt = reader.offset;
  const specialTypes = isCurrent ? specials.map(() => reader.u16("an argument type")) : undefined;
  const prefixes = reader.list("stacks", 1, () => reader.string("the register type of a stack"));
  const argTypes = reader.list("argument types", isCurrent ? 4 : 2 * reader.sizeBytes, () => {
    const start = reader.offset;
    const stack = isCurrent ? reader.u16("a stack") : reader.size("a stack");
    if (stack >= prefixes.length) throw outOfRange("a stack", prefixes.length, stack, start);
    return {
      stack,
      num_vec_elems: isCurrent ? reader.u16("a number of elements") : reader.size("a number of elements"),
    };
  });
  descriptors?.forEach((descriptor, index) => {
    checkDescriptor(descriptor, argTypes, descriptorsAt + DESCRIPTOR_BYTES * index);
  });
  specialTypes?.forEach((type, index) => {
    if (type >= argTypes.length) {
      throw outOfRange("an argument type", argTypes.length, type, specialTypesAt + 2 * index);
    }
  });
  return {
    instructions: texts.map((ptx, index) => ({ ptx, ...descriptors?.[index] })),
    special_registers: specials.map((ptx, index) =>
      specialTypes === undefined ? { ptx } : { ptx, arg_type: specialTypes[index]! },
    ),
    literal_prefixes: prefixes,
    arg_types: argTypes,
  };
}

function readDescriptor(reader: SerializedReader): Descriptor {
  const types = (count: number) => Array.from({ length: count }, () => reader.u16("an argument type"));
  const [arg_types, ret_types] = [types(4), types(2)];
  const num_unique_stacks = reader.u16("the number of stacks");
  const start = reader.offset;
  const aligned = reader.u8("`is_aligned`");
  if (aligned > 1) throw damaged("FILE_FORMAT", `expected \`is_aligned\` as 0 or 1, found ${aligned}`, start);
  const unique_stacks = Array.from(
    { length: 4 },
    () => [reader.u16("a stack"), reader.u16("a number of values")] as const,
  );
  return { arg_types, ret_types, num_unique_stacks, is_aligned: aligned === 1, unique_stacks };
}

/** Checks indices, the ends of lists, and the stacks, which follow from the arguments. */
function checkDescriptor(
  descriptor: Descriptor,
  argTypes: SerializedTable["arg_types"],
  start: number,
): void {
  const none = argTypes.length;
  for (const [types, at] of [
    [descriptor.arg_types, 0],
    [descriptor.ret_types, 8],
  ] as const) {
    types.forEach((type, index) => {
      const place = start + at + 2 * index;
      if (type > none) throw outOfRange("an argument type", none + 1, type, place);
      if (index > 0 && types[index - 1] === none && type !== none) {
        throw damaged(
          "FILE_FORMAT",
          `expected no argument type after the end of a list, found ${type}`,
          place,
        );
      }
    });
  }
  const needs = new Map<number, number>();
  for (const type of descriptor.arg_types.filter((each) => each !== none)) {
    const stack = Number(argTypes[type]!.stack);
    needs.set(stack, (needs.get(stack) ?? 0) + Math.max(1, Number(argTypes[type]!.num_vec_elems)));
  }
  const found = descriptor.unique_stacks.flat();
  // Numbers of values have 16 bits.
  const expected = [...needs].flatMap(([stack, values]) => [stack, values & 0xffff]);
  const isDerived =
    descriptor.num_unique_stacks === needs.size && found.every((value, at) => value === (expected[at] ?? 0));
  if (!isDerived) {
    throw damaged(
      "FILE_FORMAT",
      "expected the stacks of an instruction as its arguments say, found others",
      start + 12,
    );
  }
}

const outOfRange = (what: string, count: number, found: number | bigint, offset: number) =>
  damaged("FILE_FORMAT", `expected the index of ${what} below ${count}, found ${found}`, offset);
