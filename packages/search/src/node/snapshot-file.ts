// Snapshots of searches as bytes: blocks of little-endian words with checksums. The first block is JSON with the plain values and the
// kinds and lengths of the arrays, which follow in that order.
import {
  type BlockFormat,
  BlockReader,
  BlockWriter,
  bytesOf,
  feeder,
  LITTLE_ENDIAN,
  type WordList,
  wordsOf,
} from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { PartState, Plain, StateArray } from "../plain.js";
import type { SearchState } from "../search/search.js";
import { parsePlain, plainText } from "./plain-values.js";

/** The state of a search after a number of batches, and what the log was then. */
export interface Snapshot {
  readonly batches: number;
  /** The bytes of the log that have these batches. */
  readonly logBytes: number;
  /** The hash of the archive, 32 hex digits. */
  readonly hash: string;
  /** Seconds of all runs together. */
  readonly seconds: number;
  readonly state: SearchState;
}

/** Magic of `MMRUN`, and version. */
const FORMAT: BlockFormat = { name: "snapshot", magic: [0x524d4d89, 0x0a0d4e55], version: 1 };

/** Kinds of blocks, as four ASCII letters. */
const enum BlockKind {
  /** The first block: the number of bytes of the JSON, and the JSON. */
  header = 0x44414548, // "HEAD"
  /** Up to `LONGEST_DATA` bytes of an array; an array has as many blocks as it needs. */
  data = 0x41544144, // "DATA"
  end = 0x454e4f44, // "DONE"
}

const LONGEST_DATA = 2 ** 26;

const ARRAYS = { Uint8Array, Int32Array, Uint32Array, Float64Array };
type ArrayName = keyof typeof ARRAYS;

/** What the header says of an array. */
interface ArrayHead {
  readonly name: string;
  readonly type: ArrayName;
  readonly length: number;
}

interface PartHead {
  readonly values: PartState["values"];
  readonly arrays: readonly ArrayHead[];
}

interface Header extends Omit<Snapshot, "state"> {
  readonly parts: Readonly<Record<string, PartHead>>;
}

/** The bytes of a snapshot, in order. */
export function* snapshotBytes({ state, ...head }: Snapshot): Generator<Uint8Array, void, undefined> {
  const parts = Object.fromEntries(
    Object.entries(state).map(([part, { values, arrays }]): [string, PartHead] => [
      part,
      { values, arrays: Object.entries(arrays).map(([name, array]) => arrayHead(name, array)) },
    ]),
  );
  const writer = new BlockWriter();
  const header: Header = { ...head, parts };
  yield* bytesOfLists([writer.prologue(FORMAT)]);
  yield* bytesOfLists(writer.block(BlockKind.header, textWords(plainText(header))));
  for (const { arrays } of Object.values(state))
    for (const array of Object.values(arrays))
      for (const words of arrayWords(array)) yield* bytesOfLists(writer.block(BlockKind.data, words));
  yield* bytesOfLists(writer.block(BlockKind.end, new Uint32Array(0)));
}

/** The snapshot that bytes are. @throws SearchError FILE_FORMAT if not all of them are as they were written */
export function readSnapshot(bytes: Uint8Array): Snapshot {
  const feed = feeder(bytes);
  const blocks = new BlockReader(FORMAT, (_, message, offset) => wrong(`${message} (at byte ${offset})`));
  feed(blocks.prologue());
  const block = (kind: BlockKind): Uint32Array => {
    const found = feed(blocks.block());
    if (found.kind !== kind)
      throw wrong(`expected another kind of block, found 0x${found.kind.toString(16)}`);
    return found.words;
  };
  const { parts, ...head } = parsePlain(wordsText(block(BlockKind.header))) as unknown as Header;
  const state: Record<string, PartState> = {};
  for (const [part, { values, arrays }] of Object.entries(parts)) {
    state[part] = {
      values: values as Readonly<Record<string, Plain>>,
      arrays: Object.fromEntries(
        arrays.map((array) => [array.name, readArray(array, () => block(BlockKind.data))]),
      ),
    };
  }
  block(BlockKind.end);
  feed(blocks.end());
  return { ...head, state };
}

const wrong = (message: string): SearchError => new SearchError("FILE_FORMAT", message);

function arrayHead(name: string, array: StateArray): ArrayHead {
  const type = array[Symbol.toStringTag] as string;
  if (!Object.hasOwn(ARRAYS, type))
    throw new SearchError(
      "INVALID_ARGUMENT",
      `expected the array \`${name}\` of a state as one of ${Object.keys(ARRAYS).join(", ")}, found ${type}`,
    );
  return { name, type: type as ArrayName, length: array.length };
}

function* bytesOfLists(lists: readonly WordList[]): Generator<Uint8Array, void, undefined> {
  for (const list of lists) yield bytesOf(list instanceof Uint32Array ? list : Uint32Array.from(list));
}

/** Bytes as words, with zeros after the last ones. */
function paddedWords(bytes: Uint8Array): Uint32Array {
  if (bytes.length % 4 === 0) return wordsOf(bytes);
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4));
  padded.set(bytes);
  return wordsOf(padded);
}

function textWords(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text);
  const body = paddedWords(bytes);
  const words = new Uint32Array(1 + body.length);
  words[0] = bytes.length;
  words.set(body, 1);
  return words;
}

const wordsText = (words: Uint32Array): string =>
  new TextDecoder().decode(bytesOf(words.subarray(1)).subarray(0, words[0]));

/** The bytes of an array, each element little-endian. */
function arrayBytes(array: StateArray): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return LITTLE_ENDIAN || array.BYTES_PER_ELEMENT === 1 ? bytes : swapped(bytes, array.BYTES_PER_ELEMENT);
}

function swapped(bytes: Uint8Array, width: number): Uint8Array {
  return Uint8Array.from(bytes, (_, at) => bytes[at - (at % width) + width - 1 - (at % width)]!);
}

function* arrayWords(array: StateArray): Generator<Uint32Array, void, undefined> {
  const bytes = arrayBytes(array);
  for (let start = 0; start < bytes.length; start += LONGEST_DATA)
    yield paddedWords(bytes.subarray(start, start + LONGEST_DATA));
}

function readArray({ name, type, length }: ArrayHead, next: () => Uint32Array): StateArray {
  const array = new ARRAYS[type](length);
  const bytes = new Uint8Array(array.buffer);
  for (let start = 0; start < bytes.length; start += LONGEST_DATA) {
    const expected = Math.min(LONGEST_DATA, bytes.length - start);
    const found = bytesOf(next());
    if (found.length !== 4 * Math.ceil(expected / 4))
      throw wrong(`expected ${expected} bytes of the array \`${name}\`, found ${found.length}`);
    bytes.set(found.subarray(0, expected), start);
  }
  return LITTLE_ENDIAN || array.BYTES_PER_ELEMENT === 1
    ? array
    : new ARRAYS[type](swapped(bytes, array.BYTES_PER_ELEMENT).buffer as ArrayBuffer);
}
