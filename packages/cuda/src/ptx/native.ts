// The addon's pool as backends: a compiler library on threads of this process, or in worker processes, which contain a
// compiler that crashes, hangs or uses too much memory.

import type { PtxTemplate } from "@mm-ptx/types/core";
import { Binding } from "../native/binding.js";
import { compilerEnvironment } from "../native/environment.js";
import type { LoadedNative, NativeResult, NativeTemplate } from "../native/load.js";
import { signalName } from "../native/signals.js";
import type { Backend, BackendOutcome, BackendStats, Failure, RefusalReason } from "./backend.js";
import type { Target } from "./code-options.js";
import { compilerErrors, compilerInfo } from "./linker-log.js";
import type { ResolvedOptions } from "./options.js";
import { writtenSource } from "./source.js";
import { compilerArguments } from "./target.js";
import { formOf } from "./template-forms.js";

/** The numbers of `Confine` in native/pool/worker_process.h. */
const CONFINE = { false: 0, auto: 1, required: 2 } as const;

const REFUSALS: readonly (RefusalReason | undefined)[] = [
  undefined,
  "empty",
  "nul",
  "non-ascii",
  "long-token",
];

/** The name of a backend over the addon's pool. */
export type NativeName = "isolated" | "in-process" | "nvjitlink";

/** The name of a compiler library, with the results of its header by number; `status` numbers are from `mmptxc.h`. */
const NV_PTX_COMPILER = {
  name: "nvPTXCompiler",
  results: [
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
  ],
  version: (version: string) => version,
  /** What a worker takes more than one with nvPTXCompiler, measured; memory limits do not count it. */
  ownBytes: 0,
  info: (log: string) => log,
  errors: (log: string) => log,
} as const;
const NV_JIT_LINK = {
  name: "nvJitLink",
  results: [
    "NVJITLINK_SUCCESS",
    "NVJITLINK_ERROR_UNRECOGNIZED_OPTION",
    "NVJITLINK_ERROR_MISSING_ARCH",
    "NVJITLINK_ERROR_INVALID_INPUT",
    "NVJITLINK_ERROR_PTX_COMPILE",
    "NVJITLINK_ERROR_NVVM_COMPILE",
    "NVJITLINK_ERROR_INTERNAL",
  ],
  // It compiles for linking, so its machine code may differ.
  version: (version: string) => `nvJitLink ${version}`,
  ownBytes: 24 * 2 ** 20,
  info: compilerInfo,
  errors: compilerErrors,
} as const;
type CompilerLibrary = typeof NV_PTX_COMPILER | typeof NV_JIT_LINK;

/** A backend over the addon's pool. Threads and workers start with the first jobs. */
export function nativeBackend(name: NativeName, native: LoadedNative, options: ResolvedOptions): Backend {
  const { addon } = native;
  const binding = Binding.of(addon);
  const worker = name === "in-process" ? "" : native.workerPath!;
  const library = name === "nvjitlink" ? NV_JIT_LINK : NV_PTX_COMPILER;
  const pool = addon.createPool(
    native.libraryPath,
    options.workers,
    worker,
    options.memoryLimitBytes + library.ownBytes,
    compilerEnvironment(),
    CONFINE[`${options.confine}`],
  );
  const targets = new Map<string, number>();
  const known = new WeakMap<Target, number>();
  const numberOf = (target: Target): number => {
    const number = known.get(target) ?? addTarget(target);
    known.set(target, number);
    return number;
  };
  const addTarget = (target: Target): number => {
    const words = compilerArguments(target).join(" ");
    let number = targets.get(words);
    if (number === undefined) {
      number = addon.addTarget(pool, words);
      targets.set(words, number);
    }
    return number;
  };
  const start: Backend["start"] = ({ source: given, target, timeoutMs, priority }, done) => {
    const source = writtenSource(given);
    const settle = (result: NativeResult): void => done(outcomeOf(result, library));
    const job = { target: numberOf(target), timeoutMs, priority };
    if (typeof source === "string" || source instanceof Uint8Array)
      return binding.submit(pool, { ...job, ptx: source }, settle);
    if ("text" in source) return binding.submit(pool, { ...job, ptx: source.text }, settle);
    const stubEnds = endsOf(source.stubs);
    const form = nativeTemplate(native, source.template);
    return binding.submit(pool, { ...job, ptx: form, stubs: source.stubs.join(""), stubEnds }, settle);
  };
  return {
    name,
    version: library.version(native.compilerVersion),
    start,
    run(job) {
      let outcome: BackendOutcome | undefined;
      start(job, (result) => {
        outcome = result;
      });
      binding.waitUntil(() => outcome !== undefined);
      return outcome!;
    },
    stats: () => statsOf(addon.figures(pool)),
    close: () => binding.close(pool),
  };
}

