// Converts the outcome of a backend to the caller's result: a cubin with its info, or a complete error.

import type { FilledKernel, KernelSignature } from "@mm-ptx/types/core";
import { PtxCompileError } from "../error.js";
import type { BackendJob, BackendOutcome, Failure } from "./backend.js";
import { parseDiagnostics } from "./diagnostics.js";
import { refusedPtx, refusedText } from "./failure.js";
import { type CompileInfo, parseInfoLog, type Writable } from "./info.js";
import { kernelsOf } from "./kernels.js";
import type { BackendName } from "./options.js";
import { plainSource, renderSource } from "./source.js";

/** Machine code for one architecture: plain data, which can be structured-cloned. */
export interface CompiledModule {
  readonly arch: string;
  /** The machine code: an ELF file for the driver. It is not a copy: the bytes are freed with the array. */
  readonly cubin: Uint8Array;
  /** The kernels with their parameters as the PTX declares them, in source order. */
  readonly kernels: readonly KernelSignature[];
  /** The compiler's information about the kernels, and the origin of the cubin. */
  readonly info: CompileInfo;
  /** The compiled PTX: text, a copy of its bytes, or the filled kernel. The emulator loads it. */
  readonly source: string | Uint8Array | FilledKernel;
}

/** A compiled job: the first module, and the modules for all architectures. */
export interface CompileResult extends CompiledModule {
  /** In the order of the job's architectures; the first one equals the result itself. */
  readonly modules: readonly CompiledModule[];
}

/** The time that the addon grants for the start of a process in any case: `kShortestStart`. */
const SHORTEST_START_MS = 1000;

/** The context for reading outcomes. */
export interface OutcomeContext {
  readonly job: BackendJob;
  readonly backend: BackendName;
}

export function readOutcome(
  outcome: BackendOutcome,
  context: OutcomeContext,
): CompiledModule | PtxCompileError {
  if (outcome.kind === "compiled") return compiledModule(outcome, context);
  const error = errorOf(outcome, context);
  return outcome.farm === undefined ? error : Object.assign(error, { farm: outcome.farm });
}

function compiledModule(
  { cubin, log, milliseconds, from, farm }: Extract<BackendOutcome, { kind: "compiled" }>,
  { job: { source, target }, backend }: OutcomeContext,
): CompiledModule {
  const { kernels, functions, globalBytes, constantBytes, warnings } = parseInfoLog(log, target);
  // Without spreading, so that all objects have the same hidden class.
  const info: Writable<CompileInfo> = {
    kernels,
    functions,
    globalBytes,
    warnings,
    log,
    milliseconds,
    from,
    backend,
  };
  if (constantBytes !== undefined) info.constantBytes = constantBytes;
  if (farm !== undefined) info.farm = farm;
  return { arch: target.arch, cubin, kernels: kernelsOf(source), info, source: plainSource(source) };
}

function errorOf(
  outcome: Exclude<BackendOutcome, { kind: "compiled" }>,
  context: OutcomeContext,
): PtxCompileError {
  const { target: options } = context.job;
  switch (outcome.kind) {
    case "refused":
      return refusedText(outcome, context.job);
    case "timeout": {
      const { starting, milliseconds, farm, limitMs = context.job.timeoutMs } = outcome;
      const whose = outcome.limitMs === undefined ? "" : `, the limit of the worker ${farm?.worker}`;
      const message = starting
        ? `expected the compiler's process to start within ${Math.max(limitMs, SHORTEST_START_MS)} ms${whose}, found none that had started`
        : `expected the compile to finish within ${limitMs} ms${whose}, stopped it after ${Math.round(milliseconds)} ms`;
      return new PtxCompileError("TIMEOUT", message, { options });
    }
    default:
      return failure(outcome.failure, outcome.log, context);
  }
}

/** The result of a job with these modules. */
export function compileResult(modules: readonly CompiledModule[]): CompileResult {
  const { arch, cubin, kernels, info, source } = modules[0]!;
  return { arch, cubin, kernels, info, source, modules };
}

function failure(failed: Failure, log: string, { job }: OutcomeContext): PtxCompileError {
  const ofLog = () => ({ diagnostics: parseDiagnostics(log), log, options: job.target });
  switch (failed.is) {
    case "memory":
      return new PtxCompileError("OUT_OF_MEMORY", failed.how, ofLog());
    case "crashed":
      return new PtxCompileError("CRASHED", failed.how, {
        ...ofLog(),
        ptx: renderSource(job.source),
        confined: failed.confined,
      });
    case "unmade":
      return failed.error;
    case "unavailable":
      return new PtxCompileError("UNAVAILABLE", failed.how, {
        ...ofLog(),
        what: "farm",
        cause: failed.cause,
      });
    case "internal":
      return new PtxCompileError("INTERNAL", `the compiler failed without a reason: ${failed.how}`, ofLog());
    case "unsupported-version":
      return refusedPtx(log, job, "UNSUPPORTED_VERSION");
    default:
      return refusedPtx(log, job);
  }
}
