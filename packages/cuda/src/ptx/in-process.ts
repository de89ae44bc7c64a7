// The compiler library on threads of this process.

import { bindingOf } from "../native/binding.js";
import type { LoadedNative, NativeResult } from "../native/load.js";
import type { Backend, BackendOutcome, Failure, RefusalReason } from "./backend.js";
import type { Effort, ResolvedOptions } from "./options.js";

const EFFORT_NUMBER: Readonly<Record<Effort, number>> = { final: 0, balanced: 1, draft: 2 };
const REFUSALS: readonly (RefusalReason | undefined)[] = [
  undefined,
  "empty",
  "nul",
  "non-ascii",
  "long-token",
];

/** By number, as in nvPTXCompiler.h; `status` numbers are those of `mmptxc.h`. */
const NATIVE_RESULTS: readonly string[] = [
  "NVPTXCOMPILE_SUCCESS",
  "NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE",
  "NVPTXCOMPILE_ERROR_INVALID_INPUT",
  "NVPTXCOMPILE_ERROR_COMPILATION_FAILURE",
  "NVPTXCOMPILE_ERROR_INTERNAL",
  "NVPTXCOMPILE_ERROR_OUT_OF_MEMORY",
  "NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE",
  "NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION",
  "NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC",
  "NVPTXCOMPILE_ERROR_CANCELLED",
];

/** A backend over the addon's thread pool. Threads start with the first jobs. */
export function inProcessBackend(native: LoadedNative, options: ResolvedOptions): Backend {
  const binding = bindingOf(native);
  const pool = native.addon.createPool(
    native.libraryPath,
    options.workers,
    options.arch,
    EFFORT_NUMBER[options.effort],
    options.maxRegisters ?? 0,
    options.lineInfo,
  );
  return {
    name: "in-process",
    version: native.compilerVersion,
    start: (ptx, timeoutMs, done) =>
      binding.submit(pool, ptx, timeoutMs, (result) => done(outcomeOf(result))),
    close: () => binding.close(pool),
  };
}

function outcomeOf(result: NativeResult): BackendOutcome {
  const [, outcome, milliseconds, status, nativeStatus, refusal, offset, infoLog, errorLog, cubin] = result;
  switch (outcome) {
    case 0:
      return { kind: "compiled", cubin: cubin!, log: infoLog, milliseconds };
    case 2:
      return { kind: "refused", reason: REFUSALS[refusal]!, offset };
    case 3:
      return { kind: "timeout", milliseconds };
    default:
      return {
        kind: "failed",
        failure: failureOf(status, nativeStatus),
        log: infoLog + errorLog,
        milliseconds,
      };
  }
}

/** How a compile failed, by the status of the compiler library and the compiler's own number. */
export function failureOf(status: number, nativeStatus: number): Failure {
  if (status === 1) return { is: "refused-by-compiler" };
  if (status === 2) return { is: "unsupported-version" };
  if (status === 5) return { is: "memory" };
  if (status === 4) return { is: "internal", how: "the compiler library refused an option" };
  const name = NATIVE_RESULTS[nativeStatus] ?? "an unknown result";
  return { is: "internal", how: `nvPTXCompiler returned ${name} (${nativeStatus})` };
}
