// From what a backend says to what a caller gets: a cubin with its info, or an error with everything that is known.

import { describeValue } from "@mm-ptx/types/core";
import { PtxCompileError, withFrame } from "../error.js";
import type { BackendOutcome, Failure } from "./backend.js";
import { codeOf, parseDiagnostics } from "./diagnostics.js";
import { type CompileInfo, parseInfoLog } from "./info.js";
import type { BackendName, ResolvedOptions } from "./options.js";
import { refusalMessage } from "./refuse.js";

/** A compiled module. */
export interface CompileResult {
  /** The machine code: an ELF file for the driver. Not a copy: the bytes are freed with the array. */
  readonly cubin: Uint8Array;
  readonly info: CompileInfo;
}

/** What outcomes are read with. */
export interface OutcomeContext {
  readonly ptx: string | Uint8Array;
  readonly options: ResolvedOptions;
  readonly backend: BackendName;
  readonly timeoutMs: number;
}

export function readOutcome(
  outcome: BackendOutcome,
  context: OutcomeContext,
): CompileResult | PtxCompileError {
  const { options } = context;
  switch (outcome.kind) {
    case "compiled": {
      const { cubin, log, milliseconds } = outcome;
      const { kernels, warnings } = parseInfoLog(log);
      return { cubin, info: { kernels, warnings, log, milliseconds, backend: context.backend } };
    }
    case "refused": {
      const text = textOf(context.ptx);
      // Offsets of the addon count bytes of UTF-8: everything before the first that is not ASCII is one unit each.
      return new PtxCompileError("REFUSED_INPUT", refusalMessage(text, outcome), { options });
    }
    case "timeout": {
      const message = `expected a compile within ${context.timeoutMs} ms, stopped after ${Math.round(outcome.milliseconds)} ms`;
      return new PtxCompileError("TIMEOUT", message, { options });
    }
    default:
      return failure(outcome.failure, outcome.log, context);
  }
}

/**
 * The PTX of a job.
 *
 * @throws PtxCompileError `REFUSED_INPUT` when there is none
 */
export function ptxOf(job: unknown): string | Uint8Array {
  const ptx = isJobObject(job) ? job.ptx : job;
  if (typeof ptx === "string" || ptx instanceof Uint8Array) return ptx;
  throw new PtxCompileError(
    "REFUSED_INPUT",
    `expected PTX as a string, a Uint8Array or { ptx }, found ${isJobObject(job) ? `{ ptx: ${describeValue(ptx)} }` : describeValue(job)}`,
  );
}

function isJobObject(job: unknown): job is { readonly ptx: unknown } {
  return typeof job === "object" && job !== null && !(job instanceof Uint8Array) && "ptx" in job;
}

function failure(failed: Failure, log: string, context: OutcomeContext): PtxCompileError {
  const diagnostics = parseDiagnostics(log);
  const details = { diagnostics, log, options: context.options };
  switch (failed.is) {
    case "memory":
      return new PtxCompileError("MEMORY", "the compiler ran out of memory", details);
    case "crashed":
      return new PtxCompileError("CRASHED", failed.how, details);
    case "internal":
      return new PtxCompileError(
        "INTERNAL",
        `the compiler failed without saying why: ${failed.how}`,
        details,
      );
    default: {
      const code = failed.is === "unsupported-version" ? "UNSUPPORTED_VERSION" : codeOf(diagnostics);
      return new PtxCompileError(code, failureMessage(context, details), details);
    }
  }
}

function failureMessage(
  context: OutcomeContext,
  { diagnostics }: Pick<PtxCompileError, "diagnostics">,
): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error" || severity === "fatal");
  const first = errors[0];
  const target = `PTX does not compile for \`${context.options.arch}\``;
  if (first === undefined) return `${target}, and the compiler's log names no error`;
  const place = first.line === undefined ? "" : `line ${first.line}: `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return withFrame(`${target}: ${place}${first.message}${more}`, textOf(context.ptx), first.line);
}

function textOf(ptx: string | Uint8Array): string {
  return typeof ptx === "string" ? ptx : new TextDecoder("latin1").decode(ptx);
}
