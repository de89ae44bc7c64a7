// Compares two tables: what changed from the first to the second, and whether programs made for the first mean the same
// with the second.
import { checkTable, invalid } from "./arguments.js";
import type { AstTable, InjectTypes, Requirement, StackTable } from "./core/table.js";
import type { AnyTable } from "./parse.js";
import { requirementText } from "./requirement.js";

/** An entry of a table by name and index. */
export interface EntryPlace {
  readonly name: string;
  readonly index: number;
}

/** An entry that is in both tables. */
export interface EntryChange {
  readonly name: string;
  /** Its index in the first table and in the second. */
  readonly from: number;
  readonly to: number;
  /** The changes by key, as text before and after. */
  readonly changes: Readonly<Record<string, readonly [before: string, after: string]>>;
}

/** The changes in one list of a table, by name. */
export interface ListDiff {
  /** The name of the list in the description file, for example `instructions`. */
  readonly list: string;
  readonly added: readonly EntryPlace[];
  readonly removed: readonly EntryPlace[];
  /** Entries whose index or content changed. */
  readonly changed: readonly EntryChange[];
}

/** An entry of the first table that the second one lacks, or has with another meaning. */
export interface BrokenEntry extends EntryPlace {
  readonly list: string;
  /** The name of the entry that has its index now. */
  readonly now?: string;
}

/** The result of `diffTables`. */
export interface TableDiff {
  /** Whether both tables have the same fingerprint. */
  readonly same: boolean;
  /** Whether programs made for the first table run with the second and mean the same. */
  readonly runs: boolean;
  /** The reasons why they do not, in the order of the first table. */
  readonly broken: readonly BrokenEntry[];
  readonly lists: readonly ListDiff[];
}

interface ListComparison<Of extends AnyTable, Entry extends { readonly name: string }> {
  readonly list: string;
  entries(table: Of): readonly Entry[];
  /** The content of the entry, to be shown. */
  facts(entry: Entry, table: Of): Readonly<Record<string, string>>;
  /** The part of the entry that programs depend on; absent where no program uses it. */
  meaning?(entry: Entry, table: Of): unknown;
  /** Whether programs refer to these entries by name instead of by index. */
  readonly byName?: boolean;
}

/**
 * Compares two tables of the same kind.
 * @throws DescriptionError INVALID_ARGUMENT when they are of different kinds, or one of them is not a table
 */
export function diffTables(before: AnyTable, after: AnyTable): TableDiff {
  checkTable(before);
  checkTable(after);
  if (before.kind !== after.kind) {
    throw invalid("two tables of one kind", `\`${before.kind}\` and \`${after.kind}\``);
  }
  const comparisons = COMPARISONS[before.kind] as unknown as readonly ListComparison<
    AnyTable,
    { name: string }
  >[];
  const broken = comparisons.flatMap((list) => brokenEntries(list, before, after));
  return {
    same: before.fingerprint === after.fingerprint,
    runs: broken.length === 0,
    broken,
    lists: comparisons.map((list) => diffList(list, before, after)),
  };
}

function diffList<Of extends AnyTable, Entry extends { readonly name: string }>(
  { list, entries, facts }: ListComparison<Of, Entry>,
  before: Of,
  after: Of,
): ListDiff {
  const old = indicesOf(entries(before));
  const now = indicesOf(entries(after));
  const changed = [...old].flatMap(([name, from]): EntryChange[] => {
    const to = now.get(name);
    if (to === undefined) return [];
    const was = facts(entries(before)[from]!, before);
    const is = facts(entries(after)[to]!, after);
    const keys = Object.keys(was).filter((key) => was[key] !== is[key]);
    if (from === to && keys.length === 0) return [];
    return [{ name, from, to, changes: Object.fromEntries(keys.map((key) => [key, [was[key]!, is[key]!]])) }];
  });
  const missing = (from: Map<string, number>, of: Map<string, number>) =>
    [...from].filter(([name]) => !of.has(name)).map(([name, index]) => ({ name, index }));
  return { list, added: missing(now, old), removed: missing(old, now), changed };
}

