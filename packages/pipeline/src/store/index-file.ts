// The table of a results file as it was when the file had a certain length, so that opening a folder reads only the lines that follow.
// It is a cache: it is ignored unless every byte is as it was written and the results file still has the same bytes before that length.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { openRegular } from "@mm-ptx/types/internal/node";
import { CHUNK_RECORDS, RECORD_WORDS } from "./table.js";

/** What an index file contains. */
export interface IndexContents {
  readonly chunks: readonly Uint32Array[];
  readonly records: number;
  /** The bytes of the results file that the records cover. */
  readonly covered: number;
  readonly damagedCount: number;
  readonly damaged: readonly { readonly offset: number; readonly bytes: number }[];
}

/** The header is eight numbers in the byte order of the machine, so a file of another byte order begins with another number. */
const HEADER_NUMBERS = 8;
const MAGIC = 0x6d6d_7074_7801;
const enum Header {
  magic = 0,
  records = 1,
  covered = 2,
  tail = 3,
  damagedCount = 4,
  listed = 5,
  body = 6,
  /** The CRC-32 of the numbers before it. */
  check = 7,
}
/** The bytes of the results file before `covered` that are compared. */
const TAIL_BYTES = 65_536;

/** Writes an index file in one step. A failure leaves the old one, and is not an error: the next opening only takes longer. */
export function writeIndex(path: string, results: number, contents: IndexContents): void {
  const temporary = `${path}.new`;
  try {
    const file = openSync(temporary, "w");
    try {
      for (const part of partsOf(results, contents)) writeAll(file, part);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

function partsOf(results: number, contents: IndexContents): Uint8Array[] {
  const { chunks, records, covered, damagedCount, damaged } = contents;
  const listed = Float64Array.from(damaged.flatMap(({ offset, bytes }) => [offset, bytes]));
  const body = [listed, ...chunks.map((chunk, index) => chunk.subarray(0, wordsIn(records, index)))].map(
    bytesOf,
  );
  const header = new Float64Array(HEADER_NUMBERS);
  header[Header.magic] = MAGIC;
  header[Header.records] = records;
  header[Header.covered] = covered;
  header[Header.tail] = tailCheck(results, covered);
  header[Header.damagedCount] = damagedCount;
  header[Header.listed] = damaged.length;
  header[Header.body] = checkOf(body);
  header[Header.check] = crc32(bytesOf(header.subarray(0, Header.check)));
  return [bytesOf(header), ...body];
}

/** What an index file contains, or `undefined` if it does not exist or does not match the results file. */
export function readIndex(path: string, results: number): IndexContents | undefined {
  let file: number;
  try {
    file = openRegular(path, constants.O_RDONLY);
  } catch {
    return undefined;
  }
  try {
    return readContents(file, results);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function readContents(file: number, results: number): IndexContents | undefined {
  const header = new Float64Array(HEADER_NUMBERS);
  if (!readAll(file, bytesOf(header), 0)) return undefined;
  if (header[Header.magic] !== MAGIC) return undefined;
  if (header[Header.check] !== crc32(bytesOf(header.subarray(0, Header.check)))) return undefined;
  const records = header[Header.records]!;
  const covered = header[Header.covered]!;
  const listed = new Float64Array(header[Header.listed]! * 2);
  const size = header.byteLength + listed.byteLength + records * RECORD_WORDS * 4;
  if (fstatSync(file).size !== size || fstatSync(results).size < covered) return undefined;
  const chunks = Array.from(
    { length: Math.ceil(records / CHUNK_RECORDS) },
    () => new Uint32Array(CHUNK_RECORDS * RECORD_WORDS),
  );
  const body = [listed, ...chunks.map((chunk, index) => chunk.subarray(0, wordsIn(records, index)))].map(
    bytesOf,
  );
  let at = header.byteLength;
  for (const part of body) {
    if (!readAll(file, part, at)) return undefined;
    at += part.length;
  }
  if (header[Header.body] !== checkOf(body) || header[Header.tail] !== tailCheck(results, covered))
    return undefined;
  const damaged = Array.from({ length: listed.length / 2 }, (_, index) => ({
    offset: listed[index * 2]!,
    bytes: listed[index * 2 + 1]!,
  }));
  return { chunks, records, covered, damagedCount: header[Header.damagedCount]!, damaged };
}

function tailCheck(results: number, covered: number): number {
  const tail = new Uint8Array(Math.min(covered, TAIL_BYTES));
  if (!readAll(results, tail, covered - tail.length)) throw new Error("expected a longer results file");
  return crc32(tail);
}

const wordsIn = (records: number, chunk: number): number =>
  Math.min(CHUNK_RECORDS, records - chunk * CHUNK_RECORDS) * RECORD_WORDS;

const checkOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((check, part) => crc32(part, check), 0);

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function readAll(file: number, bytes: Uint8Array, position: number): boolean {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) return false;
    done += count;
  }
  return true;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
