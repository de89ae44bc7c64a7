// The caller's iterable of programs, whose steps are checked.
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";

/** Programs, or blocks of all combinations of several lists of programs. */
export type ProgramSource = Iterable<unknown> | AsyncIterable<unknown>;

export type Step = IteratorResult<unknown>;

export class Producer {
  readonly #iterator: { next(): Step | PromiseLike<Step>; return?(): unknown };

  constructor(programs: ProgramSource) {
    const { [Symbol.asyncIterator]: async, [Symbol.iterator]: sync } = programs as AsyncIterable<unknown> &
      Iterable<unknown>;
    this.#iterator = typeof async === "function" ? async.call(programs) : sync.call(programs);
  }

  /** The next step, or a promise of it. @throws PipelineError PRODUCER_FAILED, INVALID_ARGUMENT for what is no step */
  next(): Step | Promise<Step> {
    try {
      const step = this.#iterator.next();
      // As in a `for await` loop, anything with a method `then` is a promise.
      return isThenable(step) ? Promise.resolve(step).then(checked, failed) : checked(step);
    } catch (error) {
      return failed(error);
    }
  }

  /** Says that no more programs are wanted. */
  async close(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // Nobody waits for its programs any more.
    }
  }
}

const isThenable = (step: Step | PromiseLike<Step>): step is PromiseLike<Step> =>
  typeof (step as Partial<PromiseLike<Step>> | null)?.then === "function";

/** A step whose properties are read once. */
function checked(step: Step): Step {
  if (typeof step === "object" && step !== null) {
    const { done, value } = step;
    return done === true ? { done, value } : { done: false, value };
  }
  throw new PipelineError(
    "INVALID_ARGUMENT",
    `expected the iterator of the programs to return steps, found ${describeValue(step)}`,
  );
}

function failed(cause: unknown): never {
  if (cause instanceof PipelineError) throw cause;
  const message = `expected programs, but their iterable threw: ${describeError(cause)}`;
  throw new PipelineError("PRODUCER_FAILED", message, { cause });
}
