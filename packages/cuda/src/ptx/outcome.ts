// From what a backend says to what a caller gets: a cubin with its info, or an error with everything that is known.

import { describeLine, locateLine, sourceMap } from "@mm-ptx/types/core";
import { type Diagnostic, PtxCompileError, withFrame } from "../error.js";
import type { BackendJob, BackendOutcome, Failure } from "./backend.js";
import { codeOf, parseDiagnostics } from "./diagnostics.js";
import { type CompileInfo, parseInfoLog } from "./info.js";
import { renderSource, type Source, sourceText } from "./job.js";
import { type KernelSignature, kernelsOf } from "./kernels.js";
import type { BackendName } from "./options.js";
import { refusalMessage } from "./refuse.js";

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
        ...parseInfoLog(log, target.maxRegisters),
        log,
        milliseconds,
        from,
        backend: context.backend,
      };
      return compiledModule(target.arch, cubin, info, source);
    }
    case "refused": {
      const text = sourceText(source);
      // Offsets of the addon count bytes of UTF-8: everything before the first that is not ASCII is one unit each.
      return new PtxCompileError("REFUSED_INPUT", refusalMessage(text, outcome), { options });
    }
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
  const diagnostics = located(parseDiagnostics(log), job.source);
  const details = { diagnostics, log, options: job.target };
  switch (failed.is) {
    case "memory":
      return new PtxCompileError("MEMORY", failed.how, details);
    case "crashed":
      return new PtxCompileError("CRASHED", failed.how, { ...details, ptx: renderSource(job.source) });
    case "internal":
      return new PtxCompileError(
        "INTERNAL",
        `the compiler failed without saying why: ${failed.how}`,
        details,
      );
    default: {
      const code = failed.is === "unsupported-version" ? "UNSUPPORTED_VERSION" : codeOf(diagnostics);
      return new PtxCompileError(code, failureMessage(job, diagnostics), details);
    }
  }
}

/** Of a rendered template every line is traced to the kernel's text or to a stub. */
function located(diagnostics: readonly Diagnostic[], source: Source): readonly Diagnostic[] {
  if (typeof source === "string" || source instanceof Uint8Array) return diagnostics;
  const map = sourceMap(source.template, source.stubs);
  return diagnostics.map((diagnostic) => {
    const origin = diagnostic.line === undefined ? undefined : locateLine(map, diagnostic.line);
    return origin === undefined ? diagnostic : { ...diagnostic, origin };
  });
}

function failureMessage({ source, target }: BackendJob, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error" || severity === "fatal");
  const first = errors[0];
  const head = `PTX does not compile for \`${target.arch}\``;
  if (first === undefined) return `${head}, and the compiler's log names no error`;
  const { line, origin } = first;
  const place = line === undefined ? "" : `line ${line}: `;
  const traced = origin === undefined ? "" : `${describeLine(origin)}: `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return withFrame(`${head}: ${traced || place}${first.message}${more}`, sourceText(source), line);
}
