// Reads blobs of the serializer of mm-ptx for C. They name neither their version nor the machine that wrote them, so
// each combination is tried until one reads them completely.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { StackPtxError } from "../error.js";
import { PARTS } from "./parts.js";
import { type Abi, damaged, SerializedReader } from "./reader.js";
import type { SerializedKind, SerializedValues, SerializedVersion } from "./values.js";

/** The contents of a blob. */
export interface Serialized<Value> {
  /** `1.1` also for what both versions write alike, such as limits, requests and PTX. */
  readonly version: SerializedVersion;
  readonly value: Value;
}

/** The kinds of a part; a state consists of several. */
export type SerializedPart = Exclude<SerializedKind, "compiler_state">;

/** The parts of a state, in their order, and the names of their values. */
const STATE: readonly (readonly [name: string, part: SerializedPart])[] = [
  ["annotated_ptx", "ptx"],
  ["compiler_info", "compiler_info"],
  ["stack_info", "stack_info"],
  ["extra", "extra"],
  ["registers", "registers"],
  ["requests", "requests"],
];

const VERSIONS = ["1.1", "1.0"] as const;
const KINDS: readonly string[] = [...Object.keys(PARTS), "compiler_state"];

/** The machines whose blobs are read. */
const ABI: Abi = { sizeBytes: 8, littleEndian: true };

/** The machines whose blobs are recognized, so that the error can say so. */
const OTHER_ABIS: readonly (readonly [what: string, abi: Abi])[] = [
  ["a 32-bit machine", { sizeBytes: 4, littleEndian: true }],
  ["a big-endian machine", { sizeBytes: 8, littleEndian: false }],
];

/**
 * Reads state that `stack_ptx_inject_serialize.h` of mm-ptx 1.0.0 to 1.1.1 wrote on a 64-bit little-endian machine. The
 * bytes have no checksum, so corruption that leaves them readable is not detected.
 * @param kind what the bytes are: the name of the C function without `stack_ptx_` or `ptx_inject_` and `_serialize`
 * @throws StackPtxError FILE_TRUNCATED when they end early, FILE_FORMAT when they are corrupt, more than one blob, or
 * of another kind of machine, with the place as `file`; INVALID_ARGUMENT when an argument is of the wrong kind
 */
export function readSerialized<Kind extends SerializedKind>(
  bytes: Uint8Array,
  kind: Kind,
): Serialized<SerializedValues[Kind]>;
/**
 * Reads several parts that a program wrote one after the other.
 * @param kinds the parts in their order
 * @returns an object with a value for each kind
 */
export function readSerialized<Kind extends SerializedPart>(
  bytes: Uint8Array,
  kinds: readonly Kind[],
): Serialized<Pick<SerializedValues, Kind>>;
export function readSerialized(
  bytes: Uint8Array,
  kind: SerializedKind | readonly SerializedPart[],
): Serialized<unknown> {
  if (!(bytes instanceof Uint8Array)) throw invalid("serialized state as a Uint8Array", bytes);
  const read = readerOf(kind);
  const failures: Failure[] = [];
  for (const version of VERSIONS) {
    const result = attempt(bytes, read, version, ABI);
    if (!(result instanceof Failure)) return { version, value: result };
    failures.push(result);
  }
  for (const [what, abi] of OTHER_ABIS) {
    if (VERSIONS.every((version) => attempt(bytes, read, version, abi) instanceof Failure)) continue;
    throw damaged(
      "FILE_FORMAT",
      `expected state of a 64-bit little-endian machine, found that of ${what}`,
      0,
    );
  }
  // The version that could be read further is the more likely one.
  throw failures.reduce((best, failure) => (failure.reach > best.reach ? failure : best)).error;
}

type Read = (reader: SerializedReader, version: SerializedVersion) => unknown;

function readerOf(kind: SerializedKind | readonly SerializedPart[]): Read {
  if (typeof kind === "string" && Object.hasOwn(PARTS, kind)) return PARTS[kind as SerializedPart];
  if (kind === "compiler_state") return allOf(STATE);
  if (Array.isArray(kind)) {
    const parts: readonly SerializedPart[] = kind;
    parts.forEach((part, index) => {
      if (!Object.hasOwn(PARTS, part)) throw invalid(`a part as \`kinds[${index}]\``, part);
      if (parts.indexOf(part) !== index) throw invalid("each part once", part);
    });
    return allOf(parts.map((part) => [part, part]));
  }
  const hint = typeof kind === "string" ? didYouMean(kind, KINDS) : "";
  throw invalid(`a kind of serialized state (${KINDS.map(quoted).join(", ")})`, kind, hint);
}

const allOf =
  (parts: readonly (readonly [name: string, part: SerializedPart])[]): Read =>
  (reader, version) =>
    Object.fromEntries(parts.map(([name, part]) => [name, PARTS[part](reader, version)]));

/** Why bytes are not those of a version and a machine. */
class Failure {
  /** @param reach where reading failed; Infinity when everything was there, and more */
  constructor(
    readonly error: StackPtxError,
    readonly reach: number,
  ) {}
}

/** The value, or why the bytes are not those of this version and machine. */
function attempt(bytes: Uint8Array, read: Read, version: SerializedVersion, abi: Abi): unknown {
  const reader = new SerializedReader(bytes, abi);
  let isRead = false;
  try {
    const value = read(reader, version);
    isRead = true;
    reader.end();
    return value;
  } catch (error) {
    if (error instanceof StackPtxError) return new Failure(error, isRead ? Infinity : error.file!.offset);
    throw error;
  }
}
