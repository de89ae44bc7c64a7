// Reads program files in steps, from memory or as bytes arrive.
import type { StackTable } from "@mm-ptx/types/core";
import { BLOCK_HEAD_WORDS, BlockReader, bytesOf, hex, type Steps } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { latin1 } from "../emit/string.js";
import { fileError, legacyInstead, StackPtxError, type StackPtxErrorCode } from "../error.js";
import { Packed } from "../layout.js";
import { looksLegacy } from "../legacy/dialect.js";
import { StackProgram } from "../program.js";
import { register, type StackRegister } from "../register.js";
import {
  BlockKind,
  FORMAT,
  fingerprintText,
  fingerprintWords,
  MOST_ENTRIES,
  type ProgramFileHeader,
} from "./format.js";

/** The header of a program file. */
export interface ProgramFileInfo extends ProgramFileHeader {
  /** The fingerprint of the table that the file was made for: the reader's table, or one of its bases. */
  readonly fingerprint: string;
}

/** The programs of a block whose checksum was verified. */
export interface ProgramList {
  readonly count: number;
  /**
   * Makes the programs one at a time, as views of the block, because a block may hold millions. They can be iterated
   * once.
   */
  readonly programs: Iterable<StackProgram>;
}

/** Reads the blocks of a file in order. */
export class FileParser {
  readonly #fingerprints: readonly string[];
  readonly #blocks = new BlockReader(FORMAT, (code, message, offset) => this.#error(code, message, offset));
  /** The number of programs delivered so far; `undefined` before the first and after the last block of programs. */
  #delivered: number | undefined;

  readonly #table: StackTable;

  /** @throws StackPtxError INVALID_ARGUMENT when the table has no fingerprint */
  constructor(table: StackTable) {
    this.#table = table;
    const fingerprint = fingerprintText(fingerprintWords(table));
    if (!Array.isArray(table.bases)) throw invalid("a table with the fingerprints of its `bases`", table);
    this.#fingerprints = [fingerprint, ...table.bases];
  }

  /** Reads the header, which comes before the programs. */
  *header(): Steps<ProgramFileInfo> {
    yield* this.#blocks.prologue();
    const { kind, body } = yield* this.#block();
    if (kind !== BlockKind.header) throw this.#unexpected("a header", kind, body);
    return this.#headerOf(body);
  }

  /** Reads the programs of the next block; returns `undefined` after the last block. */
  *programs(): Steps<ProgramList | undefined> {
    this.#delivered ??= 0;
    const { kind, body } = yield* this.#block();
    if (kind === BlockKind.programs) {
      const list = body.programs(body.word());
      body.end();
      this.#delivered += list.count;
      return list;
    }
    if (kind !== BlockKind.end) throw this.#unexpected("programs or the end", kind, body);
    const [low, high] = body.words(2) as unknown as [number, number];
    const count = low + high * 2 ** 32;
    if (count !== this.#delivered) {
      throw body.error(`expected ${count} programs, found ${this.#delivered}`);
    }
    body.end();
    this.#delivered = undefined;
    yield* this.#blocks.end();
    return undefined;
  }

