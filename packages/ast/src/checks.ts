// Checks of what callers pass besides the program: options, jobs and buffers.
import { CODE_FEATURES } from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import {
  type Checks,
  describeValue,
  didYouMean,
  isBoolean,
  isLimits,
  isListOf,
  optionProblem,
} from "@mm-ptx/types/internal";
import { AstPtxError } from "./error.js";
import type { AstCompileJob, AstCompilerOptions } from "./job.js";
import { Packed } from "./layout.js";
import { LIMIT_CHECKS } from "./limits.js";
import type { AstProgram } from "./program.js";

const JOB_NAMES = ["inputs", "output"];
const OPTIONS: Checks = {
  routines: isListOf("programs", () => true),
  limits: isLimits(LIMIT_CHECKS),
  webAssembly: isBoolean,
};

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkTable(table: AstTable): void {
  if (table?.kind !== "ast" || !Array.isArray(table.instructions)) throw invalid("an AST PTX table", table);
}

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkCompilerOptions(options: AstCompilerOptions): void {
  checkOptions(options, OPTIONS);
  for (const routine of options.routines ?? []) checkProgram(routine, "a routine as an AstProgram");
}

/** @throws AstPtxError INVALID_ARGUMENT when options are not an object, or one is unknown or has an unexpected value */
export function checkOptions(options: object, checks: Checks): void {
  const problem = optionProblem(options, checks);
  if (problem !== undefined) throw new AstPtxError("INVALID_ARGUMENT", problem);
}

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkJob(program: AstProgram, job: AstCompileJob): void {
  checkProgram(program, "an AstProgram");
  if (typeof job !== "object" || job === null) throw invalid("a job with `inputs` and `output`", job);
  // Every compile runs this: comparing is cheaper than building a list of the names.
  for (const name in job) {
    if (name !== "inputs" && name !== "output") {
      throw new AstPtxError(
        "INVALID_ARGUMENT",
        `unknown property \`${name}\` of a job${didYouMean(name, JOB_NAMES)}`,
      );
    }
  }
}

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkProgram(program: AstProgram, expected: string): void {
  const words: unknown = program?.words;
  if (!(words instanceof Uint32Array)) throw invalid(expected, program);
  if (words.length === 0) checkAttached(words);
  if (words.length % Packed.wordsPerInstruction !== 0) {
    throw invalidText(
      "two words per instruction",
      `${words.length} words: the last instruction is truncated`,
    );
  }
}

/** Rejects a view whose memory was transferred to another thread. @throws AstPtxError INVALID_ARGUMENT */
export function checkAttached({ buffer }: Uint32Array | Uint8Array): void {
  try {
    new Uint8Array(buffer);
  } catch {
    throw invalidText("a program in memory of this thread", "one whose buffer was transferred");
  }
}

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkBytes(bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) throw invalid("a Uint8Array to write to", bytes);
}

/** @throws AstPtxError INVALID_ARGUMENT */
export function checkFeatures(features: Float32Array): void {
  if (features instanceof Float32Array && features.length >= CODE_FEATURES.length) return;
  throw invalid(`a Float32Array of at least ${CODE_FEATURES.length} numbers to write to`, features);
}

/** The error for an unexpected value. */
export function invalid(expected: string, found: unknown): AstPtxError {
  return invalidText(expected, describeValue(found));
}

/** Like `invalid`, for a value that has already been described. */
export function invalidText(expected: string, found: string): AstPtxError {
  return new AstPtxError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
}
