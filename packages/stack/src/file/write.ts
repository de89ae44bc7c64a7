// Writes program files incrementally, one chunk for each block, so that neither the programs nor the file have to fit
// in memory.
import type { StackTable } from "@mm-ptx/types/core";
import { BlockWriter, bytesOf, joinedWords, LONGEST_BODY, type WordList } from "@mm-ptx/types/internal";
import { checkOptionNames, integer, invalid } from "../arguments.js";
import { legacyInstead, StackPtxError } from "../error.js";
import { Packed } from "../layout.js";
import { looksLegacy } from "../legacy/dialect.js";
import { checkProgram, StackProgram } from "../program.js";
import { checkRegister, type StackRegister } from "../register.js";
import { BlockKind, FORMAT, fingerprintWords, MOST_ENTRIES, type ProgramFileHeader } from "./format.js";

/** The number of words of programs that are collected for a block; a single program may be longer. */
const BLOCK_WORDS = 2 ** 14;
const LONGEST_NAME = 0xffff;
const HEADER_NAMES = ["registers", "requests", "routines"];

/**
 * Writes a program file in chunks: use `[...writeProgramFile(…)]` for a `Blob`, or a loop for a file. Programs are read
 * one at a time.
 * @param header what the programs are compiled with; omitted lists are empty
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind, or the table has no fingerprint;
 * LEGACY_PROGRAM for a program of Stack PTX 1.0, as far as its words reveal it
 */
export function* writeProgramFile(
  table: StackTable,
  header: Partial<ProgramFileHeader>,
  programs: Iterable<StackProgram>,
): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const writer = new FileWriter();
  yield writer.start(table, header);
  checkIterable(programs, Symbol.iterator);
  for (const program of programs) {
    const block = writer.add(program);
    if (block !== undefined) yield block;
  }
  yield writer.end();
}

/**
 * Like `writeProgramFile`, for programs that arrive over time: `pipeline(streamProgramFile(…),
 * createWriteStream(path))`, or `ReadableStream.from(streamProgramFile(…))`.
 * @throws StackPtxError like `writeProgramFile`
 */
export async function* streamProgramFile(
  table: StackTable,
  header: Partial<ProgramFileHeader>,
  programs: AsyncIterable<StackProgram> | Iterable<StackProgram>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const writer = new FileWriter();
  yield writer.start(table, header);
  checkIterable(programs, Symbol.asyncIterator, Symbol.iterator);
  for await (const program of programs) {
    const block = writer.add(program);
    if (block !== undefined) yield block;
  }
  yield writer.end();
}

/** Makes the blocks of a file in order. */
class FileWriter {
  readonly #writer = new BlockWriter();
  #programCount = 0;
  /** The programs that wait for their block, and the number of words that they need in it. */
  #waiting: Uint32Array[] = [];
  #waitingWords = 1;

  start(table: StackTable, header: Partial<ProgramFileHeader>): Uint8Array<ArrayBuffer> {
    return bytesOf(
      joinedWords([
        this.#writer.prologue(FORMAT),
        ...this.#block(BlockKind.header, headerWords(table, header)),
      ]),
    );
  }

