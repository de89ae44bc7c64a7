// The contents of programs as data, for the languages whose encoders are generated in full: the 8-byte instructions of
// Stack PTX and AST PTX (`u16 type | u16 aux | u32 payload`, little-endian), the names of a table, and its entries.
import type { AstTable, InjectTypes, StackTable } from "../core/table.js";
import type { AnyTable } from "../parse.js";
import { dataTablesOf } from "./data-tables.js";

/** A parameter of an encoder: a number, or an entry of the enumeration with that name. */
export type Parameter =
  | { readonly name: string; readonly type: "f32" | "s32" | "u16" | "u32" }
  | { readonly name: string; readonly type: "enumeration"; readonly of: string };

/**
 * The content of a field: a parameter, a number, or the number of arguments of the instruction that the payload names.
 */
export type Field = Parameter | number | "arity";

export interface Encoder {
  readonly name: string;
  readonly type: number;
  readonly aux: Field;
  readonly payload: Field;
  readonly doc: string;
}

/** Names for the numbers from 0. */
export interface Enumeration {
  readonly name: string;
  readonly doc: string;
  /** The key in the description file, for messages. */
  readonly path: string;
  readonly entries: readonly { readonly name: string }[];
}

/** A list of a table, as rows of plain values. */
export interface DataTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** For `list`: the most numbers that it holds. */
export type Column =
  | { readonly name: string; readonly type: "number" | "text" }
  | { readonly name: string; readonly type: "list"; readonly most: number };

export type Cell = string | number | readonly number[] | undefined;

/** Everything needed to write a program for a table. */
export interface Encoding {
  readonly enumerations: readonly Enumeration[];
  readonly encoders: readonly Encoder[];
  readonly tables: readonly DataTable[];
}

/** The payloads of meta instructions, in order. */
const META_OPERATIONS = [
  "dup",
  "yank_dup",
  "swap",
  "swap_with",
  "replace",
  "drop",
  "clear",
  "rotate",
  "reverse",
];

/** The enumerations and encoders for this kind of table, limited to what the table has. */
export function encodingOf(table: AnyTable): Encoding {
  const { enumerations, encoders } = ENCODINGS[table.kind](table as never);
  const empty = new Set(enumerations.filter(({ entries }) => entries.length === 0).map(({ name }) => name));
  return {
    enumerations: enumerations.filter(({ name }) => !empty.has(name)),
    encoders: encoders.filter(
      (encoder) =>
        !parametersOf(encoder).some(
          (parameter) => parameter.type === "enumeration" && empty.has(parameter.of),
        ),
    ),
    tables: dataTablesOf(table),
  };
}

/** The parameters of an encoder, in the order of the fields. */
export function parametersOf({ aux, payload }: Encoder): Parameter[] {
  return [aux, payload].filter((field) => typeof field === "object");
}

const u16 = (name: string): Parameter => ({ name, type: "u16" });
const u32 = (name: string): Parameter => ({ name, type: "u32" });
const oneOf = (of: string, name: string): Parameter => ({ name, type: "enumeration", of });

function encoder(name: string, type: number, aux: Field, payload: Field, doc: string): Encoder {
  return { name, type, aux, payload, doc };
}

type Names = Omit<Encoding, "tables">;

const ENCODINGS = {
  stack(table: StackTable): Names {
    const stack = oneOf("stack", "stack");
    const constants = table.stackTypes.flatMap(({ name, constantType: type }, index) =>
      type === undefined
        ? []
        : [
            encoder(
              `constant_${name}`,
              2,
              index,
              { name: "value", type },
              "Pushes a constant on this stack.",
            ),
          ],
    );
    return {
      enumerations: [
        { name: "stack", doc: "Stacks.", path: "stack_types", entries: table.stackTypes },
        { name: "ptx", doc: "PTX instructions.", path: "instructions", entries: table.instructions },
        {
          name: "special",
          doc: "Special registers.",
          path: "special_registers",
          entries: table.specialRegisters,
        },
        {
          name: "meta",
          doc: "Operations that change the order of a stack's values.",
          path: "",
          entries: META_OPERATIONS.map((name) => ({ name })),
        },
      ],
      encoders: [
        encoder(
          "ptx",
          1,
          0,
          oneOf("ptx", "instruction"),
          "Runs a PTX instruction on the values of the stacks.",
        ),
        ...constants,
        encoder("input", 3, 0, u32("index"), "Pushes a register of the compile on its stack."),
        encoder(
          "special",
          4,
          0,
          oneOf("special", "special_register"),
          "Pushes the elements of a special register.",
        ),
        encoder("meta", 5, stack, oneOf("meta", "operation"), "Changes the order of a stack's values."),
        encoder("meta_constant", 6, 0, u32("value"), "Pushes a number for the operations that take one."),
        encoder("routine", 7, 0, u32("index"), "Runs a routine."),
        encoder("return_instruction", 10, 0, 0, "Ends a program or routine."),
        encoder("store", 11, stack, u32("slot"), "Pops a value of a stack into a slot."),
        encoder("load", 12, 0, u32("slot"), "Pushes the value of a slot on the stack that it came from."),
      ],
    };
  },

  ast(table: AstTable): Names {
    return {
      enumerations: [
        { name: "ptx", doc: "PTX instructions.", path: "instructions", entries: table.instructions },
      ],
      encoders: [
        encoder("input", 1, 0, u32("index"), "Pushes an input."),
        encoder("constant", 2, 0, { name: "value", type: "f32" }, "Pushes a number."),
        encoder("ptx", 3, "arity", oneOf("ptx", "instruction"), "Replaces its arguments by its result."),
        encoder(
          "routine",
          4,
          u16("arg_count"),
          u32("index"),
          "Replaces the last values by a routine's result.",
        ),
        encoder("return_instruction", 5, 0, 0, "Ends a program or routine."),
        encoder(
          "routine_argument",
          6,
          0,
          u32("index"),
          "Pushes an argument of the routine that contains it.",
        ),
      ],
    };
  },

  inject(table: InjectTypes): Names {
    const type = { name: "type", doc: "Types of operands.", path: "data_type_infos", entries: table.types };
    return { enumerations: [type], encoders: [] };
  },
};
