// The identity of a parsed text, derived from the text and the types that it was parsed with.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { DEFAULT_PREFIX } from "../marked/legacy.js";
import { encodeUtf8 } from "./utf8.js";

/**
 * SHA-256, as 64 hex digits, of the fingerprint of the types, a line feed, and the text as UTF-8. For a prefix of the
 * registers of 0.x sites that is not the default, a space and the prefix follow the fingerprint of the types.
 *
 * @throws PtxInjectError INVALID_ARGUMENT for a text that UTF-8 can't hold.
 */
export function fingerprintOf(text: string, typesFingerprint: string, prefix: string): string {
  const hash = sha256.create();
  const form = prefix === DEFAULT_PREFIX ? "" : ` ${prefix}`;
  hash.update(encodeUtf8(`${typesFingerprint}${form}\n`));
  hash.update(encodeUtf8(text));
  return bytesToHex(hash.digest());
}
