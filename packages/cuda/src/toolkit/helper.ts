// Runs calls to NVIDIA's libraries in worker processes, because the libraries crash or hang on some inputs and write
// some errors only to standard error. The other side is native/worker/toolkit.cpp.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { libraryEnvironment } from "../native/environment.js";
import { type Exit, startProgram } from "./process.js";

/** Requests and answers are lists of pieces; each operation's lists are documented in the C++ code. */
type Piece = string | Uint8Array;
type Lists = readonly (readonly Piece[])[];

/** The answer of an operation. */
export interface Answer {
  readonly lists: readonly (readonly Buffer[])[];
  /** The library's output to standard error. */
  readonly stderr: string;
}

/** How a process ended without an answer. */
export interface Died {
  /** The cause in words. */
  readonly died: string;
  /** Whether it exceeded its memory limit. */
  readonly outgrown: boolean;
  /** Whether its confinement ended it. */
  readonly forbidden: boolean;
}

const SERVE = "--toolkit";
/** No answer is longer. The library's input may have taken over the process, so what it claims is checked. */
const LONGEST_ANSWER = 2 ** 31;
/** The event loop has to read texts. */
const LONGEST_TEXT = 4 * 2 ** 20;
/** The exit code of a process that exceeded its memory limit: `kToolkitOutgrown`. */
const OUTGROWN = 77;

/**
 * Blocks until an operation returns its numbers, such as a library's version. @throws Error if the library can't be
 * used
 */
export function askNow(worker: string, request: Lists): number[] {
  const { output, error, signal, status } = spawnSync(worker, [SERVE], {
    input: packed(request),
    env: libraryEnvironment(),
    stdio: ["pipe", "ignore", "ignore", "pipe"],
    timeout: 20_000,
  });
  if (error !== undefined) throw error;
  const answer = output[3] as Buffer | null | undefined;
  if (answer == null || answer.length === 0)
    throw new Error(`it ended by ${signal ?? `exit code ${status}`}`);
  return usable(unpack(answer))[1]!.map(Number);
}

/** The limits of an operation's process. */
export interface ProcessLimits {
  readonly memoryLimitBytes: number;
  readonly confine: "auto" | "required" | false;
}

/**
 * Starts an operation with a request from `packed`; the returned function kills the process. `done` is never called
 * before the next turn of the event loop.
 */
export function ask(
  worker: string,
  request: Uint8Array,
  { memoryLimitBytes, confine }: ProcessLimits,
  done: (answer: Answer | Died | Error) => void,
): () => void {
  const { exit, kill } = startProgram(worker, [SERVE, `${memoryLimitBytes}`, confine || "no"], {
    // NVRTC searches for headers in its working folder, which must not be the caller's.
    cwd: dirname(worker),
    input: request,
    environment: libraryEnvironment(),
    maxAnswerBytes: Math.min(memoryLimitBytes, LONGEST_ANSWER),
    encoding: "utf8",
  });
  exit.then((ended) => {
    try {
      done(diedOf(ended, memoryLimitBytes) ?? { lists: usable(unpack(ended.answer)), stderr: ended.log });
    } catch (error) {
      done(error as Error);
    }
  });
  return kill;
}

/** What counts is whether it had answered, not how it ended, unless it exceeded its memory limit while answering. */
function diedOf(
  { error, signal, code, outgrown, answer }: Exit,
  memoryLimitBytes: number,
): Died | Error | undefined {
  if (error !== undefined) return error;
  if (outgrown) return { died: "answered more than it may", outgrown, forbidden: false };
  if (code === OUTGROWN)
    return { died: `took more than ${memoryLimitBytes} bytes of memory`, outgrown: true, forbidden: false };
  if (answer.length > 0) return undefined;
  return {
    died: `ended by ${signal === null ? `exit code ${code}` : signal}`,
    outgrown: false,
    forbidden: signal === "SIGSYS",
  };
}

/** A piece as text, cut where nobody would read on. */
export const textOf = (piece: Buffer): string => piece.toString("utf8", 0, LONGEST_TEXT);

/** @throws Error with the reason if the library can't be used */
function usable(lists: Answer["lists"]): Answer["lists"] {
  const problem = lists[0]?.[0];
  if (problem !== undefined) throw new Error(problem.toString());
  return lists;
}

/** A request as bytes in a separate buffer. */
export function packed(lists: Lists): Uint8Array {
  const parts: Buffer[] = [];
  const number = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  number(lists.length);
  for (const pieces of lists) {
    number(pieces.length);
    for (const piece of pieces) {
      const bytes = Buffer.from(piece as Uint8Array);
      number(bytes.length);
      parts.push(bytes);
    }
  }
  return Buffer.concat(parts);
}

/** Enough for the files that NVRTC opens and looks for. */
const MOST_PIECES = 2 ** 18;
/** `kMostLists` of the C++ code. */
const MOST_LISTS = 16;

/** @throws RangeError if it is truncated, or has more items than any answer */
function unpack(bytes: Buffer): Buffer[][] {
  let at = 0;
  const number = (): number => {
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const listOf = <T>(most: number, item: () => T): T[] => {
    const count = number();
    if (count > most) throw new RangeError(`expected at most ${most} items in its answer, found ${count}`);
    return Array.from({ length: count }, item);
  };
  return listOf(MOST_LISTS, () =>
    listOf(MOST_PIECES, () => {
      const size = number();
      const piece = bytes.subarray(at, at + size);
      if (piece.length < size)
        throw new RangeError(`expected ${size} bytes in its answer, found ${piece.length}`);
      at += size;
      return piece;
    }),
  );
}
