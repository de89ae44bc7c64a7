// Looks up the indices of names in a table. Tables are plain data, so their name indices are cached separately, for
// clones too.
import { describeValue } from "../internal/describe.js";
import { didYouMean } from "../internal/suggest.js";
import { MmPtxError } from "./error.js";
import type { AstTable, InjectType, InjectTypes, StackTable } from "./table.js";

/** NOT_FOUND: the table has no entry with this name. INVALID_ARGUMENT: the argument is not a table. */
export type TableErrorCode = "INVALID_ARGUMENT" | "NOT_FOUND";

/** The error for an entry that a table does not have. */
export class TableError extends MmPtxError<TableErrorCode> {
  override readonly name: string = "TableError";
}

interface Named {
  readonly name: string;
}

const INDICES = new WeakMap<readonly Named[], ReadonlyMap<string, number>>();

/**
 * The index of a stack, which constants, meta instructions and registers refer to.
 * @throws TableError NOT_FOUND
 */
export function stackIndex(table: Pick<StackTable, "stackTypes">, name: string): number {
  return indexOf(table, "stackTypes", name);
}

/**
 * The index of an argument type.
 * @throws TableError NOT_FOUND
 */
export function argTypeIndex(table: Pick<StackTable, "argTypes">, name: string): number {
  return indexOf(table, "argTypes", name);
}

/**
 * The index of an instruction of Stack PTX or AST PTX, which programs refer to.
 * @throws TableError NOT_FOUND
 */
export function instructionIndex(table: Pick<AstTable | StackTable, "instructions">, name: string): number {
  return indexOf(table, "instructions", name);
}

/**
 * The index of a special register, which programs refer to.
 * @throws TableError NOT_FOUND
 */
export function specialRegisterIndex(table: Pick<StackTable, "specialRegisters">, name: string): number {
  return indexOf(table, "specialRegisters", name);
}

/**
 * The type with this name in annotations and markers.
 * @throws TableError NOT_FOUND
 */
export function injectType(types: Pick<InjectTypes, "types">, name: string): InjectType {
  return types.types[indexOf(types, "types", name)]!;
}

/** The lists of tables, and the names of their entries in messages. */
const LISTS = {
  argTypes: "an argument type",
  instructions: "an instruction",
  specialRegisters: "a special register",
  stackTypes: "a stack",
  types: "a type",
};

type List = keyof typeof LISTS;

function indexOf<Key extends List>(
  table: { readonly [K in Key]: readonly Named[] },
  key: Key,
  name: string,
): number {
  const entries: readonly Named[] | undefined = table?.[key];
  if (!Array.isArray(entries)) {
    throw new TableError("INVALID_ARGUMENT", `expected a table with ${key}, found ${describeValue(table)}`);
  }
  const known = INDICES.get(entries)?.get(name);
  // A clone is not frozen, so a cached index may be out of date.
  if (known !== undefined && entries[known]?.name === name) return known;
  const nameless = entries.findIndex((entry: unknown) => typeof (entry as Named | null)?.name !== "string");
  if (nameless !== -1) {
    const found = describeValue(entries[nameless]);
    throw new TableError("INVALID_ARGUMENT", `expected ${LISTS[key]} with a name, found ${found}`);
  }
  const indices = new Map(entries.map((entry, index) => [entry.name, index]));
  INDICES.set(entries, indices);
  const index = indices.get(name);
  if (index !== undefined) return index;
  const suggestion = typeof name === "string" ? didYouMean(name, indices.keys()) : "";
  const message = `expected ${LISTS[key]} of the table, found ${describeValue(name)}${suggestion}`;
  throw new TableError("NOT_FOUND", message);
}
