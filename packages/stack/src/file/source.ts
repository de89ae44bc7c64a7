// Where a program file comes from: bytes in memory, or chunks that arrive in time.
import type { StackTable } from "@mm-ptx/types/core";
import { invalid } from "../arguments.js";
import { StackPtxError } from "../error.js";
import type { StackProgram } from "../program.js";
import { FileParser, type ProgramFileInfo, type Steps } from "./read.js";

/** A program file that was read whole. */
export interface ProgramFile extends ProgramFileInfo {
  readonly programs: readonly StackProgram[];
}

/** Chunks of a file: a Node stream, a web stream, or anything that gives `Uint8Array`s one after the other. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReaderSource;

/** What a web stream has in every browser; not all of them can be iterated. */
export interface ReaderSource {
  /** As `ReadableStream.getReader`. */
  getReader(): {
    /** The next chunk. */
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    /** Called when no more is wanted. */
    cancel(): Promise<unknown>;
  };
}

/**
 * A program file in memory. Nothing is given unless the whole file is right. Programs are views of `bytes` where they lie
 * at a multiple of 4, so changing those changes them. Each is an object: of a file of millions, `openProgramFile` holds
 * fewer at a time.
 * @throws StackPtxError FILE_TRUNCATED, FILE_CHECKSUM, FILE_FORMAT, or FILE_TABLE when it was made for another table than
 * this one and those that it extends, with the place as `file`; INVALID_VALUE when an argument is of the wrong kind
 */
export function readProgramFile(bytes: Uint8Array, table: StackTable): ProgramFile {
  if (!(bytes instanceof Uint8Array)) throw invalid("a program file as a Uint8Array", bytes);
  const parser = new FileParser(table);
  let at = 0;
  const finished = <T>(steps: Steps<T>): T => {
    let step = steps.next();
    while (!step.done) {
      const start = at;
      at = Math.min(bytes.length, start + step.value);
      step = steps.next(bytes.subarray(start, at));
    }
    return step.value;
  };
  const info = finished(parser.header());
  const programs: StackProgram[] = [];
  for (;;) {
    const block = finished(parser.programs());
    if (block === undefined) return { ...info, programs };
    for (const program of block.programs) programs.push(program);
  }
}

/**
 * Reads the header of a program file that arrives in chunks; the programs follow by iterating over what it gives.
 * @throws StackPtxError as `readProgramFile`
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

/** A program file that is being read: what its header says, and its programs, once, in order. */
export class ProgramFileStream implements ProgramFileInfo, AsyncIterable<StackProgram> {
  readonly fingerprint: ProgramFileInfo["fingerprint"];
  readonly registers: ProgramFileInfo["registers"];
  readonly requests: ProgramFileInfo["requests"];
  readonly routines: ProgramFileInfo["routines"];
  private started = false;

  /** @internal */
  constructor(
    info: ProgramFileInfo,
    private readonly parser: FileParser,
    private readonly chunks: Chunks,
  ) {
    this.fingerprint = info.fingerprint;
    this.registers = info.registers;
    this.requests = info.requests;
    this.routines = info.routines;
  }

  /**
   * The programs, each as soon as its block was seen to be whole. At most one block is held, besides what the source
   * holds; a program that is kept keeps its block.
   * @throws StackPtxError as `readProgramFile`, while what was given before stays right; INVALID_VALUE at a second loop, and when the stream was closed
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StackProgram, void, undefined> {
    if (this.started) {
      throw new StackPtxError(
        "INVALID_VALUE",
        "expected one loop over the programs of a stream, found a second",
      );
    }
    this.started = true;
    try {
      for (;;) {
        const block = await this.chunks.finished(this.parser.programs());
        if (block === undefined) return;
        yield* block.programs;
      }
    } catch (error) {
      await this.chunks.fail(error);
    } finally {
      await this.close();
    }
  }

  /** Ends the source early; iterating to the end or leaving the loop does so too. */
  async close(): Promise<void> {
    await this.chunks.close();
  }
}

/** Bytes that memory is taken for before they are there. */
const FIRST_PORTION = 2 ** 16;

/** Bytes of a source in the portions that are asked for. */
class Chunks {
  private readonly iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  private chunk: Uint8Array = new Uint8Array(0);
  private ended = false;
  private closed = false;

  constructor(source: ByteSource) {
    this.iterator = iteratorOf(source);
  }

  async finished<T>(steps: Steps<T>): Promise<T> {
    let step = steps.next();
    while (!step.done) step = steps.next(await this.take(step.value));
    return step.value;
  }

  /** Ends the source, once; one that came to its end by itself is left alone. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.chunk = new Uint8Array(0);
    if (!this.ended) await this.iterator.return?.();
  }

  /** Ends the source after an error, which is the one to tell, whatever the source says now. */
  async fail(error: unknown): Promise<never> {
    await this.close().catch(() => {});
    throw error;
  }

  /**
   * A copy of the next `count` bytes, or of those that are left. Memory is taken as bytes arrive, whatever the count; the
   * source may use a chunk's memory again.
   */
  private async take(count: number): Promise<Uint8Array> {
    let bytes = new Uint8Array(Math.min(count, FIRST_PORTION));
    let length = 0;
    while (length < count && (await this.fill())) {
      const part = this.chunk.subarray(0, count - length);
      this.chunk = this.chunk.subarray(part.length);
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

  /** Whether there are more bytes. */
  private async fill(): Promise<boolean> {
    while (this.chunk.length === 0) {
      if (this.ended) return false;
      this.checkOpen();
      const { done, value } = await this.iterator.next();
      this.checkOpen();
      if (done === true) {
        this.ended = true;
        return false;
      }
      if (!(value instanceof Uint8Array)) throw invalid("chunks that are Uint8Arrays", value);
      this.chunk = value;
    }
    return true;
  }

  /** @throws StackPtxError INVALID_VALUE */
  private checkOpen(): void {
    if (!this.closed) return;
    throw new StackPtxError("INVALID_VALUE", "expected a stream that is open, found one that was closed");
  }
}

function iteratorOf(source: ByteSource): AsyncIterator<Uint8Array> | Iterator<Uint8Array> {
  if (typeof source === "object" && source !== null && !(source instanceof Uint8Array)) {
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
    if (Symbol.iterator in source) return source[Symbol.iterator]();
    if ("getReader" in source) return readerIterator(source);
  }
  throw invalid("chunks of a file one after the other", source);
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
