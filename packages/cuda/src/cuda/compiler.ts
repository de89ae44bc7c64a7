// Compiles CUDA: checks the inputs, passes them to a backend, and converts the outcome to results and errors.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import { describeValue } from "@mm-ptx/types/internal";
import { findWorker, type LoadAttempt } from "../native/load.js";
import type { Origin } from "../ptx/backend.js";
import { variableOf } from "../toolkit/find.js";
import { askNow, type ProcessLimits } from "../toolkit/helper.js";
import { type TaskErrors, Tasks } from "../toolkit/tasks.js";
import { annotationWarnings } from "./annotations.js";
import type { CudaBackend, CudaOutcome } from "./backend.js";
import { hasTime } from "./cache/file-list.js";
import { cudaKey } from "./cache/key.js";
import { CudaResultCache } from "./cache/result-cache.js";
import { CudaCompileError, type CudaDiagnostic } from "./error.js";
import { cudaCodeOf, isError, parseCudaLog } from "./log.js";
import { findNvcc, nvccBackend } from "./nvcc.js";
import { findNvrtc, nvrtcBackend } from "./nvrtc.js";
import {
  type CudaBackendName,
  type CudaCompileOptions,
  type CudaCompilerOptions,
  type CudaOutput,
  resolveCompileOptions,
  resolveCompilerOptions,
  resolveNvrtcOptions,
} from "./options.js";

/** A compiled source; the property of the output is named after its kind. */
export type CudaResult<Output extends CudaOutput = CudaOutput> = {
  /** The compiler's whole output. */
  readonly log: string;
  /** The compiler's warnings, then one for each annotation for `annotateCuda` that is still a comment. */
  readonly warnings: readonly CudaDiagnostic[];
  /** Names in the output, by the C++ names that `nameExpressions` requested. */
  readonly loweredNames: Readonly<Record<string, string>>;
  /** The lifetime of the compiler's process; 0 for a result from the cache. */
  readonly milliseconds: number;
  /** Whether the source was compiled now, or the result comes from an earlier compile. */
  readonly from: Exclude<Origin, "duplicate">;
  readonly backend: CudaBackendName;
} & {
  readonly [Name in Output]: Name extends "ptx" ? string : Uint8Array;
};

const ERRORS: TaskErrors = {
  aborted: (signal) =>
    new CudaCompileError("ABORTED", "the compile was aborted by its signal", { cause: signal.reason }),
  timedOut: (ms, which) =>
    new CudaCompileError(
      "TIMEOUT",
      `expected the compile to finish within ${ms} ms${which === undefined ? "" : ` (${which})`}, stopped it after that time`,
    ),
  disposed: () => new CudaCompileError("DISPOSED", "expected an open compiler, found a disposed one"),
};

/**
 * Compiles CUDA to PTX, cubins or LTO-IR with NVRTC or nvcc, whichever this machine has, without blocking the event
 * loop. It finds `ptx_inject.h` and the CUDA headers itself.
 *
 * Each compile runs in a separate process, so a source that crashes the compiler affects no other compile; a signal or
 * a timeout kills the process.
 */
export class CudaCompiler implements Disposable, AsyncDisposable {
  readonly #backend: CudaBackend;
  readonly #tasks: Tasks;
  readonly #cache: CudaResultCache | undefined;

  /**
   * Finds the compiler without starting a process.
   *
   * @throws CudaCompileError `INVALID_ARGUMENT`, `UNAVAILABLE` with every place that was searched
   */
  constructor(options: CudaCompilerOptions = {}) {
    const { backend, workers, memoryLimitBytes, confine, cache } = resolveCompilerOptions(options);
    this.#backend = selectBackend(backend, { memoryLimitBytes, confine });
    this.#tasks = new Tasks(workers, ERRORS);
    if (cache) this.#cache = new CudaResultCache(cache);
  }

  /** The backend in use. */
  get backend(): CudaBackendName {
    return this.#backend.name;
  }

  /** The CUDA version as far as the compiler reports it: `13.0` for NVRTC, `13.0.88` for nvcc. */
  get version(): string {
    return this.#backend.version;
  }

  /** The path of the library or program. */
  get path(): string {
    return this.#backend.path;
  }

