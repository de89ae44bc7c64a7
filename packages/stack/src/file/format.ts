// The layout of program files: little-endian u32 words throughout, in blocks with checksums. docs/program-file.md of the
// repository describes it byte by byte.
import type { StackTable } from "@mm-ptx/types/core";
import { checkTable, invalid } from "../arguments.js";
import type { StackProgram } from "../program.js";
import type { StackRegister } from "../register.js";

/** What a program file says besides its programs. */
export interface ProgramFileHeader {
  /** What input instructions and requests name by index. */
  readonly registers: readonly StackRegister[];
  /** Indices of the registers that the programs' stubs write. */
  readonly requests: readonly number[];
  /** Programs that routine instructions run, by index. */
  readonly routines: readonly StackProgram[];
}

/**
 * The first two words: a byte above ASCII, `MMPTX`, CR and LF, so that a transfer that takes the file for text shows at
 * once.
 */
export const MAGIC = [0x504d4d89, 0x0a0d5854] as const;
export const VERSION = 1;
/** Words of magic and version. */
export const PROLOGUE_WORDS = 3;

/** Kinds of blocks, as four ASCII letters. */
export const enum BlockKind {
  /** Fingerprint, registers, requests, routines: the first block. */
  header = 0x44414548, // "HEAD"
  /** Programs: as many blocks as there are. */
  programs = 0x474f5250, // "PROG"
  /** The number of programs: the last block. */
  end = 0x454e4f44, // "DONE"
}

/** The words of a block before its body: kind, bytes of the body, checksum. */
export const BLOCK_HEAD_WORDS = 3;
/** What a body has at most: whoever reads a file holds one block of it. */
export const LONGEST_BODY = 2 ** 28;

/** Registers, requests and routines of a file, at most of each: a reader makes objects of them all at once. */
export const MOST_ENTRIES = 2 ** 16;

/** The eight words of a table's fingerprint. @throws StackPtxError INVALID_VALUE when the table has none */
export function fingerprintWords(table: StackTable): Uint32Array {
  checkTable(table);
  if (!/^[0-9a-f]{64}$/.test(table.fingerprint)) {
    throw invalid("a table with a fingerprint of 64 hex digits", table.fingerprint);
  }
  return Uint32Array.from({ length: 8 }, (_, word) => {
    const bytes = [3, 2, 1, 0].map((byte) => table.fingerprint.slice(8 * word + 2 * byte).slice(0, 2));
    return Number.parseInt(bytes.join(""), 16);
  });
}

/** The fingerprint that eight words say, as 64 hex digits. */
export function fingerprintText(words: Uint32Array): string {
  return Array.from(words, (word) =>
    [0, 8, 16, 24].map((shift) => ((word >>> shift) & 0xff).toString(16).padStart(2, "0")).join(""),
  ).join("");
}
