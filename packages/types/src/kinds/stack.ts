// Descriptions of Stack PTX: stacks, argument types that use them, and instructions and special registers that use
// those.

import { MOV_TYPES, takesConstant } from "../core/register-type.js";
import type {
  ArgType,
  ConstantType,
  Requirement,
  SpecialRegister,
  StackInstruction,
  StackTable,
  StackType,
} from "../core/table.js";
import { MAX_SPECIAL_ELEMENTS, type StackDescription } from "../description.js";
import { quoted } from "../internal/describe.js";
import { stackRows } from "../internal/fingerprint.js";
import { encoderName } from "../internal/identifier.js";
import {
  BY_NAME,
  BY_NAME_OR_PTX,
  type IdentifierRule,
  IN_C,
  IN_TYPESCRIPT,
  type Merged,
  type Spelling,
} from "../merge.js";
import { EntryChecker, entriesOf, type KindRules, optional, wellFormed } from "./rules.js";

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

/** The generator of mm-ptx 1.1 takes `constant_type` in any case and with blanks around it, and `aligned` as text. */
const CONSTANT_SPELLING: Spelling = {
  key: "constant_type",
  expected: "one of f32, s32, u32",
  read: (value) => (value as string).trim().toLowerCase(),
};
const ALIGNED_SPELLING: Spelling = {
  key: "aligned",
  expected: "true or false",
  read: (value) => (typeof value === "string" ? /^\s*[ty1]/i.test(value) : value),
};

const index = (merged: Merged, list: string, name: string) => merged.get(list)!.indices.get(name);

const isCopyable = (prefix: string): boolean => (MOV_TYPES as readonly string[]).includes(prefix);

export const STACK: KindRules<StackTable> = {
  lists: [
    {
      key: "stack_types",
      ...BY_NAME,
      identifiers: [IN_C, CONSTANT_ENCODERS],
      spellings: [CONSTANT_SPELLING],
    },
    { key: "arg_types", ...BY_NAME, identifiers: [] },
    {
      key: "instructions",
      ...BY_NAME_OR_PTX,
      identifiers: [IN_TYPESCRIPT, IN_C],
      spellings: [ALIGNED_SPELLING],
    },
    { key: "special_registers", ...BY_NAME_OR_PTX, identifiers: [IN_TYPESCRIPT, IN_C] },
  ],

  check(own, merged, problems) {
    const checker = new EntryChecker(merged, problems);
    for (const entry of wellFormed<FileStackType>(own, "stack_types")) {
      const { constant_type: constant, literal_prefix: prefix } = entry.value;
      if (!isCopyable(prefix)) {
        checker.warn(entry, ["literal_prefix"], {
          expected: `a type that \`mov\` takes (${MOV_TYPES.join(", ")})`,
          found: quoted(prefix),
          hint: ": a request on this stack is an error",
        });
      }
      if (constant !== undefined && !takesConstant(prefix, constant as ConstantType)) {
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
      if (!argType?.wellFormed) continue;
      const { num_vec_elems: elements = 0, stack_type: stackName } = argType.value as FileArgType;
      const stack = merged.get("stack_types")!.entries[index(merged, "stack_types", stackName) ?? -1];
      const prefix = stack?.wellFormed ? (stack.value as FileStackType).literal_prefix : undefined;
      if (prefix !== undefined && !isCopyable(prefix)) {
        checker.warn(entry, ["arg_type"], {
          expected: "a stack whose registers `mov` takes",
          found: quoted(name),
          hint: `: no assembler takes \`mov.${prefix}\``,
        });
      }
      if (elements > MAX_SPECIAL_ELEMENTS) {
        checker.tell(entry, ["arg_type"], {
          expected: `at most ${MAX_SPECIAL_ELEMENTS} elements`,
          found: `${elements} in ${quoted(name)}`,
        });
      }
    }
  },

  build(merged) {
    return {
      kind: "stack",
      stackTypes: entriesOf<FileStackType>(merged, "stack_types").map(
        ({ name, value }): StackType => ({
          name,
          literalPrefix: value.literal_prefix,
          ...optional("constantType", value.constant_type as ConstantType | undefined),
          ...optional("encoderType", value.encoder_type),
        }),
      ),
      argTypes: entriesOf<FileArgType>(merged, "arg_types").map(
        ({ name, value }): ArgType => ({
          name,
          stackIndex: index(merged, "stack_types", value.stack_type)!,
          vectorElements: value.num_vec_elems || 0,
        }),
      ),
      instructions: entriesOf<FileInstruction>(merged, "instructions").map(
        ({ name, value }): StackInstruction => ({
          ptx: value.ptx,
          name,
          args: value.args.map((arg) => index(merged, "arg_types", arg)!),
          results: value.rets.map((result) => index(merged, "arg_types", result)!),
          aligned: (value.aligned as boolean | undefined) ?? false,
          ...optional("display", value.display),
          ...optional("requires", value.requires as Requirement | undefined),
        }),
      ),
      specialRegisters: entriesOf<FileSpecialRegister>(merged, "special_registers").map(
        ({ name, value }): SpecialRegister => ({
          ptx: value.ptx,
          name,
          argType: index(merged, "arg_types", value.arg_type)!,
          ...optional("display", value.display),
          ...optional("requires", value.requires as Requirement | undefined),
        }),
      ),
    };
  },

  rows: stackRows,
};