/** The template in native memory: one copy for all templates with the same content. */
function nativeTemplate({ addon }: LoadedNative, template: PtxTemplate): NativeTemplate {
  const form = formOf(template);
  if (form.native === undefined) {
    const { segments, holes, names } = template;
    form.native = addon.createTemplate(
      segments.join(""),
      endsOf(segments),
      Uint32Array.from(holes),
      names.length,
    );
  }
  return form.native;
}

/** The end of each text in the concatenation of all, in bytes. */
function endsOf(texts: readonly string[]): Uint32Array {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let i = 0; i < texts.length; i++) ends[i] = end += Buffer.byteLength(texts[i]!);
  return ends;
}

function outcomeOf(result: NativeResult, library: CompilerLibrary): BackendOutcome {
  const [, outcome, milliseconds, status, nativeStatus, refusal, offset, signal, confined, bytes] = result;
  const [infoLog, errorLog, cubin] = result.slice(10) as [string, string, Uint8Array | undefined];
  const info = () => library.info(infoLog);
  const failed = (failure: Failure, log: string): BackendOutcome => ({
    kind: "failed",
    failure,
    log,
    milliseconds,
  });
  switch (outcome) {
    case 0:
      return { kind: "compiled", cubin: cubin!, log: info(), milliseconds, from: "compiled" };
    case 2:
      return { kind: "refused", reason: REFUSALS[refusal]!, offset };
    case 3:
      return { kind: "timeout", milliseconds, starting: errorLog !== "" };
    case 4:
      return failed(crashOf(signal, confined, errorLog), "");
    case 5:
      return failed({ is: "memory", how: `the compiler's process used ${bytes} bytes of memory` }, "");
    case 6:
      return failed({ is: "internal", how: `no worker process could be started: ${errorLog}` }, "");
    default:
      return failed(failureOf(status, nativeStatus, library), info() + library.errors(errorLog));
  }
}

/** @param problem how it ended if no signal killed it */
function crashOf(signal: number, confined: boolean, problem: string): Failure {
  if (signal === 0) return { is: "crashed", how: problem };
  const name = signalName(signal);
  if (!confined || name !== FORBIDDEN)
    return { is: "crashed", how: `the compiler's process was killed by ${name}` };
  const how = `the compiler's process was killed by ${name}: it made a system call that no compile needs`;
  return { is: "crashed", how, confined: name };
}

/** The signal at a system call that the confinement forbids. */
const FORBIDDEN = "SIGSYS";

/** How a compile failed, from the status of the compiler library and the compiler's own result. */
export function failureOf(
  status: number,
  nativeStatus: number,
  { name, results }: CompilerLibrary = NV_PTX_COMPILER,
): Failure {
  if (status === 1) return { is: "refused-by-compiler" };
  if (status === 2) return { is: "unsupported-version" };
  if (status === 5) return { is: "memory", how: "the compiler ran out of memory" };
  if (status === 4) return { is: "internal", how: "the compiler library refused an option" };
  if (nativeStatus === 0) return { is: "internal", how: `${name} returned an empty cubin` };
  const result = results[nativeStatus] ?? "an unknown result";
  return { is: "internal", how: `${name} returned ${result} (${nativeStatus})` };
}

function statsOf(numbers: readonly number[]): BackendStats {
  const [queued, running, , compiled, failed, started, crashed, outgrown, recycled, peak] = numbers;
  return {
    queued: queued!,
    running: running!,
    compiled: compiled!,
    failed: failed!,
    workersStarted: started!,
    workersCrashed: crashed!,
    workersOutgrown: outgrown!,
    workersRecycled: recycled!,
    workerPeakBytes: peak!,
  };
}
