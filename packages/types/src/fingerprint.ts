// The identity of a table: a SHA-256 of its meaning, whatever files it came from.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DescriptionKind } from "./description.js";

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
export function fingerprintOf(kind: DescriptionKind, lists: readonly Rows[]): string {
  const content = [JSON.stringify(kind), ...lists.map((rows) => `[${rows.join(",")}]`)];
  return bytesToHex(sha256(utf8ToBytes(`[${content.join(",")}]`)));
}

/** Whether the entries of a base have the same indices and meanings in a table made from it. */
export function startsWith(table: readonly Rows[], base: readonly Rows[]): boolean {
  return base.every((rows, list) => rows.every((row, index) => row === table[list]![index]));
}
