// The conformance cases of serialized state: blobs of mm-ptx for C and what they hold.
import { readFileSync } from "node:fs";
import type { StackTable } from "@mm-ptx/types/core";
import type { SerializedKind, SerializedTable } from "../../src/index.js";

export interface SerializedVector {
  readonly id: number;
  readonly kind: SerializedKind;
  readonly version: "1.0" | "1.1";
  /** Base64. */
  readonly blob: string;
  readonly decoded?: unknown;
  readonly error?: true;
}

const text = readFileSync(new URL("../vectors/serialize.json", import.meta.url), "utf8");

/** Integers that are not exact as numbers become BigInts: `JSON.parse` shows their text to newer versions of Node only. */
const MARK = "bigint:";
const marked = text.replace(/([[:,]\s*)(\d{16,})(?=\s*[,\]}])/g, (whole, before: string, digits: string) =>
  Number.isSafeInteger(Number(digits)) ? whole : `${before}"${MARK}${digits}"`,
);

export const SERIALIZED_VECTORS: readonly SerializedVector[] = JSON.parse(marked, (_, value: unknown) =>
  typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
).cases;

export const blobOf = ({ blob }: SerializedVector): Uint8Array => new Uint8Array(Buffer.from(blob, "base64"));

/** Kinds whose bytes are the same in both versions. */
export const SAME_KINDS: readonly SerializedKind[] = ["compiler_info", "extra", "ptx", "requests"];

/** A little-endian `size_t`. */
export const size = (value: bigint | number, bytes = 8): number[] =>
  Array.from({ length: bytes }, (_, byte) => Number((BigInt(value) >> BigInt(8 * byte)) & 0xffn));

export const text0 = (value: string): number[] => [...new TextEncoder().encode(value), 0];

/** A table as mm-ptx for C serializes it, with or without what 1.0 leaves out. */
export function serializedTable(table: StackTable, version: "1.0" | "1.1"): SerializedTable {
  const none = table.argTypes.length;
  const padded = (types: readonly number[], count: number) =>
    Array.from({ length: count }, (_, index) => types[index] ?? none);
  return {
    instructions: table.instructions.map(({ ptx, args, results, aligned }) =>
      version === "1.0"
        ? { ptx }
        : { ptx, arg_types: padded(args, 4), ret_types: padded(results, 2), is_aligned: aligned },
    ),
    special_registers: table.specialRegisters.map(({ ptx, argType }) =>
      version === "1.0" ? { ptx } : { ptx, arg_type: argType },
    ),
    literal_prefixes: table.stackTypes.map(({ literalPrefix }) => literalPrefix),
    arg_types: table.argTypes.map(({ stackIndex, vectorElements }) => ({
      stack: stackIndex,
      num_vec_elems: vectorElements,
    })),
  };
}
