// Runs calls to NVIDIA's libraries in worker processes, because the libraries crash or hang on some inputs and write
// some errors only to standard error. The other side is native/worker/toolkit.cpp.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
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
/** The exit code of a process that exceeded its memory limit: `kToolkitOutgrown`. */
const OUTGROWN = 77;

/**
 * Blocks until an operation returns its numbers, such as a library's version. @throws Error if the library can't be
 * used
 */
export function askNow(worker: string, request: Lists): number[] {
  const { output, error, signal, status } = spawnSync(worker, [SERVE], {
    input: packed(request),
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
function diedOf({ error, signal, code, answer }: Exit, memoryLimitBytes: number): Died | Error | undefined {
  if (error !== undefined) return error;
  if (code === OUTGROWN)
    return { died: `took more than ${memoryLimitBytes} bytes of memory`, outgrown: true, forbidden: false };
  if (answer.length > 0) return undefined;
  return {
    died: `ended by ${signal === null ? `exit code ${code}` : signal}`,
    outgrown: false,
    forbidden: signal === "SIGSYS",
  };
}

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

/** @throws RangeError if it is truncated */
function unpack(bytes: Buffer): Buffer[][] {
  let at = 0;
  const number = (): number => {
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  return Array.from({ length: number() }, () =>
    Array.from({ length: number() }, () => {
      const size = number();
      at += size;
      return bytes.subarray(at - size, at);
    }),
  );
}
