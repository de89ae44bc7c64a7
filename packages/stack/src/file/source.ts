// The sources of program files: bytes in memory, or chunks that arrive over time.
import type { StackTable } from "@mm-ptx/types/core";
import { feeder, type Steps } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { StackPtxError } from "../error.js";
import type { StackProgram } from "../program.js";
import { FileParser, type ProgramFileInfo } from "./read.js";

/** A program file that was read as a whole. */
export interface ProgramFile extends ProgramFileInfo {
  readonly programs: readonly StackProgram[];
}

/** Chunks of a file: a Node stream, a web stream, or any iterable of `Uint8Array`s. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReaderSource;

/** A web stream as every browser has it; not all browsers can iterate over one. */
export interface ReaderSource {
  /** Like `ReadableStream.getReader`. */
  getReader(): {
    /** The next chunk. */
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    /** Called when no more chunks are needed. */
    cancel(): Promise<unknown>;
  };
}

/**
 * Reads a program file in memory. It throws unless the whole file is correct. Where programs are aligned to 4 bytes,
 * they are views of `bytes`, so changing `bytes` changes them. Every program becomes an object; for a file of millions,
 * use `openProgramFile`, which holds fewer at a time.
 * @throws StackPtxError FILE_TRUNCATED, FILE_CHECKSUM, FILE_FORMAT, or FILE_TABLE when the file was made neither for
 * this table nor for one that it extends, LEGACY_PROGRAM when the words of a program are those of Stack PTX 1.0, with
 * the place as `file`; INVALID_ARGUMENT when an argument is of the wrong kind
 */
export function readProgramFile(bytes: Uint8Array, table: StackTable): ProgramFile {
  if (!(bytes instanceof Uint8Array)) throw invalid("a program file as a Uint8Array", bytes);
  const parser = new FileParser(table);
  const feed = feeder(bytes);
  const info = feed(parser.header());
  const programs: StackProgram[] = [];
  for (;;) {
    const block = feed(parser.programs());
    if (block === undefined) return { ...info, programs };
    for (const program of block.programs) programs.push(program);
  }
}

/**
 * Reads the header of a program file that arrives in chunks. Iterate over the result to read the programs.
 * @throws StackPtxError like `readProgramFile`
 */
export async function openProgramFile(source: ByteSource, table: StackTable): Promise<ProgramFileStream> {
  const parser = new FileParser(table);
  const chunks = new Chunks(source);
  try {
    return new ProgramFileStream(await chunks.finished(parser.header()), parser, chunks);
  } catch (error) {
    return chunks.fail(error);
  }
}

/** A program file that is being read: its header, and its programs, which can be iterated once, in order. */
export class ProgramFileStream implements ProgramFileInfo, AsyncIterable<StackProgram> {
  readonly fingerprint: ProgramFileInfo["fingerprint"];
  readonly registers: ProgramFileInfo["registers"];
  readonly requests: ProgramFileInfo["requests"];
  readonly routines: ProgramFileInfo["routines"];
  #started = false;

  readonly #parser: FileParser;
  readonly #chunks: Chunks;

  /** @internal */
  constructor(info: ProgramFileInfo, parser: FileParser, chunks: Chunks) {
    this.#parser = parser;
    this.#chunks = chunks;
    this.fingerprint = info.fingerprint;
    this.registers = info.registers;
    this.requests = info.requests;
    this.routines = info.routines;
  }

  /**
   * The programs, each as soon as its block has been verified. At most one block is held, besides what the source
   * holds; a program that you keep keeps its block alive.
   * @throws StackPtxError like `readProgramFile`, in which case the programs delivered before are valid; INVALID_ARGUMENT
   * for a second loop, and when the stream was closed
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StackProgram, void, undefined> {
    if (this.#started) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        "expected one loop over the programs of a stream, found a second",
      );
    }
    this.#started = true;
    try {
      for (;;) {
        const block = await this.#chunks.finished(this.#parser.programs());
        if (block === undefined) return;
        yield* block.programs;
      }
    } catch (error) {
      await this.#chunks.fail(error);
    } finally {
      await this.close();
    }
  }

  /** Ends the source early. Iterating to the end or leaving the loop does this as well. */
  async close(): Promise<void> {
    await this.#chunks.close();
  }
}

/** The most bytes that are allocated before they arrive. */
const FIRST_PORTION = 2 ** 16;

/** Reads from a source in portions of the requested size. */
class Chunks {
  readonly #iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #ended = false;
  #closed = false;

  constructor(source: ByteSource) {
    this.#iterator = iteratorOf(source);
  }

  async finished<T>(steps: Steps<T>): Promise<T> {
    let step = steps.next();
    while (!step.done) step = steps.next(await this.#take(step.value));
    return step.value;
  }

  /** Ends the source, once; a source that has ended on its own is left alone. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#chunk = new Uint8Array(0);
    if (!this.#ended) await this.#iterator.return?.();
  }

  /** Ends the source after an error. That error is the one to report, whatever the source does now. */
  async fail(error: unknown): Promise<never> {
    await this.close().catch(() => {});
    throw error;
  }

  /**
   * A copy of the next `count` bytes, or of those that are left. Memory is allocated as bytes arrive, whatever the
   * count. It is a copy because the source may reuse the memory of a chunk.
   */
  async #take(count: number): Promise<Uint8Array> {
    let bytes = new Uint8Array(Math.min(count, FIRST_PORTION));
    let length = 0;
    while (length < count && (await this.#fill())) {
      const part = this.#chunk.subarray(0, count - length);
      this.#chunk = this.#chunk.subarray(part.length);
      if (length + part.length > bytes.length) {
        const larger = new Uint8Array(Math.min(count, 2 * (length + part.length)));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(part, length);
      length += part.length;
    }
    return bytes.subarray(0, length);
  }

  /** Whether more bytes follow. */
  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      if (this.#ended) return false;
      this.#checkOpen();
      const { done, value } = await this.#iterator.next();
      this.#checkOpen();
      if (done === true) {
        this.#ended = true;
        return false;
      }
      if (!(value instanceof Uint8Array)) throw invalid("chunks that are Uint8Arrays", value);
      this.#chunk = value;
    }
    return true;
  }

  /** @throws StackPtxError INVALID_ARGUMENT */
  #checkOpen(): void {
    if (!this.#closed) return;
    throw new StackPtxError("INVALID_ARGUMENT", "expected an open stream, found a closed one");
  }
}

function iteratorOf(source: ByteSource): AsyncIterator<Uint8Array> | Iterator<Uint8Array> {
  if (typeof source === "object" && source !== null && !(source instanceof Uint8Array)) {
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
    if (Symbol.iterator in source) return source[Symbol.iterator]();
    if ("getReader" in source) return readerIterator(source);
  }
  throw invalid("an iterable of chunks", source);
}

function readerIterator(source: ReaderSource): AsyncIterator<Uint8Array> {
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value: value! };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
