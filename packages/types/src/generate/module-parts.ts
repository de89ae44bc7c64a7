// The parts of a generated module by kind of table, independent of its form.
import type { AstTable, ConstantType, InjectTypes, StackTable } from "../core/table.js";
import { camelCase, encoderName } from "../internal/identifier.js";
import type { Declaration } from "./declaration.js";
import { astSignature, commentText, identifiersOf, stackSignature } from "./names.js";

/** Encoders that differ only in their arguments: `ptx` and `special`. */
export interface Group {
  readonly name: string;
  readonly doc: string;
  /** The function that takes the arguments: its name in its module, and the local name. */
  readonly encoder: { readonly name: string; readonly local: string };
  readonly entries: readonly { readonly name: string; readonly doc: string; readonly args: string }[];
}

export interface ModuleParts {
  /** The module of the encoders. */
  readonly encoders: string;
  readonly groups: readonly Group[];
  /** The names that `body` imports from the encoders' module. */
  readonly imports: readonly string[];
  /** The names that are re-exported from there. */
  readonly reexports: readonly string[];
  /** Declarations before the table. */
  readonly body: readonly Declaration[];
  /** Encoders of constants, with names that the module may have to change. */
  readonly constants: readonly Declaration[];
  readonly table: {
    readonly name: string;
    readonly type: string;
    readonly doc: string;
    readonly value: StackTable | AstTable | InjectTypes;
  };
}

const CONSTANT_ENCODERS: Record<ConstantType, string> = {
  f32: "constantF32",
  s32: "constantS32",
  u32: "constantBits",
};

const PTX_ENCODER = { name: "ptxInstruction", local: "ptxInstruction" };

export function stackParts(table: StackTable, encoders: string): ModuleParts {
  const instructions = identifiersOf("instructions", table.instructions, camelCase);
  const specials = identifiersOf("special_registers", table.specialRegisters, camelCase);
  const constants = table.stackTypes.flatMap(({ name, constantType }, index) =>
    constantType === undefined ? [] : [{ name, encoder: CONSTANT_ENCODERS[constantType], index }],
  );
  const constantNames = identifiersOf("stack_types", constants, encoderName);
  return {
    encoders,
    groups: [
      {
        name: "ptx",
        doc: "Every PTX instruction.",
        encoder: PTX_ENCODER,
        entries: table.instructions.map((instruction, index) => ({
          name: instructions[index]!,
          doc: `\`${commentText(instruction.ptx)}\`: ${commentText(stackSignature(table, instruction))}`,
          args: `${index}`,
        })),
      },
      {
        name: "special",
        doc: "Every special register.",
        encoder: { name: "special", local: "specialRegister" },
        entries: table.specialRegisters.map(({ ptx, argType }, index) => ({
          name: specials[index]!,
          doc: `\`%${commentText(ptx)}\`: ${commentText(table.argTypes[argType]!.name)}`,
          args: `${index}`,
        })),
      },
    ],
    imports: [
      ...new Set(constants.map(({ encoder }) => encoder)),
      "type Instruction",
      "type MetaOperationName",
      "meta as metaOfAny",
      "store as storeOfAny",
    ],
    reexports: ["input", "load", "metaConstant", "returnInstruction", "routine"],
    body: [
      {
        is: "object",
        name: "stacks",
        doc: "The index of each stack.",
        members: table.stackTypes.map(({ name }, index) => ({
          key: propertyKey(name),
          type: `${index}`,
          value: `${index}`,
        })),
      },
      {
        is: "type",
        name: "Stack",
        doc: "The index of a stack that exists.",
        type: " (typeof stacks)[keyof typeof stacks]",
      },
      {
        is: "value",
        name: "meta",
        doc: "Changes the order of a stack's values.",
        type: "(stack: Stack, operation: MetaOperationName) => Instruction",
        value: "metaOfAny",
      },
      {
        is: "value",
        name: "store",
        doc: "Pops a value of a stack into a slot.",
        type: "(stack: Stack, slot: number) => Instruction",
        value: "storeOfAny",
      },
    ],
    constants: constants.map(({ name, encoder, index }, at) => ({
      is: "value",
      name: constantNames[at]!,
      doc: `Pushes a constant on stack ${commentText(name)}.`,
      type: "(value: number) => Instruction",
      value: `(value) => ${encoder}(${index}, value)`,
    })),
    table: { name: "table", type: "StackTable", doc: "The table for the compiler.", value: table },
  };
}

export function astParts(table: AstTable, encoders: string): ModuleParts {
  const instructions = identifiersOf("instructions", table.instructions, camelCase);
  return {
    encoders,
    groups: [
      {
        name: "ptx",
        doc: "Every PTX instruction, with the number of its arguments.",
        encoder: PTX_ENCODER,
        entries: table.instructions.map((instruction, index) => ({
          name: instructions[index]!,
          doc: `\`${commentText(instruction.ptx)}\`: ${commentText(astSignature(instruction))}`,
          args: `${index}, ${instruction.args}`,
        })),
      },
    ],
    imports: [],
    reexports: ["constant", "input", "returnInstruction", "routine", "routineArgument"],
    body: [],
    constants: [],
    table: { name: "table", type: "AstTable", doc: "The table for the compiler.", value: table },
  };
}

export function injectParts(types: InjectTypes): ModuleParts {
  const names = types.types.map(({ name }) => `\n  | ${JSON.stringify(name)}`);
  return {
    encoders: "",
    groups: [],
    imports: [],
    reexports: [],
    body: [
      {
        is: "type",
        name: "TypeName",
        doc: "The possible types of an operand.",
        type: names.length === 0 ? " never" : names.join(""),
      },
    ],
    constants: [],
    table: { name: "types", type: "InjectTypes", doc: "The types that annotations can use.", value: types },
  };
}

/** A key of an object literal; a plain `__proto__` would set the prototype. */
function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}
