// Calls of NVIDIA's libraries in processes of our worker executable: they crash or hang on some inputs, and write some
// errors to the standard error alone. native/worker/toolkit.cpp has the other side.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { type Exit, startProgram } from "./process.js";

/** Requests and answers are lists of pieces; what the lists of an operation hold stands at the operation in C++. */
type Piece = string | Uint8Array;
type Lists = readonly (readonly Piece[])[];

/** An operation's answer. */
export interface Answer {
  readonly lists: readonly (readonly Buffer[])[];
  /** What the library wrote to standard error. */
  readonly stderr: string;
}

/** How a process ended that gave no answer. */
export interface Died {
  /** In words. */
  readonly died: string;
  /** Whether it did because it had more in memory than it may. */
  readonly outgrown: boolean;
}

const SERVE = "--toolkit";
/** The exit code of a process that outgrew its limit: `kToolkitOutgrown`. */
const OUTGROWN = 77;

/** The numbers that an operation gives at once, such as a library's version. @throws when the library cannot be used */
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

/**
 * Starts an operation with what `packed` made; what it returns kills the process. `done` is not called before the next turn
 * of the event loop.
 *
 * @param memoryLimit bytes that the process may have in memory
 */
export function ask(
  worker: string,
  request: Uint8Array,
  memoryLimit: number,
  done: (answer: Answer | Died | Error) => void,
): () => void {
  const { exit, kill } = startProgram(worker, [SERVE, `${memoryLimit}`], {
    // NVRTC looks for headers where it is started, which is no matter of the caller's folder.
    cwd: dirname(worker),
    input: request,
    encoding: "utf8",
  });
  exit.then((ended) => {
    try {
      done(diedOf(ended, memoryLimit) ?? { lists: usable(unpack(ended.answer)), stderr: ended.log });
    } catch (error) {
      done(error as Error);
    }
  });
  return kill;
}

/** Not how it ended, but whether it had answered by then counts; except of one that outgrew its limit while it answered. */
function diedOf({ error, signal, code, answer }: Exit, memoryLimit: number): Died | Error | undefined {
  if (error !== undefined) return error;
  if (code === OUTGROWN) return { died: `took more than ${memoryLimit} bytes of memory`, outgrown: true };
  if (answer.length > 0) return undefined;
  return { died: `ended by ${signal === null ? `exit code ${code}` : signal}`, outgrown: false };
}

/** @throws with the reason when the library could not be used */
function usable(lists: Answer["lists"]): Answer["lists"] {
  const problem = lists[0]?.[0];
  if (problem !== undefined) throw new Error(problem.toString());
  return lists;
}

/** A request as bytes, which are its own. */
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

/** @throws RangeError when it was cut off */
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
