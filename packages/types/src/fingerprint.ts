// The identity of a table: SHA-256 of what it means, whatever file it came from.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DescriptionKind } from "./description.js";

/** A list of a table as the JSON text of each row. */
export type Rows = readonly string[];

export function rowTexts(lists: readonly (readonly (readonly unknown[])[])[]): Rows[] {
  return lists.map((rows) => rows.map((row) => JSON.stringify(row)));
}

/**
 * SHA-256 as 64 hex digits of a table's kind and rows, written as JSON without blanks. Rows have what changes the
 * meaning of a program or what it can name, with defaults filled in; so formatting, the order of keys, `encoder_type`,
 * `display`, `requires` and the files that entries came from make no difference.
 */
export function fingerprintOf(kind: DescriptionKind, lists: readonly Rows[]): string {
  const content = [JSON.stringify(kind), ...lists.map((rows) => `[${rows.join(",")}]`)];
  return bytesToHex(sha256(utf8ToBytes(`[${content.join(",")}]`)));
}

/** Whether the entries of a base have the same indices and meaning in a table made from it. */
export function startsWith(table: readonly Rows[], base: readonly Rows[]): boolean {
  return base.every((rows, list) => rows.every((row, index) => row === table[list]![index]));
}
