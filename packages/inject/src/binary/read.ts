// Reads annotated PTX from bytes. The tables are checked immediately. Strings and text are decoded, and the text
// checked, on first use.
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Operand } from "../marked/marker.js";
import type { Scan, SiteGroup } from "../marked/scan.js";
import { checksumOf } from "./checksum.js";
import {
  type Counts,
  checksumOfTables,
  DIRECTIONS,
  fileError,
  Header,
  MAGIC,
  OperandWord,
  type Tables,
  tablesOf,
  VERSION,
} from "./layout.js";
import { decodeUtf8 } from "./utf8.js";

/** Annotated PTX in bytes, decoded on demand. */
export interface StoredPtx {
  readonly scanned: Scan;
  /** @throws PtxInjectError FILE_CHECKSUM, FILE_FORMAT */
  readonly text: () => string;
  readonly fingerprint: string;
}

/** @throws PtxInjectError FILE_FORMAT, FILE_TRUNCATED, FILE_CHECKSUM */
export function readBytes(bytes: Uint8Array): StoredPtx {
  const words = readTables(bytes);
  const counts = countsOf(words);
  const tables = tablesOf(counts);
  const scanned = new StoredScan(words, counts, tables);
  scanned.check();
  return {
    scanned,
    text: () => readText(bytes, words, 4 * tables.text),
    get fingerprint() {
      return bytesToHex(bytesOf(words, Header.fingerprint, 32));
    },
  };
}

/** The words of the header and the tables, if they are unaltered. */
function readTables(bytes: Uint8Array): Uint32Array {
  // A view of words has to start at a multiple of four bytes.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(buffer, byteOffset, length >>> 2);
  if (words.length >= 2 && (words[0] !== MAGIC[0] || words[1] !== MAGIC[1])) {
    throw fileError("FILE_FORMAT", "expected the first bytes of annotated PTX, found others", 0);
  }
  if (words.length < Header.length) throw truncated(length, 4 * Header.length);
  const version = words[Header.version]!;
  if (version !== VERSION) {
    const message = `expected version ${VERSION}, found ${version}`;
    throw fileError("FILE_FORMAT", message, 4 * Header.version);
  }
  const { text } = tablesOf(countsOf(words));
  const expected = 4 * text + words[Header.textBytes]!;
  if (length < expected) throw truncated(length, expected);
  if (length > expected) {
    throw fileError("FILE_FORMAT", `expected ${expected} bytes, found ${length}`, expected);
  }
  if (checksumOfTables(words, text) !== words[Header.checksum]) {
    throw fileError("FILE_CHECKSUM", "expected tables as they were written, found altered ones", 12);
  }
  return words;
}

/** The bytes from a word on. */
const bytesOf = (words: Uint32Array, first: number, length: number): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset + 4 * first, length);

function truncated(found: number, expected: number) {
  return fileError("FILE_TRUNCATED", `expected ${expected} bytes or more, found ${found}`, found);
}

function countsOf(words: Uint32Array): Counts {
  return {
    sites: words[Header.sites]!,
    groups: words[Header.groups]!,
    operands: words[Header.operands]!,
    lists: words[Header.lists]!,
    strings: words[Header.strings]!,
    stringBytes: words[Header.stringBytes]!,
  };
}

function readText(bytes: Uint8Array, words: Uint32Array, offset: number): string {
  const own = bytes.subarray(offset, offset + words[Header.textBytes]!);
  if (checksumOf(own) !== words[Header.textChecksum]) {
    throw fileError("FILE_CHECKSUM", "expected the text as it was written, found an altered one", offset);
  }
  return decoded(own, words[Header.textUnits]!, offset);
}

/** Bytes as text of a given length. */
function decoded(bytes: Uint8Array, units: number | undefined, offset: number): string {
  let text: string | undefined;
  try {
    text = decodeUtf8(bytes);
  } catch {
    throw fileError("FILE_FORMAT", "expected UTF-8, found other bytes", offset);
  }
  if (units === undefined || text.length === units) return text;
  throw fileError("FILE_FORMAT", `expected text of length ${units}, found ${text.length}`, offset);
}

/** The sites, read from the tables. */
class StoredScan implements Scan {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly groupOf: Uint32Array;
  readonly legacy: Uint8Array;
  readonly #words: Uint32Array;
  readonly #counts: Counts;
  readonly #tables: Tables;
  #groups: readonly SiteGroup[] | undefined;

  constructor(words: Uint32Array, counts: Counts, tables: Tables) {
    this.#words = words;
    this.#counts = counts;
    this.#tables = tables;
    this.starts = words.subarray(tables.starts, tables.starts + counts.sites);
    this.ends = words.subarray(tables.ends, tables.ends + counts.sites);
    this.groupOf = words.subarray(tables.groupOf, tables.groupOf + counts.sites);
    this.legacy = bytesOf(words, tables.legacy, counts.sites);
  }

  /** Decoded on first use. */
  get groups(): readonly SiteGroup[] {
    this.#groups ??= this.#readGroups();
    return this.#groups;
  }

