// Digests of files, by which changes are noticed.
import { createHash } from "node:crypto";

/** A part of the SHA-256 of a file. */
export const digestOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 16);
