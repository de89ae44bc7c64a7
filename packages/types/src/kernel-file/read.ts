// Reads kernel files. Nothing of a block is used before its checksum was verified.
import { deepFreeze } from "../core/freeze.js";
import { CRC_START, crcOf, crcUpdate } from "../internal/crc32.js";
import { describeValue } from "../internal/describe.js";
import { bytesOf, wordsOf } from "../internal/words.js";
import { KernelFileError } from "./error.js";
import {
  BLOCK_HEAD_WORDS,
  BLOCKS,
  headProblem,
  LONGEST_BODY,
  MAGIC,
  PROLOGUE_WORDS,
  VERSION,
} from "./format.js";
import { mapPrograms, type WithPrograms } from "./programs.js";
import type { KernelFile } from "./value.js";

/**
 * Reads a kernel file. Its programs are views of the bytes where these are aligned to 4, so changing the bytes changes
 * them; everything else is frozen.
 * @throws KernelFileError FILE_TRUNCATED, FILE_CHECKSUM or FILE_FORMAT with the `offset` of what is wrong;
 * INVALID_ARGUMENT unless it is a Uint8Array
 */
export function readKernelFile(bytes: Uint8Array): KernelFile {
  if (!(bytes instanceof Uint8Array)) {
    throw new KernelFileError(
      "INVALID_ARGUMENT",
      `expected a kernel file as a Uint8Array, found ${describeValue(bytes)}`,
    );
  }
  const [head, text, programs] = blocksOf(bytes) as [Block, Block, Block];
  const json = textOf(head);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw format("expected JSON, found other text", head.offset);
  }
  const problem = headProblem(value);
  if (problem !== undefined) throw format(problem, head.offset);
  const words = programs.words;
  let at = 0;
  const file = mapPrograms(value as WithPrograms<readonly number[]>, (counts) =>
    Object.freeze(
      counts.map((count) => {
        const start = at;
        at += 2 * count;
        if (at > words.length)
          throw format(`expected at least ${at} words of programs, found ${words.length}`, programs.offset);
        return words.subarray(start, at);
      }),
    ),
  );
  if (at < words.length)
    throw format(`expected ${at} words of programs, found ${words.length}`, programs.offset);
  return frozen({ ptx: textOf(text), ...withInfinity(file) } as KernelFile);
}

interface Block {
  /** The offset of the body in the file. */
  readonly offset: number;
  readonly words: Uint32Array;
}

const MAGIC_BYTES = bytesOf(Uint32Array.from(MAGIC));

/** The bodies of the blocks, which have the right checksums. */
function blocksOf(bytes: Uint8Array): Block[] {
  // A difference is reported first: a short text is not a truncated kernel file, but no kernel file at all.
  if (MAGIC_BYTES.some((byte, index) => index < bytes.length && bytes[index] !== byte)) {
    throw format("expected a kernel file, found other bytes", 0);
  }
  const words = wordsOf(bytes.subarray(0, bytes.length - (bytes.length % 4)));
  let crc = CRC_START;
  let at = 0;
  const take = (count: number, what: string): Uint32Array => {
    if (count > words.length - at) {
      throw new KernelFileError(
        "FILE_TRUNCATED",
        `expected ${what}, ${4 * (at + count) - bytes.length} more bytes, found the end of the file`,
        bytes.length,
      );
    }
    const part = words.subarray(at, at + count);
    at += count;
    return part;
  };
  const verify = (covered: Uint32Array, found: number, start: number): void => {
    crc = crcUpdate(crc, covered, 0, covered.length);
    const expected = crcOf(crc);
    if (found === expected) return;
    throw new KernelFileError(
      "FILE_CHECKSUM",
      `expected checksum 0x${hex(expected)} of the bytes read, found 0x${hex(found)}: the file was altered in or before the block`,
      start,
    );
  };
  const prologue = take(PROLOGUE_WORDS, "the first words of a kernel file");
  const version = prologue[MAGIC.length]!;
  if (version !== VERSION) throw format(`expected version ${VERSION}, found ${version}`, 4 * MAGIC.length);
  crc = crcUpdate(crc, prologue, 0, prologue.length);
  const blocks = BLOCKS.map(({ name, kind: expected }): Block => {
    const start = 4 * at;
    const [kind, length, checksum] = take(BLOCK_HEAD_WORDS, "a block") as unknown as [number, number, number];
    verify(words.subarray(at - BLOCK_HEAD_WORDS, at - 1), checksum, start);
    if (kind !== expected) throw format(`expected block ${name}, found kind 0x${hex(kind)}`, start);
    if (length > LONGEST_BODY || length % 4 !== 0) {
      throw format(
        `expected a multiple of 4 up to ${LONGEST_BODY} as the length of a block, found ${length}`,
        start + 4,
      );
    }
    const offset = 4 * at;
    const body = take(length / 4 + 1, "the rest of a block");
    verify(body.subarray(0, -1), body.at(-1)!, start);
    return { offset, words: body.subarray(0, -1) };
  });
  if (4 * at < bytes.length) throw format("expected the end of the file, found more bytes", 4 * at);
  return blocks;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A text of a block: its length in bytes, the bytes, and zeros. */
function textOf({ words, offset }: Block): string {
  const [length] = words;
  const bytes = bytesOf(words.subarray(1));
  if (length === undefined || Math.ceil(length / 4) !== words.length - 1) {
    throw format(
      `expected the length of a text of ${bytes.length} bytes with its zeros, found ${length}`,
      offset,
    );
  }
  if (bytes.subarray(length).some((byte) => byte !== 0)) {
    throw format("expected zeros after a text, found other bytes", offset + 4 + length);
  }
  try {
    return UTF8.decode(bytes.subarray(0, length));
  } catch {
    throw format("expected text in UTF-8, found other bytes", offset + 4);
  }
}

type Programs = WithPrograms<readonly Uint32Array[]>;

/** The value with Infinity where the JSON has `null`. */
function withInfinity({ stack, ast, ...rest }: Programs): Programs {
  const limits = (given: unknown) =>
    typeof given === "object" && given !== null
      ? Object.fromEntries(
          Object.entries(given).map(([name, limit]) => [name, limit ?? Number.POSITIVE_INFINITY]),
        )
      : given;
  const part = <Part extends { readonly limits?: unknown }>(one: Part): Part =>
    one.limits === undefined ? one : { ...one, limits: limits(one.limits) };
  return {
    ...rest,
    ...(stack && {
      stack: {
        ...part(stack),
        jobs: stack.jobs.map((one) => ({ ...one, job: limits(one.job) as typeof one.job })),
      },
    }),
    ...(ast && { ast: part(ast) }),
  };
}

/** Freezes everything but the words of programs, which cannot be frozen. */
function frozen(file: KernelFile): KernelFile {
  const freezePart = (part: KernelFile["ast"] | KernelFile["stack"]) => {
    if (part === undefined) return;
    for (const job of part.jobs) {
      deepFreeze(job.job);
      Object.freeze(job);
    }
    Object.freeze(part.jobs);
    deepFreeze(part.table);
    deepFreeze(part.limits);
    Object.freeze(part);
  };
  freezePart(file.stack);
  freezePart(file.ast);
  deepFreeze(file.types);
  return Object.freeze(file);
}

const hex = (word: number): string => word.toString(16).padStart(8, "0");

const format = (message: string, offset: number): KernelFileError =>
  new KernelFileError("FILE_FORMAT", message, offset);
