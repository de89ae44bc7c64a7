// The lists of a table as rows of plain values, the same in every generated language.
import type { AstTable, InjectTypes, Requirement, StackTable } from "../core/table.js";
import type { AnyTable } from "../parse.js";
import type { Column, DataTable } from "./encoding.js";

const text = (name: string): Column => ({ name, type: "text" });
const number = (name: string): Column => ({ name, type: "number" });
const list = (name: string, most: number): Column => ({ name, type: "list", most });

const REQUIREMENT = [text("requires_target"), text("requires_ptx")];
const requirement = (requires: Requirement | undefined) => [requires?.target, requires?.ptx];

/** At least one, because an array in C cannot be empty. */
const longest = (lists: readonly (readonly number[])[]) =>
  lists.reduce((most, { length }) => Math.max(most, length), 1);

const TABLES = {
  stack: ({ stackTypes, argTypes, instructions, specialRegisters }: StackTable): DataTable[] => [
    {
      name: "stack",
      columns: [text("name"), text("literal_prefix"), text("constant_type")],
      rows: stackTypes.map((type) => [type.name, type.literalPrefix, type.constantType]),
    },
    {
      name: "arg_type",
      columns: [text("name"), number("stack"), number("num_vec_elems")],
      rows: argTypes.map((type) => [type.name, type.stackIndex, type.vectorElements]),
    },
    {
      name: "instruction",
      columns: [
        text("ptx"),
        text("name"),
        list("args", longest(instructions.map(({ args }) => args))),
        list("rets", longest(instructions.map(({ results }) => results))),
        ...REQUIREMENT,
      ],
      rows: instructions.map(({ ptx, name, args, results, requires }) => [
        ptx,
        name,
        args,
        results,
        ...requirement(requires),
      ]),
    },
    {
      name: "special",
      columns: [text("ptx"), text("name"), number("arg_type"), ...REQUIREMENT],
      rows: specialRegisters.map(({ ptx, name, argType, requires }) => [
        ptx,
        name,
        argType,
        ...requirement(requires),
      ]),
    },
  ],

  ast: ({ instructions }: AstTable): DataTable[] => [
    {
      name: "instruction",
      columns: [text("ptx"), text("name"), number("num_args"), ...REQUIREMENT],
      rows: instructions.map(({ ptx, name, args, requires }) => [ptx, name, args, ...requirement(requires)]),
    },
  ],

  inject: ({ types }: InjectTypes): DataTable[] => [
    {
      name: "type",
      columns: ["name", "register_type", "mov_postfix", "register_char", "register_cast_str"].map(text),
      rows: types.map((type) => [
        type.name,
        type.registerType,
        type.movPostfix,
        type.registerChar,
        type.registerCast,
      ]),
    },
  ],
};

/** The lists that have entries. */
export function dataTablesOf(table: AnyTable): DataTable[] {
  return TABLES[table.kind](table as never).filter(({ rows }) => rows.length > 0);
}