function brokenEntries<Of extends AnyTable, Entry extends { readonly name: string }>(
  { list, entries, meaning, byName = false }: ListComparison<Of, Entry>,
  before: Of,
  after: Of,
): BrokenEntry[] {
  if (meaning === undefined) return [];
  const now = entries(after);
  const indices = indicesOf(now);
  return entries(before).flatMap((entry, index): BrokenEntry[] => {
    const found = now[byName ? (indices.get(entry.name) ?? -1) : index];
    if (found === undefined) return [{ list, name: entry.name, index }];
    const same = JSON.stringify(meaning(entry, before)) === JSON.stringify(meaning(found, after));
    return same ? [] : [{ list, name: entry.name, index, now: found.name }];
  });
}

function indicesOf(entries: readonly { readonly name: string }[]): Map<string, number> {
  return new Map(entries.map(({ name }, index) => [name, index]));
}

const requirement = (requires: Requirement | undefined) => requirementText(requires) || "nothing";

function operands(args: readonly number[], { argTypes }: StackTable): string {
  return args.map((arg) => argTypes[arg]!.name).join(", ") || "nothing";
}

/** The stack and number of elements of each operand; the names of argument types do not matter. */
function shapes(args: readonly number[], { argTypes }: StackTable): number[][] {
  return args.map((arg) => [argTypes[arg]!.stackIndex, argTypes[arg]!.vectorElements]);
}

const comparisonOf = <Of extends AnyTable, Entry extends { readonly name: string }>(
  comparison: ListComparison<Of, Entry>,
) => comparison;

const COMPARISONS = {
  stack: [
    comparisonOf({
      list: "stack_types",
      entries: (table: StackTable) => table.stackTypes,
      facts: ({ literalPrefix, constantType }) => ({
        literal_prefix: literalPrefix,
        constant_type: constantType ?? "none",
      }),
      meaning: ({ literalPrefix }) => literalPrefix,
    }),
    comparisonOf({
      list: "arg_types",
      entries: (table: StackTable) => table.argTypes,
      facts: ({ stackIndex, vectorElements }, { stackTypes }) => ({
        stack_type: stackTypes[stackIndex]!.name,
        num_vec_elems: `${vectorElements}`,
      }),
    }),
    comparisonOf({
      list: "instructions",
      entries: (table: StackTable) => table.instructions,
      facts: ({ ptx, args, results, aligned, requires }, table) => ({
        ptx,
        args: operands(args, table),
        rets: operands(results, table),
        aligned: `${aligned}`,
        requires: requirement(requires),
      }),
      meaning: ({ ptx, args, results }, table) => [ptx, shapes(args, table), shapes(results, table)],
    }),
    comparisonOf({
      list: "special_registers",
      entries: (table: StackTable) => table.specialRegisters,
      facts: ({ ptx, argType, requires }, table) => ({
        ptx,
        arg_type: operands([argType], table),
        requires: requirement(requires),
      }),
      meaning: ({ ptx, argType }, table) => [ptx, shapes([argType], table)],
    }),
  ],
  ast: [
    comparisonOf({
      list: "instructions",
      entries: (table: AstTable) => table.instructions,
      facts: ({ ptx, args, requires }) => ({ ptx, args: `${args}`, requires: requirement(requires) }),
      meaning: ({ ptx, args }) => [ptx, args],
    }),
  ],
  inject: [
    comparisonOf({
      list: "data_type_infos",
      entries: (types: InjectTypes) => types.types,
      facts: ({ registerType, movPostfix, registerChar, registerCast }) => ({
        register_type: registerType,
        mov_postfix: movPostfix,
        register_char: registerChar,
        register_cast_str: registerCast || "none",
      }),
      meaning: (type) => type,
      byName: true,
    }),
  ],
};
