// The identity of a table: SHA-256 of what it says, whatever file it came from.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a plain value as 64 hex digits: keys sorted, no blanks, absent and `undefined` keys the same. */
export function fingerprintOf(content: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(content))));
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