  #headerOf(body: Body): ProgramFileInfo {
    const fingerprint = fingerprintText(body.words(8));
    if (!this.#fingerprints.includes(fingerprint)) {
      const [own] = this.#fingerprints;
      throw this.#error(
        "FILE_TABLE",
        `expected a file for table ${own} or one that it extends, found one for ${fingerprint}`,
        body.offset,
      );
    }
    const registers = body.list("registers", () => body.register(this.#table.stackTypes.length));
    const requests = body.list("requests", () => body.below(registers.length, "a register"));
    const routines = [...body.programs(body.count("routines")).programs];
    body.end();
    return { fingerprint, registers, requests, routines };
  }

  *#block(): Steps<{ kind: number; body: Body }> {
    const { kind, offset, words } = yield* this.#blocks.block();
    return { kind, body: new Body(words, offset, this.#delivered) };
  }

  #unexpected(what: string, kind: number, { offset }: Body): StackPtxError {
    const start = offset - 4 * BLOCK_HEAD_WORDS;
    return this.#error("FILE_FORMAT", `expected a block of ${what}, found kind 0x${hex(kind)}`, start);
  }

  #error(code: StackPtxErrorCode & `FILE_${string}`, message: string, offset: number): StackPtxError {
    return fileError(code, message, { offset, program: this.#delivered });
  }
}

/**
 * The words of a block whose checksum matches, read from first to last. An error found here was written into the file.
 */
class Body {
  #at = 0;
  /** The offset of the word that was read last. */
  #place = 0;

  readonly #content: Uint32Array;
  readonly #program: number | undefined;

  constructor(
    content: Uint32Array,
    /** The offset of the block in the file. */
    readonly offset: number,
    program: number | undefined,
  ) {
    this.#content = content;
    this.#program = program;
  }

  word(): number {
    return this.words(1)[0]!;
  }

  words(count: number): Uint32Array {
    const content = this.#content;
    const at = this.#at;
    this.#place = at;
    if (count > content.length - at) {
      throw this.error(`expected ${count} more words in the block, found ${content.length - at}`);
    }
    this.#at = at + count;
    return content.subarray(at, this.#at);
  }

  /** Reads the number of entries that follow in the header. */
  count(what: string): number {
    const count = this.word();
    if (count > MOST_ENTRIES) throw this.error(`expected at most ${MOST_ENTRIES} ${what}, found ${count}`);
    return count;
  }

  /** Reads a count and that many items. A count that exceeds the block is detected at the end of the block. */
  list<T>(what: string, item: () => T): T[] {
    const items: T[] = [];
    for (let rest = this.count(what); rest > 0; rest--) items.push(item());
    return items;
  }

  below(count: number, what: string): number {
    const value = this.word();
    if (value < count) return value;
    throw this.error(`expected the index of ${what} below ${count}, found ${value}`);
  }

  register(stackCount: number): StackRegister {
    const start = this.#at;
    const head = this.word();
    const stack = head & 0xffff;
    const length = head >>> 16;
    const words = this.words(Math.ceil(length / 4));
    const bytes = bytesOf(words);
    this.#place = start;
    if (bytes.subarray(length).some((byte) => byte !== 0)) {
      throw this.error("expected zeros after the name of a register, found other bytes");
    }
    if (stack >= stackCount) throw this.error(`expected a stack below ${stackCount}, found ${stack}`);
    try {
      return register(latin1(bytes, length), stack);
    } catch (error) {
      throw error instanceof StackPtxError ? this.error(error.message) : error;
    }
  }

  /**
   * Reads programs, which are views of the block. Whether all of them are present is checked before the first one is
   * made.
   */
  programs(count: number): ProgramList {
    const lengths = this.words(count);
    const start = this.#at;
    for (const length of lengths) this.words(length * Packed.wordsPerInstruction);
    return { count: lengths.length, programs: this.#views(lengths, start) };
  }

  *#views(lengths: Uint32Array, start: number): Generator<StackProgram, void, undefined> {
    let at = start;
    let program = this.#program;
    for (const length of lengths) {
      const end = at + length * Packed.wordsPerInstruction;
      const words = this.#content.subarray(at, end);
      if (looksLegacy(words)) {
        throw legacyInstead("a program", { offset: this.offset + 4 * at, program });
      }
      yield StackProgram.fromWords(words);
      at = end;
      if (program !== undefined) program++;
    }
  }

  end(): void {
    this.#place = this.#at;
    const rest = this.#content.length - this.#at;
    if (rest > 0) throw this.error(`expected the end of the block, found ${rest} more words`);
  }

  error(message: string): StackPtxError {
    return fileError("FILE_FORMAT", message, {
      offset: this.offset + 4 * this.#place,
      program: this.#program,
    });
  }
}
