// From what a backend says to what a caller gets: a cubin with its info, or an error with everything that is known.

import { PtxCompileError } from "../error.js";
import type { BackendJob, BackendOutcome, Failure } from "./backend.js";
import { parseDiagnostics } from "./diagnostics.js";
import { refusedPtx, refusedText } from "./failure.js";
import { type CompileInfo, parseInfoLog } from "./info.js";
import { renderSource, type Source } from "./job.js";
import { type KernelSignature, kernelsOf } from "./kernels.js";
import type { BackendName } from "./options.js";

/** Machine code for one architecture. */
export interface CompiledModule {
  readonly arch: string;
  /** The machine code: an ELF file for the driver. Not a copy: the bytes are freed with the array. */
  readonly cubin: Uint8Array;
  readonly info: CompileInfo;
  /** The kernels with their parameters, in source order; read from the PTX when first asked for. */
  readonly kernels: readonly KernelSignature[];
}

/** A compiled job: the module, and for a job with several architectures those of all. */
export interface CompileResult extends CompiledModule {
  /** In the order of the job's architectures; the first one is the result itself. */
  readonly modules: readonly CompiledModule[];
}

/** What outcomes are read with. */
export interface OutcomeContext {
  readonly job: BackendJob;
  readonly backend: BackendName;
}

export function readOutcome(
  outcome: BackendOutcome,
  context: OutcomeContext,
): CompiledModule | PtxCompileError {
  const { source, target, timeoutMs } = context.job;
  const options = target;
  switch (outcome.kind) {
    case "compiled": {
      const { cubin, log, milliseconds, from } = outcome;
      const info = {
        ...parseInfoLog(log, target),
        log,
        milliseconds,
        from,
        backend: context.backend,
      };
      return compiledModule(target.arch, cubin, info, source);
    }
    case "refused":
      return refusedText(outcome, context.job);
    case "timeout": {
      const message = `expected a compile within ${timeoutMs} ms, stopped after ${Math.round(outcome.milliseconds)} ms`;
      return new PtxCompileError("TIMEOUT", message, { options });
    }
    default:
      return failure(outcome.failure, outcome.log, context);
  }
}

function compiledModule(arch: string, cubin: Uint8Array, info: CompileInfo, source: Source): CompiledModule {
  // Most callers never ask for the parameters. A property of the object itself is there in clones, too.
  let kernels: readonly KernelSignature[] | undefined;
  return {
    arch,
    cubin,
    info,
    get kernels() {
      kernels ??= kernelsOf(source);
      return kernels;
    },
  };
}

/** The result of a job with these modules. */
export function compileResult(modules: readonly CompiledModule[]): CompileResult {
  const first = modules[0]!;
  const { arch, cubin, info } = first;
  return {
    arch,
    cubin,
    info,
    get kernels() {
      return first.kernels;
    },
    modules,
  };
}

function failure(failed: Failure, log: string, { job }: OutcomeContext): PtxCompileError {
  const ofLog = () => ({ diagnostics: parseDiagnostics(log), log, options: job.target });
  switch (failed.is) {
    case "memory":
      return new PtxCompileError("MEMORY", failed.how, ofLog());
    case "crashed":
      return new PtxCompileError("CRASHED", failed.how, { ...ofLog(), ptx: renderSource(job.source) });
    case "internal":
      return new PtxCompileError(
        "INTERNAL",
        `the compiler failed without saying why: ${failed.how}`,
        ofLog(),
      );
    case "unsupported-version":
      return refusedPtx(log, job, "UNSUPPORTED_VERSION");
    default:
      return refusedPtx(log, job);
  }
}
