// Looks for the shortest program that is equal to a given one.
import type { Column, WorkersOption } from "@mm-ptx/columns";
import type { CodeBatch } from "@mm-ptx/types/code";
import { isAnything, isBoolean, isFunction, isNumber, isSignal, isWhole } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { Equality } from "./equality.js";
import { graphOf } from "./graph.js";
import { Shrinker } from "./shrinker.js";

/** How a program is shrunk. */
export interface ShrinkOptions {
  /** The instructions that programs may use, by their PTX names. By default these are those of the program and `CORE_INSTRUCTIONS`. */
  readonly instructions?: readonly string[];
  /** Constants of 32 bits that programs may use besides those of the given one; 1, 31 and 0xffffffff by default. */
  readonly constants?: readonly number[];
  /** The rows on which programs have to be equal. By default they have to be equal on all inputs. */
  readonly columns?: readonly Column[];
  /** How long to search; the default is 10 seconds. */
  readonly seconds?: number;
  /** The number of steps, regardless of time. Equal numbers give equal results on all machines. */
  readonly steps?: number;
  /** The seed, from 0 to 2^32 - 1. The default is 0. */
  readonly seed?: number;
  /** Whether programs with one operand are compared on all 2^32 inputs, which takes up to a minute. The default is true. */
  readonly exhaustive?: boolean;
  /** The number of random rows on which other programs are compared at the end; 2^20 by default. */
  readonly rows?: number;
  readonly workers?: WorkersOption;
  readonly signal?: AbortSignal;
  /** Called with the length of each shorter program that was found. */
  readonly progress?: (length: number) => void;
}

/** A program that was shrunk. */
export interface ShrinkResult {
  /** The code of the shortest program that was found. */
  readonly code: CodeBatch;
  /** The number of its instructions, and that of the given program. */
  readonly length: number;
  readonly before: number;
  readonly equality: Equality;
  /** No program of at most this length is equal with these instructions and constants, except by a coincidence of hashes. */
  readonly excluded: number;
  readonly steps: number;
}

/**
 * Looks for the shortest program that is equal to a given one: all short programs by increasing length, and a random walk over programs
 * that are equal to the given one. Whatever is returned was compared with the given program: `equality` says how. The event loop gets a
 * turn between steps, some of which take seconds.
 *
 * @param code a batch of one code, such as `parseStub` of `@mm-ptx/columns/stub` makes, on values of 32 bits and predicates
 * @throws SearchError (as a rejection) INVALID_ARGUMENT; UNSUPPORTED for values of other types
 */
export async function shrink(code: CodeBatch, options: ShrinkOptions = {}): Promise<ShrinkResult> {
  const taken = readOptions<ShrinkOptions>(options, {
    instructions: isAnything,
    constants: isAnything,
    columns: isAnything,
    seconds: isNumber(0, Number.MAX_SAFE_INTEGER),
    steps: isWhole(0, Number.MAX_SAFE_INTEGER),
    seed: isWhole(0, 2 ** 32 - 1),
    exhaustive: isBoolean,
    rows: isWhole(1, 2 ** 24),
    workers: isAnything,
    signal: isSignal,
    progress: isFunction,
  });
  taken.signal?.throwIfAborted();
  if (code?.offsets?.length !== 2) throw invalid("a batch of one code", code);
  const start = graphOf(code.words, code.offsets[0]);
  return new Shrinker(start, taken).run();
}
