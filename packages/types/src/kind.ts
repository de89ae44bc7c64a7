// The kinds of description files, and how to recognize the kind of a file.
import type { DescriptionKind } from "./description.js";
import { valueAt } from "./json/document.js";

/** The names of the kinds in messages. */
export const KIND_NAMES: Record<DescriptionKind, string> = {
  ast: "an AST PTX description",
  inject: "a PTX Inject description",
  stack: "a Stack PTX description",
};

/** The keys that only one kind of file has. */
const TELLING_KEYS: readonly (readonly [key: string, kind: DescriptionKind])[] = [
  ["stack_types", "stack"],
  ["arg_types", "stack"],
  ["special_registers", "stack"],
  ["data_type_infos", "inject"],
];

/** The kind of a file according to its top-level keys; `undefined` when they do not determine it. */
export function kindOfFile(file: unknown): DescriptionKind | undefined {
  const told = TELLING_KEYS.find(([key]) => valueAt(file, [key]) !== undefined);
  if (told !== undefined) return told[1];
  const instructions = valueAt(file, ["instructions"]);
  if (!Array.isArray(instructions)) return undefined;
  // In AST PTX, `args` is a number; in Stack PTX it is a list.
  const args = instructions.map((entry) => valueAt(entry, ["args"])).find((value) => value !== undefined);
  if (args !== undefined) return Array.isArray(args) ? "stack" : "ast";
  return valueAt(file, ["extends"]) === undefined ? "ast" : undefined;
}
