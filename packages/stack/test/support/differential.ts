// Runs random compiles through the package's compiler and the plain reference, and reports differences.
import type { StackCompiler, StackProgram } from "../../src/index.js";
import { Random } from "./random.js";
import {
  DEFAULT_LIMITS,
  effectiveLimits,
  type Job,
  randomJob,
  randomSetup,
  type Setup,
} from "./random-case.js";
import { type Outcome, type ReferenceCase, referenceCompile } from "./reference.js";

/** The tested part of the package, of which two copies may be loaded. */
export interface Subject {
  readonly StackCompiler: typeof StackCompiler;
  readonly StackProgram: typeof StackProgram;
}

/** Compilers of one setup, each used for many compiles. */
export interface Compilers {
  readonly setup: Setup;
  readonly parallel: StackCompiler;
  readonly sequential: StackCompiler;
  previous: Job | undefined;
}

export interface Tally {
  texts: number;
  readonly codes: Map<string, number>;
}

const KEPT = 6;
const MARK = 0xa5;
const buffer = new Uint8Array(1 << 26);
const decoder = new TextDecoder();

/**
 * Compiles `count` random programs. Several compilers take turns, and each compiles many programs, so that what one
 * compile leaves behind shows in another.
 * @throws Error with the seed and the case when the compiler gives anything but what the reference gives
 */
export function runDifferential(subject: Subject, seed: number, count: number): Tally {
  const random = new Random(seed);
  const kept: Compilers[] = [];
  const tally: Tally = { texts: 0, codes: new Map() };
  for (let index = 0; index < count; index++) {
    if (kept.length < KEPT || random.once(25)) {
      kept[random.below(KEPT)] = makeCompilers(subject, randomSetup(random));
    }
    const compilers = random.pick(kept.filter((each) => each !== undefined));
    const job = randomJob(random, compilers.setup, compilers.previous);
    compilers.previous = job;
    for (const requestCopies of ["parallel", "sequential"] as const) {
      const { expected, difference } = compare(subject, compilers, job, requestCopies, random);
      if (difference !== undefined) {
        throw new Error(`seed ${seed}, case ${index} (repeat with MM_PTX_SEED=${seed}), ${difference}`);
      }
      if ("text" in expected) tally.texts++;
      else tally.codes.set(expected.code, (tally.codes.get(expected.code) ?? 0) + 1);
    }
  }
  return tally;
}

/** The expected result of one job, and how the package's compiler differs from it. */
export function compare(
  subject: Subject,
  compilers: Compilers,
  job: Job,
  requestCopies: ReferenceCase["requestCopies"],
  random: Random,
): { readonly expected: Outcome; readonly difference: string | undefined } {
  const expected = referenceCompile(asCase(compilers.setup, job, requestCopies));
  const found = compileBoth(subject, compilers[requestCopies], job, random);
  const equal = "text" in expected && "text" in found && expected.text === found.text;
  if (equal || ("code" in expected && "code" in found && expected.code === found.code)) {
    return { expected, difference: undefined };
  }
  return { expected, difference: report(requestCopies, compilers.setup, job, expected, found) };
}

export function makeCompilers({ StackCompiler, StackProgram }: Subject, setup: Setup): Compilers {
  const routines = setup.routines.map((words) => StackProgram.fromWords(Uint32Array.from(words)));
  const make = (requestCopies: ReferenceCase["requestCopies"]) =>
    new StackCompiler(setup.table, {
      routines,
      requestCopies,
      ...(setup.limits === undefined ? {} : { limits: setup.limits }),
    });
  return { setup, parallel: make("parallel"), sequential: make("sequential"), previous: undefined };
}

function asCase(setup: Setup, job: Job, requestCopies: ReferenceCase["requestCopies"]): ReferenceCase {
  const { table, routines } = setup;
  const { program, registers, requests, executionLimit = 2 ** 24 } = job;
  return {
    table,
    routines,
    limits: effectiveLimits(setup),
    program,
    registers,
    requests,
    executionLimit,
    requestCopies,
  };
}

/** The result of `compile` and `compileInto` if they agree. */
function compileBoth(
  { StackProgram }: Subject,
  compiler: StackCompiler,
  job: Job,
  random: Random,
): Outcome | { readonly fault: string } {
  const program = StackProgram.fromWords(Uint32Array.from(job.program));
  const { registers, requests, executionLimit } = job;
  const input = { registers, requests, ...(executionLimit === undefined ? {} : { executionLimit }) };
  const asText = () => attempt(() => compiler.compile(program, input));
  const asBytes = () =>
    attempt(() => {
      const length = compiler.compileInto(program, input, buffer.fill(MARK, 0, 4096));
      if (length + 8 < 4096 && buffer[length] !== MARK) throw new Error("wrote after the end");
      return decoder.decode(buffer.subarray(0, length));
    });
  const [first, second] = random.once(2) ? [asText(), asBytes()] : [asBytes(), asText()];
  const [a, b] = [JSON.stringify(first), JSON.stringify(second)];
  if (a === b) return first;
  return { fault: `compile and compileInto differ: ${a.slice(0, 1000)} and ${b.slice(0, 1000)}` };
}

function attempt(compile: () => string): Outcome | { readonly fault: string } {
  try {
    return { text: compile() };
  } catch (error) {
    if (error instanceof Error && error.name === "StackPtxError" && "code" in error) {
      return { code: String(error.code) };
    }
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function report(requestCopies: string, setup: Setup, job: Job, expected: Outcome, found: object): string {
  const limits = setup.limits ?? DEFAULT_LIMITS;
  return [
    `request copies ${requestCopies}`,
    `expected ${JSON.stringify(expected).slice(0, 2000)}`,
    `found    ${JSON.stringify(found).slice(0, 2000)}`,
    `limits   ${JSON.stringify(limits)}`,
    `job      ${JSON.stringify(job).slice(0, 4000)}`,
    `routines ${JSON.stringify(setup.routines).slice(0, 4000)}`,
    `table    ${JSON.stringify(setup.table).slice(0, 8000)}`,
  ].join("\n");
}