  /**
   * Compiles one source.
   *
   * @throws CudaCompileError with any code; `UNAVAILABLE` only if `arch` is `native`
   */
  async compile<Output extends CudaOutput = "ptx">(
    source: string,
    options: CudaCompileOptions & { readonly output?: Output },
  ): Promise<CudaResult<Output>> {
    const resolved = resolveCompileOptions(options, this.#backend.name);
    if (typeof source !== "string" || source.includes("\0")) {
      const found = typeof source === "string" ? "one with a NUL" : describeValue(source);
      throw new CudaCompileError("INVALID_ARGUMENT", `expected CUDA as a string, found ${found}`);
    }
    const refusal = this.#tasks.refusal(resolved);
    if (refusal !== undefined) throw refusal;
    const cache = [source, ...Object.values(resolved.headers ?? {})].some(hasTime) ? undefined : this.#cache;
    const key = cache === undefined ? "" : cudaKey(this.#backend, source, resolved);
    const hit = cache?.get(key, (resolved.output ?? "ptx") === "ptx");
    if (hit !== undefined) return this.#read(hit, source, resolved, 0, "cache") as CudaResult<Output>;
    // Times of files have fractions. A compiler needs longer than the added millisecond before it reads its first file.
    const startMs = Date.now() + 1;
    let start = 0;
    const begin = this.#backend.compile(source, resolved, cache !== undefined);
    const { signal, timeoutMs } = resolved;
    const limit =
      timeoutMs === undefined
        ? { timeoutMs: this.#backend.timeoutMs, timeoutWords: `the default of ${this.backend}` }
        : { timeoutMs };
    const outcome = await this.#tasks.run<CudaOutcome>(
      (done) => {
        start = performance.now();
        return begin((result) => done(result instanceof Error ? internal(result) : result));
      },
      { signal, ...limit },
    );
    const milliseconds = performance.now() - start;
    const result = this.#read(outcome, source, resolved, milliseconds, "compiled");
    const { output, log, loweredNames, files } = outcome;
    if (output !== undefined && files !== undefined)
      await cache?.put(key, { output, log, loweredNames }, files, startMs);
    return result as CudaResult<Output>;
  }

  /** Ends the compiler at once: compiles that have not finished fail with `DISPOSED`. You can call it more than once. */
  dispose(): void {
    this.#tasks.close();
  }

  /** Accepts no new sources, and waits for those it has and for pending writes to the cache. You can call it more than once. */
  async disposeAsync(): Promise<void> {
    await this.#tasks.finish();
    await this.#cache?.flush();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Calls `disposeAsync`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }

  #read(
    outcome: CudaOutcome,
    source: string,
    options: CudaCompileOptions,
    milliseconds: number,
    from: "compiled" | "cache",
  ): object {
    const { output, log, loweredNames, failure } = outcome;
    const { name = "kernel.cu", headers = {} } = options;
    const diagnostics = parseCudaLog(log, { ...headers, [name]: source });
    if (failure !== undefined) {
      throw new CudaCompileError(failure.code, `the compiler failed: ${failure.how}`, { diagnostics, log });
    }
    if (output === undefined) {
      const message = failureMessage(options, diagnostics, log);
      throw new CudaCompileError(cudaCodeOf(diagnostics), message, { diagnostics, log });
    }
    const warnings = [
      ...diagnostics.filter(({ severity }) => severity === "warning"),
      ...annotationWarnings(source, name),
    ];
    return {
      [options.output ?? "ptx"]: output,
      log,
      warnings,
      loweredNames,
      milliseconds,
      from,
      backend: this.backend,
    };
  }
}

/** `CudaCompiler` with the backend `nvrtc`. */
export class Nvrtc extends CudaCompiler {
  /** @throws CudaCompileError `INVALID_ARGUMENT`, `UNAVAILABLE` with every place that was searched */
  constructor(options: Omit<CudaCompilerOptions, "backend"> = {}) {
    super(resolveNvrtcOptions(options));
  }
}

function internal(cause: Error): Error {
  return new CudaCompileError("INTERNAL", `the compiler failed: ${cause.message}`, { cause });
}

function failureMessage(
  { arch }: CudaCompileOptions,
  diagnostics: readonly CudaDiagnostic[],
  log: string,
): string {
  const errors = diagnostics.filter(isError);
  const head = `CUDA does not compile for \`${arch}\``;
  const first = errors[0];
  if (first === undefined) return `${head}: ${log.trim().split("\n", 1)[0]}`;
  const { file, line, column, message, frame } = first;
  const place = [file, line, column].filter((each) => each !== undefined).join(":");
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const [what, ...details] = message.split("\n");
  const sentence = `${head}: ${place === "" ? "" : `${place}: `}${what}${more}`;
  return [sentence, ...(frame === undefined ? [] : [frame]), ...details].join("\n");
}

const CURES: Readonly<Record<CudaBackendName, string>> = {
  nvrtc: `install a CUDA toolkit or the Python package nvidia-cuda-nvrtc (in a clone: \`npm run setup -- --with nvrtc\`), or name the library in ${variableOf("nvrtc")}`,
  nvcc: `put nvcc of a CUDA toolkit on PATH, or name it in ${variableOf("nvcc")}`,
};

/** @throws CudaCompileError `UNAVAILABLE` */
function requireConfinement(worker: string | undefined): void {
  try {
    if (worker === undefined) throw new Error("there is no worker executable");
    askNow(worker, [["landlock version", ""]]);
  } catch (cause) {
    const message = `expected a compiler that can be confined, since \`confine\` is \`required\`: ${(cause as Error).message}`;
    throw new CudaCompileError("UNAVAILABLE", message, { what: "confinement", cause });
  }
}

function selectBackend(wanted: "auto" | CudaBackendName, limits: ProcessLimits): CudaBackend {
  const tried: LoadAttempt[] = [];
  const finders = {
    nvrtc: () => {
      const search = findNvrtc();
      tried.push(...search.tried);
      if (search.found !== undefined && limits.confine === "required")
        requireConfinement(search.found.value.worker);
      return nvrtcBackend(search, limits);
    },
    nvcc: () => {
      const search = findNvcc();
      tried.push(...search.tried);
      if (search.found !== undefined && limits.confine === "required") requireConfinement(findWorker().path);
      return nvccBackend(search, limits);
    },
  } satisfies Record<CudaBackendName, () => CudaBackend | undefined>;
  const names: readonly CudaBackendName[] = wanted === "auto" ? ["nvrtc", "nvcc"] : [wanted];
  for (const name of names) {
    const backend = finders[name]();
    if (backend !== undefined) return backend;
  }
  const what = wanted === "auto" ? "a compiler for CUDA" : `the \`${wanted}\` backend`;
  const places = tried.map(({ place, outcome }) => `  - ${place}: ${outcome}`).join("\n");
  const cure = names.map((name) => CURES[name]).join("; or ");
  throw new CudaCompileError("UNAVAILABLE", `expected ${what}, found none:\n${places}\n${cure}`, {
    what: "backend",
  });
}
