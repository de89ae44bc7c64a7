// Descriptions of Stack PTX: stacks, argument types that use them, and instructions and special registers that use
// those.

import type {
  ArgType,
  Requirement,
  SpecialRegister,
  StackInstruction,
  StackTable,
  StackType,
} from "../core/table.js";
import { MAX_SPECIAL_ELEMENTS, type StackDescription } from "../description.js";
import { encoderName } from "../identifier.js";
import { quoted } from "../internal/describe.js";
import { BY_NAME, BY_NAME_OR_PTX, type IdentifierRule, IN_C, IN_TYPESCRIPT } from "../merge.js";
import { takesConstant } from "../register-type.js";
import { EntryChecker, entriesOf, type KindRules, optional, ownName, wellFormed } from "./rules.js";

type FileList<Key extends keyof StackDescription> =
  NonNullable<StackDescription[Key]> extends (infer Value)[] ? Value : never;
type FileStackType = FileList<"stack_types">;
type FileArgType = FileList<"arg_types">;
type FileInstruction = FileList<"instructions">;
type FileSpecialRegister = FileList<"special_registers">;

/** In generated code, each stack with constants has an encoder whose name ignores the case of the stack's name. */
const CONSTANT_ENCODERS: IdentifierRule = {
  language: "TypeScript",
  of: ({ name, value, wellFormed }) =>
    wellFormed && (value as FileStackType).constant_type !== undefined ? encoderName(name) : undefined,
};

export const STACK: KindRules<StackTable> = {
  lists: [
    { key: "stack_types", ...BY_NAME, identifiers: [IN_C, CONSTANT_ENCODERS] },
    { key: "arg_types", ...BY_NAME, identifiers: [] },
    { key: "instructions", ...BY_NAME_OR_PTX, identifiers: [IN_TYPESCRIPT, IN_C] },
    { key: "special_registers", ...BY_NAME_OR_PTX, identifiers: [IN_TYPESCRIPT, IN_C] },
  ],

  check(own, merged, problems) {
    const checker = new EntryChecker(merged, problems);
    for (const entry of wellFormed<FileStackType>(own, "stack_types")) {
      const { constant_type: constant, literal_prefix: prefix } = entry.value;
      if (constant !== undefined && !takesConstant(prefix, constant)) {
        checker.tell(entry, ["constant_type"], {
          expected: `a constant that a \`${prefix}\` register takes`,
          found: quoted(constant),
        });
      }
    }
    for (const entry of wellFormed<FileArgType>(own, "arg_types")) {
      checker.find(entry, ["stack_type"], "stack_types", entry.value.stack_type, "a stack type");
    }
    for (const entry of wellFormed<FileInstruction>(own, "instructions")) {
      for (const key of ["args", "rets"] as const) {
        entry.value[key].forEach((name, operand) => {
          checker.find(entry, [key, operand], "arg_types", name, "an argument type");
        });
      }
    }
    for (const entry of wellFormed<FileSpecialRegister>(own, "special_registers")) {
      const { arg_type: name } = entry.value;
      const argType = checker.find(entry, ["arg_type"], "arg_types", name, "an argument type");
      const elements = argType?.wellFormed ? ((argType.value as FileArgType).num_vec_elems ?? 0) : 0;
      if (elements > MAX_SPECIAL_ELEMENTS) {
        checker.tell(entry, ["arg_type"], {
          expected: `at most ${MAX_SPECIAL_ELEMENTS} elements`,
          found: `${elements} in ${quoted(name)}`,
        });
      }
    }
  },

  build(merged) {
    const index = (list: string, name: string) => merged.get(list)!.indices.get(name)!;
    return {
      kind: "stack",
      stackTypes: entriesOf<FileStackType>(merged, "stack_types").map(
        ({ name, value }): StackType => ({
          name,
          literalPrefix: value.literal_prefix,
          ...optional("constantType", value.constant_type),
          ...optional("encoderType", value.encoder_type),
        }),
      ),
      argTypes: entriesOf<FileArgType>(merged, "arg_types").map(
        ({ name, value }): ArgType => ({
          name,
          stackIndex: index("stack_types", value.stack_type),
          vectorElements: value.num_vec_elems || 0,
        }),
      ),
      instructions: entriesOf<FileInstruction>(merged, "instructions").map(
        ({ name, value }): StackInstruction => ({
          ptx: value.ptx,
          name,
          args: value.args.map((arg) => index("arg_types", arg)),
          results: value.rets.map((result) => index("arg_types", result)),
          aligned: value.aligned ?? false,
          ...optional("display", value.display),
          ...optional("requires", value.requires as Requirement | undefined),
        }),
      ),
      specialRegisters: entriesOf<FileSpecialRegister>(merged, "special_registers").map(
        ({ name, value }): SpecialRegister => ({
          ptx: value.ptx,
          name,
          argType: index("arg_types", value.arg_type),
          ...optional("display", value.display),
          ...optional("requires", value.requires as Requirement | undefined),
        }),
      ),
    };
  },

  rows: ({ stackTypes, argTypes, instructions, specialRegisters }) => [
    stackTypes.map(({ name, literalPrefix, constantType }) => [name, literalPrefix, constantType ?? null]),
    argTypes.map(({ name, stackIndex, vectorElements }) => [name, stackIndex, vectorElements]),
    instructions.map((entry) => [entry.ptx, ownName(entry), entry.args, entry.results, entry.aligned]),
    specialRegisters.map((entry) => [entry.ptx, ownName(entry), entry.argType]),
  ],
};
