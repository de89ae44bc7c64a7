// Checks on every f32, or on some of them, that the output of a code is close enough to that of a reference.
import type { CodeBatch } from "@mm-ptx/types/code";
import {
  type Check,
  isBoolean,
  isFunction,
  isNumber,
  isSignal,
  isWhole,
  TURN,
  turn,
} from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { readOptions } from "../evaluate/options.js";
import { borrowMachine } from "../machine/loans.js";
import { isWorkers, type WorkersOption, workersOf } from "../workers/option.js";
import { Checker, joinTallies, type Reference, type Tally } from "./checker.js";
import { BLOCK, type Limit } from "./comparison.js";
import { absoluteError, ulpError } from "./errors.js";
import { readUnary, type UnaryCode } from "./shape.js";
import { blocksOf, runShare } from "./share.js";

/** Options of `checkAll`. Either `ulp` or `absolute` is required. */
export interface CheckAllOptions {
  /**
   * The greatest difference allowed, in units in the last place. A unit is the distance between neighboring f32 at the
   * expected value: 2^(e - 23) from 2^e up to 2^(e + 1), and 2^-149 below 2^-126. Differences may be fractions of a
   * unit: the f32 nearest to an expected f64 is at most 0.5 away.
   */
  readonly ulp?: number;
  /** The greatest absolute difference allowed. */
  readonly absolute?: number;
  /** The bits of the first input. The default is 0. */
  readonly first?: number;
  /** The number of inputs, whose bits are consecutive. The default is all from `first` on, up to 0xffffffff. */
  readonly count?: number;
  /**
   * Called every few milliseconds with the part of the inputs that has been checked, from 0 to 1. If it throws, the check ends with its
   * error.
   */
  readonly progress?: (part: number) => void;
  /**
   * How many threads compute; 1 by default, which is the calling thread. A reference function is only called in that
   * thread.
   */
  readonly workers?: WorkersOption;
  /** Stops the check: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
}

/** The result of a check. */
export interface CheckAllResult {
  /** The number of inputs. */
  readonly inputs: number;
  /** How many of the outputs are farther from the reference than the limit. */
  readonly mismatches: number;
  /**
   * The input with the largest error, measured in the unit of the limit; the first one if there are several, and
   * `undefined` if there is no error.
   */
  readonly worst: CheckedInput | undefined;
}

/** An input that was checked. */
export interface CheckedInput {
  readonly bits: number;
  readonly input: number;
  readonly output: number;
  readonly expected: number;
  /** The error in units in the last place: see `CheckAllOptions.ulp`. */
  readonly ulp: number;
  readonly absolute: number;
}

const INPUTS = 2 ** 32;

const OPTIONS: Readonly<Record<keyof CheckAllOptions, Check>> = {
  ulp: isNumber(0, Number.MAX_VALUE),
  absolute: isNumber(0, Number.MAX_VALUE),
  first: isWhole(0, INPUTS - 1),
  count: isWhole(1, INPUTS),
  progress: isFunction,
  workers: isWorkers,
  signal: isSignal,
  webAssembly: isBoolean,
};

/**
 * Compares the output of a code with one f32 input with that of a reference, for every input: numbers of both signs, subnormals,
 * infinities and NaNs, 2^32 in all.
 *
 * Two NaNs are equal, whatever their bits, and so are zeros of both signs. An infinite output is right if the expected value rounds to
 * it. If only one of output and expected value is a NaN or infinite, the error is infinite.
 *
 * @param code a batch of one code with one f32 input and one f32 output
 * @param reference another such code, whose input and output may also be f64 (an f64 input is the same number); or a
 * function of the input, which takes several times as long
 * @throws ColumnsError (as a rejection) INVALID_ARGUMENT, BAD_CODE, UNSUPPORTED_INSTRUCTION, INSUFFICIENT_BUFFER;
 * WORKER_LOST; REFERENCE_FAILED when a function throws or does not return a number, with the input in the message
 */
export async function checkAll(
  code: CodeBatch,
  reference: CodeBatch | ((input: number) => number),
  options: CheckAllOptions,
): Promise<CheckAllResult> {
  const taken = readOptions<CheckAllOptions>(options, OPTIONS);
  const { signal, progress, webAssembly = true, first = 0, count = INPUTS - first } = taken;
  const limit = readLimit(taken);
  if (first + count > INPUTS) {
    throw new ColumnsError(
      "INVALID_ARGUMENT",
      `option \`count\`: expected at most ${INPUTS - first} inputs from ${first} on, found ${count}`,
    );
  }
  signal?.throwIfAborted();
  const checked = readUnary(code, "a code", ["f32"]);
  const expecting: Reference =
    typeof reference === "function" ? reference : readUnary(reference, "a reference", ["f32", "f64"]);
  const workers = typeof expecting === "function" ? undefined : workersOf(taken.workers);
  if (typeof expecting === "function" || workers === undefined) {
    const tally = await checkHere(checked, expecting, limit, taken, first, count);
    return resultOf(tally, count);
  }
  const shared = { code: checked, reference: expecting, limit, first, count, webAssembly };
  const report = (blocks: number): void => progress?.(blocks / blocksOf(count));
  const tallies = await workers.run("check", shared, runShare, { signal, progress: report });
  progress?.(1);
  return resultOf(joinTallies(tallies), count);
}

/** Checks inputs in this thread. */
async function checkHere(
  code: UnaryCode,
  reference: Reference,
  limit: Limit,
  { signal, progress, webAssembly = true }: CheckAllOptions,
  first: number,
  count: number,
): Promise<Tally> {
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    const checker = new Checker(code, reference, limit, machine);
    await machine.load();
    let until = performance.now() + TURN;
    for (let at = 0; at < count; at += BLOCK) {
      checker.check(first + at, Math.min(BLOCK, count - at));
      if (performance.now() < until) continue;
      progress?.(Math.min(1, (at + BLOCK) / count));
      await turn();
      signal?.throwIfAborted();
      until = performance.now() + TURN;
    }
    progress?.(1);
    return checker.tally;
  } finally {
    giveBack();
  }
}

/** @throws ColumnsError INVALID_ARGUMENT */
function readLimit({ ulp, absolute }: CheckAllOptions): Limit {
  if ((ulp === undefined) === (absolute === undefined)) {
    const found = ulp === undefined ? "none" : "both";
    throw new ColumnsError("INVALID_ARGUMENT", `expected one of \`ulp\` and \`absolute\`, found ${found}`);
  }
  return ulp === undefined ? { inUlp: false, most: absolute! } : { inUlp: true, most: ulp };
}

function resultOf({ mismatches, worst }: Tally, inputs: number): CheckAllResult {
  if (worst === undefined) return { inputs, mismatches, worst };
  const { bits, output, expected } = worst;
  const [input = 0] = new Float32Array(Uint32Array.of(bits).buffer);
  const errors = { ulp: ulpError(output, expected), absolute: absoluteError(output, expected) };
  return { inputs, mismatches, worst: { bits, input, output, expected, ...errors } };
}
