// The layout of program files: little-endian u32 words in blocks with checksums. docs/program-file.md of the repository
// describes it byte by byte.
import type { StackTable } from "@mm-ptx/types/core";
import type { BlockFormat } from "@mm-ptx/types/internal";
import { checkTable, invalid } from "../arguments.js";
import type { StackProgram } from "../program.js";
import type { StackRegister } from "../register.js";

/** The contents of a program file besides its programs. */
export interface ProgramFileHeader {
  /** The registers that input instructions and requests refer to by index. */
  readonly registers: readonly StackRegister[];
  /** Indices of the registers that the programs' stubs write. */
  readonly requests: readonly number[];
  /** The programs that routine instructions run, by index. */
  readonly routines: readonly StackProgram[];
}

/** Magic of `MMPTX`, and version. */
export const FORMAT: BlockFormat = { name: "program file", magic: [0x504d4d89, 0x0a0d5854], version: 1 };

/** Kinds of blocks, as four ASCII letters. */
export const enum BlockKind {
  /** The first block: fingerprint, registers, requests, routines. */
  header = 0x44414548, // "HEAD"
  /** Blocks of programs; a file may have any number of them. */
  programs = 0x474f5250, // "PROG"
  /** The last block: the number of programs. */
  end = 0x454e4f44, // "DONE"
}

/**
 * The maximum number of registers, of requests and of routines in a file, because a reader makes objects of all of them
 * at once.
 */
export const MOST_ENTRIES = 2 ** 16;

/** The eight words of a table's fingerprint. @throws StackPtxError INVALID_ARGUMENT when the table has none */
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

/** The fingerprint that eight words encode, as 64 hex digits. */
export function fingerprintText(words: Uint32Array): string {
  return Array.from(words, (word) =>
    [0, 8, 16, 24].map((shift) => ((word >>> shift) & 0xff).toString(16).padStart(2, "0")).join(""),
  ).join("");
}
