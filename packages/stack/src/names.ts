// The names of a table as objects, for tables that are known only at run time.
import type { StackTable } from "@mm-ptx/types/core";
import { camelCase, quoted } from "@mm-ptx/types/internal";
import { checkTable } from "./arguments.js";
import { type Instruction, ptxInstruction, special } from "./encode.js";
import { StackPtxError } from "./error.js";

/** The entries of a table by name, as in the module that `mm-ptx-types generate` writes for it. */
export interface TableNames {
  /** The index of each stack, by the stack's name. */
  readonly stacks: Readonly<Record<string, number>>;
  /** Every PTX instruction, by its name in camel case: `addFtzF32`. */
  readonly ptx: Readonly<Record<string, Instruction>>;
  /** Every special register, by its name in camel case: `tidX`. */
  readonly special: Readonly<Record<string, Instruction>>;
}

/**
 * The stacks, instructions and special registers of a table by name, as in its generated module: programs for a table
 * that was read at run time can be written like those for `@mm-ptx/stack/default`.
 * @throws StackPtxError INVALID_ARGUMENT when it is not a table, or two of its names become the same identifier
 */
export function namesOf(table: StackTable): TableNames {
  checkTable(table);
  return Object.freeze({
    stacks: byName(table.stackTypes, String, (index) => index),
    ptx: byName(table.instructions, camelCase, ptxInstruction),
    special: byName(table.specialRegisters, camelCase, special),
  });
}

function byName<Value>(
  entries: readonly { readonly name: string }[],
  identifierOf: (name: string) => string,
  encode: (index: number) => Value,
): Readonly<Record<string, Value>> {
  const first = new Map<string, string>();
  const named = entries.map(({ name }, index): [string, Value] => {
    const identifier = identifierOf(name);
    const other = first.get(identifier);
    if (other !== undefined) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `expected names that give different identifiers, found ${quoted(other)} and ${quoted(name)}, both ${quoted(identifier)}`,
      );
    }
    first.set(identifier, name);
    return [identifier, encode(index)];
  });
  return Object.freeze(Object.fromEntries(named));
}
