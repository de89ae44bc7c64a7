// The layout of annotated PTX as bytes: little-endian u32 words, then the text. docs/annotated-file.md of the repository
// describes it byte by byte.
import { PtxInjectError } from "../error.js";
import type { Direction } from "../marked/marker.js";
import { checksumOf } from "./checksum.js";

/**
 * The first two words: a non-ASCII byte, `MMAPX`, CR and LF, so that a transfer in text mode is detected immediately.
 */
export const MAGIC = [0x414d4d89, 0x0a0d5850] as const;
export const VERSION = 1;

/** The words of the header, by index. */
export const enum Header {
  magic = 0,
  version = 2,
  /** Covers all words from the next one to the end of the tables. */
  checksum = 3,
  /** Eight words. */
  fingerprint = 4,
  textBytes = 12,
  /** The length of the text in UTF-16 units, which offsets of sites refer to. */
  textUnits = 13,
  textChecksum = 14,
  sites = 15,
  groups = 16,
  /** The operands of all operand lists. */
  operands = 17,
  lists = 18,
  /** The first strings are the names of the groups. */
  strings = 19,
  stringBytes = 20,
  /** The number of header words. */
  length = 21,
}

/** The words of an operand. The first four are indices of strings. */
export const enum OperandWord {
  name = 0,
  register = 1,
  registerType = 2,
  type = 3,
  /** Index in `DIRECTIONS`. */
  direction = 4,
  /** The index of a string plus one: the type of its moves at 0.x sites; 0 if there are none. */
  movType = 5,
  length = 6,
}

export const DIRECTIONS: readonly Direction[] = ["in", "out", "mod"];

/** The numbers in the header. */
export type Counts = Record<"groups" | "lists" | "operands" | "sites" | "stringBytes" | "strings", number>;

/** The first word of each table and of the parts that follow them; `groups` has the operand list of each group. */
export type Tables = Record<
  | "ends"
  | "groupOf"
  | "groups"
  | "legacy"
  | "lists"
  | "operands"
  | "starts"
  | "stringBytes"
  | "strings"
  | "text",
  number
>;

/** The positions of the tables, in words; a table of bytes is padded with zeros to a whole word. */
export function tablesOf({ sites, groups, operands, lists, strings, stringBytes }: Counts): Tables {
  const starts = Header.length;
  const ends = starts + sites;
  const groupOf = ends + sites;
  const legacy = groupOf + sites;
  const ofGroups = legacy + wordsOf(sites);
  const ofLists = ofGroups + groups;
  const ofOperands = ofLists + lists;
  const ofStrings = ofOperands + OperandWord.length * operands;
  const bytes = ofStrings + strings;
  return {
    starts,
    ends,
    groupOf,
    legacy,
    groups: ofGroups,
    lists: ofLists,
    operands: ofOperands,
    strings: ofStrings,
    stringBytes: bytes,
    text: bytes + wordsOf(stringBytes),
  };
}

/** The number of words that hold a number of bytes. */
export const wordsOf = (bytes: number): number => Math.ceil(bytes / 4);

/** The checksum of the header after the checksum itself and of the tables, which end at a word. */
export function checksumOfTables(words: Uint32Array, end: number): number {
  const first = Header.checksum + 1;
  return checksumOf(new Uint8Array(words.buffer, words.byteOffset + 4 * first, 4 * (end - first)));
}

/** The error for bytes that are not annotated PTX; `offset` is the offending byte. */
export function fileError(
  code: "FILE_CHECKSUM" | "FILE_FORMAT" | "FILE_TRUNCATED",
  message: string,
  offset: number,
): PtxInjectError {
  return new PtxInjectError(code, `${message} (byte ${offset})`, undefined, [], offset);
}
