// An entry of the cache as a file:
//
//   offset  size  what
//        0     8  what it is: "MMPTXCB1" a cubin, "MMPTXCU1" a result of compiling CUDA, "MMPTXHD1" a list of headers
//        8    32  the key, so that a file under a wrong name is detected
//       40     4  bytes of the log, little-endian
//       44     4  bytes of the output, little-endian
//       48        the log (UTF-8), the output
//      end    32  SHA-256 of everything before
//
// A file that is truncated, corrupt or of another kind counts as a miss.

import { hash } from "node:crypto";

/** The stored result of a compile. */
export interface CacheEntry {
  /** The cubin; from CUDA, the PTX, cubin or LTO-IR; or a list of headers as JSON. */
  readonly output: Uint8Array;
  /** The compiler's log, from which the info is parsed again; from CUDA, as JSON with the lowered names. */
  readonly log: string;
}

/**
 * What an entry is: the cubin of a PTX module, the result of compiling CUDA, or the list of headers that such a compile
 * has read.
 */
export type CacheEntryKind = "cubin" | "cuda" | "headers";

const MAGIC: Readonly<Record<CacheEntryKind, Buffer>> = {
  cubin: Buffer.from("MMPTXCB1", "latin1"),
  cuda: Buffer.from("MMPTXCU1", "latin1"),
  headers: Buffer.from("MMPTXHD1", "latin1"),
};
/** In the order of reports. */
export const ENTRY_KINDS = Object.keys(MAGIC) as readonly CacheEntryKind[];
const KEY = 8;
const LOG_SIZE = 40;
const OUTPUT_SIZE = 44;
const HEAD = 48;
const FOOTER = 32;

/** The bytes of an entry's file; `key` has 64 hex digits. */
export function encodeEntry(
  key: string,
  { output, log }: CacheEntry,
  kind: CacheEntryKind = "cubin",
): Uint8Array {
  const text = Buffer.from(log);
  const bytes = Buffer.allocUnsafe(HEAD + text.length + output.length + FOOTER);
  MAGIC[kind].copy(bytes);
  bytes.write(key, KEY, "hex");
  bytes.writeUInt32LE(text.length, LOG_SIZE);
  bytes.writeUInt32LE(output.length, OUTPUT_SIZE);
  text.copy(bytes, HEAD);
  bytes.set(output, HEAD + text.length);
  digest(bytes).copy(bytes, bytes.length - FOOTER);
  return bytes;
}

/** The entry in a file's bytes; undefined unless they are exactly what was written under this key. */
export function decodeEntry(
  key: string,
  file: Uint8Array,
  kind: CacheEntryKind = "cubin",
): CacheEntry | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.length < HEAD + FOOTER || !bytes.subarray(0, KEY).equals(MAGIC[kind])) return undefined;
  const logSize = bytes.readUInt32LE(LOG_SIZE);
  const outputSize = bytes.readUInt32LE(OUTPUT_SIZE);
  if (bytes.length !== HEAD + logSize + outputSize + FOOTER) return undefined;
  if (bytes.toString("hex", KEY, LOG_SIZE) !== key) return undefined;
  if (!digest(bytes).equals(bytes.subarray(bytes.length - FOOTER))) return undefined;
  const output = HEAD + logSize;
  return {
    log: bytes.toString("utf8", HEAD, output),
    output: new Uint8Array(bytes.buffer, bytes.byteOffset + output, outputSize),
  };
}

const digest = (bytes: Buffer): Buffer => hash("sha256", bytes.subarray(0, bytes.length - FOOTER), "buffer");
