// Links device code through nvJitLink. Each link runs in a separate process, because the library crashes or hangs on
// corrupt inputs.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import { availableParallelism } from "node:os";
import { type Check, optionProblem } from "@mm-ptx/types/internal";
import { findWorker } from "../native/load.js";
import { memoryShare } from "../native/memory.js";
import { isConfine, isMemoryLimitBytes, isWorkers } from "../toolkit/checks.js";
import { findTool, type Search, variableOf } from "../toolkit/find.js";
import { type Answer, ask, askNow, type Died, type ProcessLimits, packed } from "../toolkit/helper.js";
import { type TaskErrors, Tasks } from "../toolkit/tasks.js";
import { readAnswer } from "./answer.js";
import { linkConfinementProblem } from "./confinement.js";
import { type LinkDiagnostic, LinkError } from "./error.js";
import {
  type InputKind,
  type LinkInput,
  type LinkOptions,
  linkArguments,
  resolveInputs,
  resolveLinkOptions,
} from "./options.js";

/** Options for creating a `Linker`. */
export interface LinkerOptions {
  /** The number of concurrent links; by default, the number of cores. */
  readonly workers?: number;
  /**
   * The memory limit of a link's process in bytes; a link that exceeds it fails with `OUT_OF_MEMORY`. By default, an
   * equal share of the machine's memory for each worker and this process, but at least 1 GiB.
   */
  readonly memoryLimitBytes?: number;
  /**
   * Whether a link's process gives up files, the network and other processes before it reads its inputs. Default:
   * `auto`, where the system can; `required` refuses to link without it.
   */
  readonly confine?: "auto" | "required" | false;
}

/** Linked machine code. */
export interface LinkResult {
  /** An ELF file for the driver. */
  readonly cubin: Uint8Array;
  readonly warnings: readonly LinkDiagnostic[];
  /** The linker's whole output. */
  readonly log: string;
  readonly milliseconds: number;
}

const CHECKS: Readonly<Record<keyof LinkerOptions, Check>> = {
  workers: isWorkers,
  memoryLimitBytes: isMemoryLimitBytes,
  confine: isConfine,
};

interface Library {
  readonly worker: string;
  readonly version: string;
}

/** The numbers of `nvJitLinkInputType`. */
const TYPES: Readonly<Record<InputKind, number>> = { cubin: 1, ptx: 2, ltoir: 3 };

const ERRORS: TaskErrors = {
  aborted: (signal) =>
    new LinkError("ABORTED", "the link was aborted by its signal", { cause: signal.reason }),
  timedOut: (ms) =>
    new LinkError("TIMEOUT", `expected the link to finish within ${ms} ms, stopped it after that time`),
  disposed: () => new LinkError("DISPOSED", "expected an open linker, found a disposed one"),
};

/** The library for a `Linker`, with every place that was searched. */
export function findJitLink(): Search<Library> {
  const { path: worker, attempts } = findWorker();
  if (worker === undefined) return { found: undefined, tried: attempts };
  return findTool("nvjitlink", (path) => ({
    worker,
    version: askNow(worker, [["nvjitlink version", path]]).join("."),
  }));
}

/**
 * Links cubins, PTX and LTO-IR to one cubin, without a driver and without blocking the event loop. Inputs must be
 * relocatable: PTX always is, and `CudaCompiler` produces relocatable code with `relocatable` or `output: "ltoir"`.
 */
export class Linker implements Disposable, AsyncDisposable {
  readonly #path: string;
  readonly #library: Library;
  readonly #memoryLimitBytes: number;
  readonly #confine: "auto" | "required" | false;
  readonly #tasks: Tasks;

  /**
   * Finds nvJitLink without starting a process.
   *
   * @throws LinkError `INVALID_ARGUMENT`, `UNAVAILABLE` with every place that was searched
   */
  constructor(options: LinkerOptions = {}) {
    const problem = optionProblem(options, CHECKS);
    if (problem !== undefined) throw new LinkError("INVALID_ARGUMENT", problem);
    const { found, tried } = findJitLink();
    if (found === undefined) throw missing(tried);
    this.#path = found.path;
    this.#library = found.value;
    const { workers = availableParallelism(), memoryLimitBytes = memoryShare(workers) } = options;
    this.#memoryLimitBytes = memoryLimitBytes;
    this.#confine = options.confine ?? "auto";
    this.#tasks = new Tasks(workers, ERRORS);
  }

  /** The version of nvJitLink, for example `13.0`. */
  get version(): string {
    return this.#library.version;
  }

  /** The path of the library. */
  get path(): string {
    return this.#path;
  }

  /**
   * Links inputs to one cubin and compiles PTX and LTO-IR along the way.
   *
   * @throws LinkError with any code; `UNAVAILABLE` only if `arch` is `native`
   */
  async link(inputs: readonly LinkInput[], options: LinkOptions): Promise<LinkResult> {
    const checked = resolveInputs(inputs);
    const resolved = resolveLinkOptions(options);
    // Packed before waiting, because the caller may modify its bytes meanwhile.
    const request = packed([
      ["nvjitlink link", this.#path],
      linkArguments(resolved, checked),
      checked.map(({ kind }) => `${TYPES[kind]}`),
      checked.map(({ name }) => name),
      checked.map(({ data }) => data),
    ]);
    let start = 0;
    const answer = await this.#tasks.run<Answer | Died>((done) => {
      let stopped = false;
      let stop = (): void => {};
      this.#limits().then((limits) => {
        if (stopped) return;
        start = performance.now();
        stop = ask(this.#library.worker, request, limits, (result) =>
          done(result instanceof Error ? internal(result) : result),
        );
      }, done);
      return () => {
        stopped = true;
        stop();
      };
    }, resolved);
    return { ...readAnswer(answer, checked, resolved), milliseconds: performance.now() - start };
  }

  /** @throws LinkError `UNAVAILABLE` if the process has to be confined and can't */
  async #limits(): Promise<ProcessLimits> {
    const memoryLimitBytes = this.#memoryLimitBytes;
    if (this.#confine === false) return { memoryLimitBytes, confine: false };
    const problem = await linkConfinementProblem(this.#library.worker, this.#path);
    if (problem === undefined) return { memoryLimitBytes, confine: "required" };
    if (this.#confine === "auto") return { memoryLimitBytes, confine: false };
    const message = `expected a linker that can be confined, since \`confine\` is \`required\`: ${problem}`;
    throw new LinkError("UNAVAILABLE", message, { what: "confinement" });
  }

  /** Ends the linker at once: links that have not finished fail with `DISPOSED`. You can call it more than once. */
  dispose(): void {
    this.#tasks.close();
  }

  /** Accepts no new links and waits for those it has. You can call it more than once. */
  async disposeAsync(): Promise<void> {
    await this.#tasks.finish();
  }

  /** Calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Calls `disposeAsync`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }
}

function internal(cause: Error): Error {
  return new LinkError("INTERNAL", `the linker failed: ${cause.message}`, { cause });
}

function missing(tried: Search<unknown>["tried"]): LinkError {
  const places = tried.map(({ place, outcome }) => `  - ${place}: ${outcome}`).join("\n");
  return new LinkError(
    "UNAVAILABLE",
    `expected nvJitLink, found none:\n${places}\ninstall a CUDA toolkit or the Python package nvidia-nvjitlink (in a clone: \`npm run setup -- --with nvjitlink\`), or name the library in ${variableOf("nvjitlink")}`,
    { what: "library" },
  );
}
