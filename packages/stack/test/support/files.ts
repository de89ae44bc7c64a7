// Program files for tests: a table with a fingerprint, headers, programs, and blocks written by hand.
import { crc32 } from "node:zlib";
import type { StackTable } from "@mm-ptx/types/core";
import {
  type ByteSource,
  openProgramFile,
  readProgramFile,
  register,
  StackProgram,
  StackPtxError,
  writeProgramFile,
} from "../../src/index.js";
import { looksLegacy } from "../../src/legacy/dialect.js";
import type { Random } from "./random.js";
import { F32, SMALL_TABLE, U32 } from "./small-table.js";
import { anyWords } from "./texts.js";

export const fingerprintOf = (digit: string): string => digit.repeat(64);
export const FILE_TABLE: StackTable = {
  ...SMALL_TABLE,
  fingerprint: "0123456789abcdef".repeat(4),
  bases: [fingerprintOf("b")],
};
export const BASE_TABLE: StackTable = { ...SMALL_TABLE, fingerprint: fingerprintOf("b") };
export const OTHER_TABLE: StackTable = { ...SMALL_TABLE, fingerprint: fingerprintOf("c") };

export const HEADER = {
  registers: [register("x", F32), register("tid.x", U32), register("a_long_name", F32)],
  requests: [2, 0, 2],
  routines: [StackProgram.of(), StackProgram.fromWords(Uint32Array.of(6, 3, 10, 0))],
};

export function randomPrograms(random: Random, count: number, longest: number): StackProgram[] {
  return random.list(count, () => {
    for (;;) {
      const words = anyWords(random, random.below(longest + 1));
      // Random words may be those of a program of 1.0, which files refuse.
      if (!looksLegacy(words)) return StackProgram.fromWords(words);
    }
  });
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

export function fileOf(programs: readonly StackProgram[], header = HEADER, table = FILE_TABLE) {
  return joined([...writeProgramFile(table, header, programs)]);
}

/** A file of handmade blocks, as docs/program-file.md describes it, with valid checksums. */
export function handmade(prologue: readonly number[], ...blocks: readonly [string, readonly number[]][]) {
  const words = [...prologue];
  let covered = Buffer.from(Uint32Array.from(prologue).buffer);
  const cover = (part: readonly number[]): void => {
    covered = Buffer.concat([covered, Buffer.from(Uint32Array.from(part).buffer)]);
    for (const word of part) words.push(word);
    words.push(crc32(covered));
  };
  for (const [kind, body] of blocks) {
    cover([Buffer.from(kind, "latin1").readUInt32LE(), body.length * 4]);
    cover(body);
  }
  return new Uint8Array(Uint32Array.from(words).buffer);
}

export const wordsOf = (list: Iterable<StackProgram>): number[][] =>
  Array.from(list, ({ words }) => Array.from(words));

export async function* inChunks(bytes: Uint8Array, size: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + size());
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** The programs that arrive, and the error that ends them. */
export async function arrivals(source: ByteSource): Promise<{ programs: StackProgram[]; error: unknown }> {
  const arrived: StackProgram[] = [];
  try {
    for await (const program of await openProgramFile(source, FILE_TABLE)) arrived.push(program);
  } catch (error) {
    return { programs: arrived, error };
  }
  return { programs: arrived, error: undefined };
}

/** The error with which a file is refused. */
export function refusal(bytes: Uint8Array, table = FILE_TABLE): StackPtxError {
  try {
    readProgramFile(bytes, table);
  } catch (error) {
    if (error instanceof StackPtxError) return error;
    throw error;
  }
  throw new Error("expected the file to be refused");
}