  /** Checks that every index refers to something. @throws PtxInjectError FILE_FORMAT */
  check(): void {
    const { starts, ends, groupOf } = this;
    const words = this.#words;
    const { sites, groups, operands, lists, strings } = this.#counts;
    const tables = this.#tables;
    const textUnits = words[Header.textUnits]!;
    let last = 0;
    for (let i = 0; i < sites; i++) {
      if (starts[i]! < last || ends[i]! < starts[i]!)
        this.#refuse("sites in the order of the text", tables.starts + i);
      if (groupOf[i]! >= groups) this.#refuse("the index of a group", tables.groupOf + i);
      last = ends[i]!;
    }
    if (last > textUnits) this.#refuse("sites within the text", tables.ends + sites - 1);
    if (strings < groups) this.#refuse("a name for each group", Header.strings);
    for (let at = tables.groups; at < tables.lists; at++) {
      if (words[at]! >= lists) this.#refuse("the index of an operand list", at);
    }
    this.#checkRising(tables.lists, lists, operands);
    for (let at = tables.operands; at < tables.strings; at += OperandWord.length) {
      for (let word = OperandWord.name; word <= OperandWord.type; word++) {
        if (words[at + word]! >= strings) this.#refuse("the index of a string", at + word);
      }
      if (words[at + OperandWord.direction]! >= DIRECTIONS.length)
        this.#refuse("a direction", at + OperandWord.direction);
      if (words[at + OperandWord.movType]! > strings)
        this.#refuse("the index of a string", at + OperandWord.movType);
    }
    this.#checkRising(tables.strings, strings, undefined);
    this.#checkLegacy();
  }

  /** At 0.x sites, every operand has a type of moves. */
  #checkLegacy(): void {
    const words = this.#words;
    const tables = this.#tables;
    for (let i = 0; i < this.legacy.length; i++) {
      if (this.legacy[i] === 0) continue;
      const list = words[tables.groups + this.groupOf[i]!]!;
      if (!this.#hasMoves(list)) this.#refuse("a group with types of moves", tables.groupOf + i);
    }
  }

  /** Checks ends, none of which may precede the one before it. */
  #checkRising(first: number, count: number, end: number | undefined): void {
    let last = 0;
    for (let at = first; at < first + count; at++) {
      if (this.#words[at]! < last) this.#refuse("an end after the one before", at);
      last = this.#words[at]!;
    }
    if (end !== undefined && last !== end) this.#refuse(`${end} as the last end`, first + count - 1);
  }

  #refuse(expected: string, word: number): never {
    throw fileError("FILE_FORMAT", `expected ${expected}, found ${this.#words[word]}`, 4 * word);
  }

  #readGroups(): readonly SiteGroup[] {
    const { groups: first } = this.#tables;
    const { groups: count, lists: listCount } = this.#counts;
    const strings = this.#readStrings();
    const lists: Omit<SiteGroup, "name">[] = [];
    for (let list = 0; list < listCount; list++) lists.push(this.#readList(list, strings));
    const groups: SiteGroup[] = [];
    for (let group = 0; group < count; group++) {
      const { operands, movTypes } = lists[this.#words[first + group]!]!;
      groups.push({ name: strings[group]!, operands, movTypes });
    }
    return groups;
  }

  /** The first word of a list's operands, and the word after the last one. */
  #operandsOf(list: number): [first: number, end: number] {
    const { lists, operands } = this.#tables;
    const ends = [list === 0 ? 0 : this.#words[lists + list - 1]!, this.#words[lists + list]!];
    return ends.map((end) => operands + OperandWord.length * end) as [number, number];
  }

  #hasMoves(list: number): boolean {
    const [first, end] = this.#operandsOf(list);
    for (let at = first; at < end; at += OperandWord.length) {
      if (this.#words[at + OperandWord.movType] === 0) return false;
    }
    return first < end;
  }

  #readList(list: number, strings: readonly string[]): Omit<SiteGroup, "name"> {
    const words = this.#words;
    const [first, end] = this.#operandsOf(list);
    const movTypes: string[] = [];
    const operands = Array.from({ length: (end - first) / OperandWord.length }, (_, index): Operand => {
      const at = first + OperandWord.length * index;
      const stringAt = (word: number) => strings[words[at + word]!]!;
      movTypes.push(strings[words[at + OperandWord.movType]! - 1] ?? "");
      return {
        name: stringAt(OperandWord.name),
        index,
        direction: DIRECTIONS[words[at + OperandWord.direction]!]!,
        register: stringAt(OperandWord.register),
        registerType: stringAt(OperandWord.registerType),
        type: stringAt(OperandWord.type),
      };
    });
    return { operands, movTypes: this.#hasMoves(list) ? movTypes : undefined };
  }

  #readStrings(): readonly string[] {
    const words = this.#words;
    const { strings, stringBytes } = this.#counts;
    const first = this.#tables.strings;
    const offset = 4 * this.#tables.stringBytes;
    const units = strings === 0 ? 0 : words[first + strings - 1]!;
    const text = decoded(bytesOf(words, this.#tables.stringBytes, stringBytes), units, offset);
    const pieces: string[] = [];
    let start = 0;
    for (let i = 0; i < strings; i++) {
      const end = words[first + i]!;
      pieces.push(text.substring(start, end));
      start = end;
    }
    return pieces;
  }
}
