// Reads kernel files.
import { deepFreeze } from "../core/freeze.js";
import { BLOCK_HEAD_WORDS, type Block, BlockReader, feeder } from "../internal/blocks.js";
import { describeValue } from "../internal/describe.js";
import { bytesOf } from "../internal/words.js";
import { KernelFileError } from "./error.js";
import { BLOCKS, FORMAT, headProblem } from "./format.js";
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

/** The bodies of the blocks, which have the right checksums. */
function blocksOf(bytes: Uint8Array): Block[] {
  const reader = new BlockReader(
    FORMAT,
    (code, message, offset) => new KernelFileError(code, message, offset),
  );
  const feed = feeder(bytes);
  feed(reader.prologue());
  const blocks = BLOCKS.map(({ name, kind }): Block => {
    const block = feed(reader.block());
    if (block.kind === kind) return block;
    const found = block.kind.toString(16).padStart(8, "0");
    throw format(`expected block ${name}, found kind 0x${found}`, block.offset - 4 * BLOCK_HEAD_WORDS);
  });
  feed(reader.end());
  return blocks;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A text of a block: its length in bytes, the bytes, and zeros. */
function textOf({ words, offset }: Block): string {
  const [length] = words;
  const bytes = bytesOf(words.subarray(1));
  if (length === undefined || Math.ceil(length / 4) !== words.length - 1) {
    throw format(
      `expected the length of a text that takes ${bytes.length} bytes with its padding, found ${length}`,
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

const format = (message: string, offset: number): KernelFileError =>
  new KernelFileError("FILE_FORMAT", message, offset);
