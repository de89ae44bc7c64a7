// The identity of a table: a SHA-256 of its meaning, whatever files it came from.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AstTable, InjectTypes, StackTable, TableIdentity } from "../core/table.js";

/** Converts the entries of a list to rows of JSON text. */
export type Rows = readonly string[];

export function rowTexts(lists: readonly (readonly (readonly unknown[])[])[]): Rows[] {
  return lists.map((rows) => rows.map((row) => JSON.stringify(row)));
}

/**
 * SHA-256 as 64 hex digits of a table's kind and rows, written as JSON without blanks. Rows contain what affects the
 * meaning of a program or the names it can use, with defaults filled in. Formatting, the order of keys, `encoder_type`,
 * `display`, `requires` and the files that entries came from do not affect it.
 */
export function fingerprintOf(kind: "ast" | "inject" | "stack", lists: readonly Rows[]): string {
  const content = [JSON.stringify(kind), ...lists.map((rows) => `[${rows.join(",")}]`)];
  return bytesToHex(sha256(utf8ToBytes(`[${content.join(",")}]`)));
}

/** Whether the entries of a base have the same indices and meanings in a table made from it. */
export function startsWith(table: readonly Rows[], base: readonly Rows[]): boolean {
  return base.every((rows, list) => rows.every((row, index) => row === table[list]![index]));
}

type Content<Table extends TableIdentity> = Omit<Table, keyof TableIdentity>;
type Lists = readonly (readonly (readonly unknown[])[])[];

/** The parts of a table that its fingerprint covers: a row for each entry, list by list. */
export const stackRows = (table: Content<StackTable>): Lists => [
  table.stackTypes.map(({ name, literalPrefix, constantType }) => [
    name,
    literalPrefix,
    constantType ?? null,
  ]),
  table.argTypes.map(({ name, stackIndex, vectorElements }) => [name, stackIndex, vectorElements]),
  table.instructions.map((entry) => [entry.ptx, ownName(entry), entry.args, entry.results, entry.aligned]),
  table.specialRegisters.map((entry) => [entry.ptx, ownName(entry), entry.argType]),
];

export const astRows = ({ instructions }: Content<AstTable>): Lists => [
  instructions.map((entry) => [entry.ptx, ownName(entry), entry.args]),
];

export const injectRows = ({ types }: Content<InjectTypes>): Lists => [
  types.map(({ name, registerType, movPostfix, registerChar, registerCast }) => [
    name,
    registerType,
    movPostfix,
    registerChar,
    registerCast,
  ]),
];

/** The fingerprint of a table that need not have come from a description file. */
export function fingerprintOfTable(
  table: Content<AstTable> | Content<InjectTypes> | Content<StackTable>,
): string {
  const rows =
    table.kind === "stack" ? stackRows(table) : table.kind === "ast" ? astRows(table) : injectRows(table);
  return fingerprintOf(table.kind, rowTexts(rows));
}

/** The part of an entry's name that a fingerprint covers: nothing if it is the text that is printed. */
const ownName = ({ name, ptx }: { readonly name: string; readonly ptx: string }): string | 0 =>
  name === ptx ? 0 : name;
