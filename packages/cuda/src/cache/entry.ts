// A cached cubin as a file:
//
//   offset  size  what
//        0     8  "MMPTXCB1"
//        8    32  the key, so that a file under a wrong name is detected
//       40     4  bytes of the log, little-endian
//       44     4  bytes of the cubin, little-endian
//       48        the log (UTF-8), the cubin
//      end    32  SHA-256 of everything before
//
// A file that is truncated, corrupt or of another kind counts as a miss.

import { hash } from "node:crypto";

/** The stored result of a compile. */
export interface CacheEntry {
  readonly cubin: Uint8Array;
  /** The compiler's log, from which the info is parsed again. */
  readonly log: string;
}

const MAGIC = Buffer.from("MMPTXCB1", "latin1");
const KEY = 8;
const LOG_SIZE = 40;
const CUBIN_SIZE = 44;
const HEAD = 48;
const FOOTER = 32;

/** The bytes of an entry's file; `key` has 64 hex digits. */
export function encodeEntry(key: string, { cubin, log }: CacheEntry): Uint8Array {
  const text = Buffer.from(log);
  const bytes = Buffer.allocUnsafe(HEAD + text.length + cubin.length + FOOTER);
  MAGIC.copy(bytes);
  bytes.write(key, KEY, "hex");
  bytes.writeUInt32LE(text.length, LOG_SIZE);
  bytes.writeUInt32LE(cubin.length, CUBIN_SIZE);
  text.copy(bytes, HEAD);
  bytes.set(cubin, HEAD + text.length);
  digest(bytes).copy(bytes, bytes.length - FOOTER);
  return bytes;
}

/** The entry in a file's bytes; undefined unless they are exactly what was written under this key. */
export function decodeEntry(key: string, file: Uint8Array): CacheEntry | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.length < HEAD + FOOTER || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const logSize = bytes.readUInt32LE(LOG_SIZE);
  const cubinSize = bytes.readUInt32LE(CUBIN_SIZE);
  if (bytes.length !== HEAD + logSize + cubinSize + FOOTER) return undefined;
  if (bytes.toString("hex", KEY, LOG_SIZE) !== key) return undefined;
  if (!digest(bytes).equals(bytes.subarray(bytes.length - FOOTER))) return undefined;
  const cubin = HEAD + logSize;
  return {
    log: bytes.toString("utf8", HEAD, cubin),
    cubin: new Uint8Array(bytes.buffer, bytes.byteOffset + cubin, cubinSize),
  };
}

const digest = (bytes: Buffer): Buffer => hash("sha256", bytes.subarray(0, bytes.length - FOOTER), "buffer");
