// The identity of a table: SHA-256 of what it means, whatever file it came from.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DescriptionKind } from "./description.js";
import type { Rows } from "./kinds/rules.js";

/**
 * SHA-256 as 64 hex digits of a table's kind and rows, written as JSON without blanks. Rows have what changes the
 * meaning of a program or what it can name, with defaults filled in; so formatting, the order of keys, `encoder_type`,
 * `display`, `requires` and the files that entries came from make no difference.
 */
export function fingerprintOf(kind: DescriptionKind, rows: readonly Rows[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([kind, ...rows]))));
}

/** Whether the entries of a base have the same indices and meaning in a table made from it. */
export function startsWith(table: readonly Rows[], base: readonly Rows[]): boolean {
  return base.every((rows, list) =>
    rows.every((row, index) => JSON.stringify(row) === JSON.stringify(table[list]![index])),
  );
}
