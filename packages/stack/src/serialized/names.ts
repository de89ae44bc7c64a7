// Names of tables that were made from serialized state, which has none.
import { isListOf, isOneOf } from "@mm-ptx/types/internal";
import { checkOptionValues, invalid } from "../arguments.js";
import { LEGACY_DIALECTS, type LegacyDialect } from "../legacy/layout.js";

/** The names, and the version, that serialized state does not contain. */
export interface SerializedNames {
  /** Names of stacks by index, like the other lists; by default the register type in upper case: `F32`. */
  readonly stacks?: readonly string[];
  /** Names of argument types; by default the stack's name, and for vectors also the number of elements: `V4_F32`. */
  readonly argTypes?: readonly string[];
  /** Names of instructions; by default the PTX text, numbered where instructions share it: `mov.b32`, `mov.b32.2`. */
  readonly instructions?: readonly string[];
  /** Names of special registers; by default the PTX text. */
  readonly specialRegisters?: readonly string[];
  /** The version of programs of Stack PTX 1.0; `1.0` by default. */
  readonly dialect?: LegacyDialect;
}

const isNames = isListOf("names", (name) => typeof name === "string");

const OPTIONS = {
  stacks: isNames,
  argTypes: isNames,
  instructions: isNames,
  specialRegisters: isNames,
  dialect: isOneOf(LEGACY_DIALECTS),
};

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkNames(names: SerializedNames): void {
  checkOptionValues(names, OPTIONS);
}

/**
 * A unique name for each entry.
 * @param given the names that the caller states, for the first entries
 * @param usual the name of an entry that the caller does not name
 * @throws StackPtxError INVALID_ARGUMENT when there are more names than entries, or one twice
 */
export function uniqueNames(
  list: string,
  given: readonly string[] = [],
  count: number,
  usual: (index: number) => string,
): string[] {
  if (given.length > count) throw invalid(`at most ${count} names of ${list}`, given.length);
  const taken = new Set<string>();
  for (const name of given) {
    if (taken.has(name)) throw invalid(`unique names of ${list}`, name);
    taken.add(name);
  }
  return Array.from({ length: count }, (_, index) => {
    if (index < given.length) return given[index]!;
    const base = usual(index);
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}.${number}`;
    taken.add(name);
    return name;
  });
}
