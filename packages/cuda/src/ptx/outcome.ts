// From what a backend says to what a caller gets: a cubin with its info, or an error with everything that is known.

import { PtxCompileError } from "../error.js";
import type { BackendJob, BackendOutcome, Failure } from "./backend.js";
import { parseDiagnostics } from "./diagnostics.js";
import { refusedPtx, refusedText } from "./failure.js";
import { type CompileInfo, parseInfoLog, type Writable } from "./info.js";
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
      const { kernels, functions, globalBytes, constantBytes, warnings } = parseInfoLog(log, target);
      const { backend } = context;
      // Not by spreading, after which each object would be of another kind to the engine.
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
      return new Module(target.arch, cubin, info, source);
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

/**
 * Properties of the objects themselves, as clones have those and no others, whose values are made when they are first asked
 * for. All objects share the getters: with ones of its own each would be of a kind of its own to the engine, which costs
 * more than all else about a result.
 */
const lazily = (get: () => unknown): PropertyDescriptor => ({ get, enumerable: true, configurable: true });

/** By their cubins. */
const modules = new WeakMap<Uint8Array, CompiledModule>();

/** The kernels of a cubin that was compiled here, as their PTX declares them; none of any other. */
export const signaturesOf = (cubin: Uint8Array): readonly KernelSignature[] =>
  modules.get(cubin)?.kernels ?? [];

class Module implements CompiledModule {
  readonly arch: string;
  readonly cubin: Uint8Array;
  readonly info: CompileInfo;
  declare readonly kernels: readonly KernelSignature[];
  readonly #source: Source;
  #kernels: readonly KernelSignature[] | undefined;

  static readonly #KERNELS = lazily(function (this: Module) {
    this.#kernels ??= kernelsOf(this.#source);
    return this.#kernels;
  });

  constructor(arch: string, cubin: Uint8Array, info: CompileInfo, source: Source) {
    modules.set(cubin, this);
    this.arch = arch;
    this.cubin = cubin;
    this.info = info;
    this.#source = source;
    Object.defineProperty(this, "kernels", Module.#KERNELS);
  }
}

class Result implements CompileResult {
  readonly arch: string;
  readonly cubin: Uint8Array;
  readonly info: CompileInfo;
  declare readonly kernels: readonly KernelSignature[];
  readonly modules: readonly CompiledModule[];

  static readonly #KERNELS = lazily(function (this: Result) {
    return this.modules[0]!.kernels;
  });

  constructor(modules: readonly CompiledModule[]) {
    const { arch, cubin, info } = modules[0]!;
    this.arch = arch;
    this.cubin = cubin;
    this.info = info;
    this.modules = modules;
    Object.defineProperty(this, "kernels", Result.#KERNELS);
  }
}

/** The result of a job with these modules. */
export function compileResult(modules: readonly CompiledModule[]): CompileResult {
  return new Result(modules);
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