  /** Adds a program; returns the block of the programs before it when this one does not fit into that block. */
  add(program: StackProgram): Uint8Array<ArrayBuffer> | undefined {
    const place = `program ${this.#programCount}`;
    checkProgram(program, `a StackProgram as ${place}`);
    refuseLegacy(program, place);
    if (4 * (program.words.length + 2) > LONGEST_BODY) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `expected at most ${LONGEST_BODY / Packed.bytesPerInstruction - 1} instructions as ${place}, found ${program.length}`,
      );
    }
    const needed = program.words.length + 1;
    const block =
      this.#waitingWords + needed > BLOCK_WORDS ? bytesOf(joinedWords(this.#programs())) : undefined;
    // A copy, so that it does not matter what the caller does with the program's memory later.
    this.#waiting.push(program.words.slice());
    this.#waitingWords += needed;
    this.#programCount++;
    return block;
  }

  end(): Uint8Array<ArrayBuffer> {
    const count = Uint32Array.of(this.#programCount, Math.floor(this.#programCount / 2 ** 32));
    return bytesOf(joinedWords([...this.#programs(), ...this.#block(BlockKind.end, count)]));
  }

  /** The block of the waiting programs, if there are any. */
  #programs(): readonly WordList[] {
    if (this.#waiting.length === 0) return [];
    const block = this.#block(BlockKind.programs, programList(this.#waiting));
    this.#waiting = [];
    this.#waitingWords = 1;
    return block;
  }

  #block(kind: BlockKind, body: Uint32Array): readonly WordList[] {
    if (4 * body.length > LONGEST_BODY)
      throw invalid(`at most ${LONGEST_BODY} bytes in a block`, 4 * body.length);
    return this.#writer.block(kind, body);
  }
}

function headerWords(table: StackTable, header: Partial<ProgramFileHeader>): Uint32Array {
  const fingerprint = fingerprintWords(table);
  checkOptionNames(header, HEADER_NAMES);
  const registers = listed<StackRegister>("registers", header.registers);
  const requests = listed<number>("requests", header.requests);
  const routines = listed<StackProgram>("routines", header.routines);
  requests.forEach((request, index) => {
    if (Number.isInteger(request) && request >= 0 && request < registers.length) return;
    throw invalid(`the index of a register as \`requests[${index}]\``, request);
  });
  routines.forEach((routine, index) => {
    checkProgram(routine, `a StackProgram as routine ${index}`);
    refuseLegacy(routine, `routine ${index}`);
  });
  return joinedWords([
    fingerprint,
    [registers.length],
    ...registers.map((register) => registerWords(register, table)),
    [requests.length],
    requests,
    programList(routines.map(({ words }) => words)),
  ]);
}

/** @throws StackPtxError LEGACY_PROGRAM, because readers compile what they read */
function refuseLegacy({ words }: StackProgram, what: string): void {
  if (looksLegacy(words)) throw legacyInstead(what);
}

/** A copy of an array without holes; empty when the array was omitted. */
function listed<T>(name: string, list: readonly T[] | undefined): T[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalid(`\`${name}\` as an array`, list);
  integer(`the number of \`${name}\``, list.length, MOST_ENTRIES);
  return Array.from(list);
}

/** Writes a register: its stack and the length of its name, then the name, four characters per word. */
function registerWords(register: StackRegister, table: StackTable): WordList {
  const { name, stackIndex } = register ?? {};
  checkRegister(name, stackIndex);
  if (stackIndex >= table.stackTypes.length) {
    throw invalid(`a stack of the table for register \`${name}\``, stackIndex);
  }
  if (name.length > LONGEST_NAME)
    throw invalid(`register names of at most ${LONGEST_NAME} characters`, name.length);
  const words = [stackIndex | (name.length << 16)];
  for (let at = 0; at < name.length; at += 4) {
    const letters = [0, 1, 2, 3].map((letter) =>
      at + letter < name.length ? name.charCodeAt(at + letter) : 0,
    );
    words.push(letters.reduceRight((word, letter) => word * 256 + letter, 0));
  }
  return words;
}

/** The number of programs, the instructions of each, then their words. */
function programList(programs: readonly Uint32Array[]): Uint32Array {
  const lengths = programs.map(({ length }) => length / Packed.wordsPerInstruction);
  return joinedWords([[programs.length], lengths, ...programs]);
}

/** @throws StackPtxError INVALID_ARGUMENT when the programs are not iterable */
function checkIterable(programs: unknown, ...ways: readonly symbol[]): void {
  const isIterable = typeof programs === "object" && programs !== null && ways.some((way) => way in programs);
  if (!isIterable || programs instanceof StackProgram) throw invalid("an iterable of programs", programs);
}
