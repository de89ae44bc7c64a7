// Checks of what callers pass besides the program: options, jobs and buffers.
import { CODE_FEATURES, CodeBuffer, codeType } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import {
  type Checks,
  didYouMean,
  isBoolean,
  isLimits,
  isListOf,
  isOneOf,
  isWhole,
} from "@mm-ptx/types/internal";
import type { TraceOptions } from "./analysis/trace.js";
import { checkOptionValues, checkTable, invalid } from "./arguments.js";
import { StackPtxError } from "./error.js";
import type { StackCompileJob, StackCompilerOptions } from "./job.js";
import { DEFAULT_EXECUTION_LIMIT, LIMIT_CHECKS } from "./limits.js";
import { checkProgram } from "./program.js";

const JOB_NAMES = ["registers", "requests", "executionLimit"];
const DEFAULT_LONGEST_TEXT = 120;
const MOST_TEXT = 2 ** 20;
const HASH_WORDS = 4;

const OPTIONS: Checks = {
  routines: isListOf("programs", () => true),
  limits: isLimits(LIMIT_CHECKS),
  requestCopies: isOneOf(["parallel", "sequential"]),
  webAssembly: isBoolean,
};
const TRACE_OPTIONS: Checks = { longestText: isWhole(1, MOST_TEXT) };

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkOptions(table: StackTable, options: StackCompilerOptions): void {
  checkTable(table);
  checkOptionValues(options, OPTIONS);
  for (const routine of options.routines ?? []) checkProgram(routine, "a routine as a StackProgram");
}

/**
 * The properties of a job, each read once.
 * @param fallback the execution limit of a job that has none
 * @throws StackPtxError INVALID_ARGUMENT
 */
export function partsOf(job: StackCompileJob, fallback = DEFAULT_EXECUTION_LIMIT): Required<StackCompileJob> {
  if (typeof job !== "object" || job === null) throw invalid("a job with `registers` and `requests`", job);
  // Every compile runs this: comparing is cheaper than building a list of the names.
  for (const name in job) {
    if (name !== "registers" && name !== "requests" && name !== "executionLimit") {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `unknown property \`${name}\` of a job${didYouMean(name, JOB_NAMES)}`,
      );
    }
  }
  const { registers, requests, executionLimit = fallback } = job;
  if (typeof executionLimit !== "number" || !(executionLimit >= 0)) {
    throw invalid("a number of at least 0 as `executionLimit`", executionLimit);
  }
  return { registers, requests, executionLimit };
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkBytes(bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) throw invalid("a Uint8Array to write to", bytes);
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkHash(hash: Uint32Array): void {
  if (!(hash instanceof Uint32Array) || hash.length < HASH_WORDS) {
    throw invalid(`a Uint32Array of at least ${HASH_WORDS} words to write to`, hash);
  }
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkFeatures(features: Float32Array): void {
  if (!(features instanceof Float32Array) || features.length < CODE_FEATURES.length) {
    throw invalid(`a Float32Array of at least ${CODE_FEATURES.length} numbers to write to`, features);
  }
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkCodeBuffer(out: CodeBuffer): void {
  if (!(out instanceof CodeBuffer)) throw invalid("a CodeBuffer to append to", out);
}

/** The index of a type in `CODE_TYPES`. @throws StackPtxError INVALID_ARGUMENT */
export function checkCodeType(name: string): number {
  const type = typeof name === "string" ? codeType(name) : 0;
  if (type === 0) throw invalid("the name of a type of straight-line code", name);
  return type;
}

/** The maximum length of the texts of a trace's values. @throws StackPtxError INVALID_ARGUMENT */
export function longestTextOf(options: TraceOptions): number {
  checkOptionValues(options, TRACE_OPTIONS);
  return options.longestText ?? DEFAULT_LONGEST_TEXT;
}
