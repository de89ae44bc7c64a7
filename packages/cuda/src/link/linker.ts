// The object that links device code through nvJitLink: each link in a process of its own, because the library crashes or
// hangs on damaged inputs.

// For projects whose `lib` has no `Disposable`.
/// <reference lib="esnext.disposable" preserve="true" />

import { availableParallelism } from "node:os";
import { findWorker } from "../native/load.js";
import { memoryShare } from "../native/memory.js";
import { checkOptions, isMemoryLimit, isWorkers } from "../toolkit/checks.js";
import { findTool, type Search, variableOf } from "../toolkit/find.js";
import { type Answer, ask, askNow, type Died, packed } from "../toolkit/helper.js";
import { type TaskErrors, Tasks } from "../toolkit/tasks.js";
import { readAnswer } from "./answer.js";
import { type LinkDiagnostic, LinkError } from "./error.js";
import {
  type InputKind,
  type LinkInput,
  type LinkOptions,
  linkArguments,
  resolveInputs,
  resolveLinkOptions,
} from "./options.js";

/** What a `Linker` is made with. */
export interface LinkerOptions {
  /** Links at the same time; default: as many as cores. */
  readonly workers?: number;
  /**
   * Bytes that the process of a link may have in memory; what needs more fails with `MEMORY`. Default: an equal share of the
   * machine's memory for each worker and for this process, but at least 1 GiB.
   */
  readonly memoryLimit?: number;
}

/** Linked machine code. */
export interface LinkResult {
  /** An ELF file for the driver. */
  readonly cubin: Uint8Array;
  readonly warnings: readonly LinkDiagnostic[];
  /** All that the linker said. */
  readonly log: string;
  readonly milliseconds: number;
}

interface Library {
  readonly worker: string;
  readonly version: string;
}

/** By `nvJitLinkInputType`. */
const TYPES: Readonly<Record<InputKind, number>> = { cubin: 1, ptx: 2, ltoir: 3 };

const ERRORS: TaskErrors = {
  aborted: (signal) =>
    new LinkError("ABORTED", "the link was aborted by its signal", { cause: signal.reason }),
  timedOut: (ms) => new LinkError("TIMEOUT", `expected a link within ${ms} ms, stopped it then`),
  disposed: () => new LinkError("DISPOSED", "expected an open linker, found a disposed one"),
};

/** The library that a `Linker` takes, with every place that was tried. */
export function findJitLink(): Search<Library> {
  const { path: worker, attempts } = findWorker();
  if (worker === undefined) return { found: undefined, tried: attempts };
  return findTool("nvjitlink", (path) => ({
    worker,
    version: askNow(worker, [["nvjitlink version", path]]).join("."),
  }));
}

/**
 * Links cubins, PTX and LTO-IR to one cubin, without a driver and without blocking the event loop. What is linked has to be
 * relocatable: `CudaCompiler` makes it so with `relocatable` or `output: "ltoir"`; PTX is by itself.
 */
export class Linker implements Disposable, AsyncDisposable {
  readonly #path: string;
  readonly #library: Library;
  readonly #memoryLimit: number;
  readonly #tasks: Tasks;

  /**
   * Looks for nvJitLink; nothing is started.
   *
   * @throws LinkError `INVALID_OPTION`, `LIBRARY_MISSING` with every place that was tried
   */
  constructor(options: LinkerOptions = {}) {
    const problem = checkOptions(options, { workers: isWorkers, memoryLimit: isMemoryLimit });
    if (problem !== undefined) throw new LinkError("INVALID_OPTION", problem);
    const { found, tried } = findJitLink();
    if (found === undefined) throw missing(tried);
    this.#path = found.path;
    this.#library = found.value;
    const { workers = availableParallelism(), memoryLimit = memoryShare(workers) } = options;
    this.#memoryLimit = memoryLimit;
    this.#tasks = new Tasks(workers, ERRORS);
  }

  /** Of nvJitLink, for example `13.0`. */
  get version(): string {
    return this.#library.version;
  }

  /** The library. */
  get path(): string {
    return this.#path;
  }

  /**
   * Links inputs to one cubin; PTX and LTO-IR are compiled on the way.
   *
   * @throws LinkError with any code but `LIBRARY_MISSING`
   */
  async link(inputs: readonly LinkInput[], options: LinkOptions): Promise<LinkResult> {
    const checked = resolveInputs(inputs);
    const resolved = resolveLinkOptions(options);
    // Now: it may wait, and what the caller does with its bytes meanwhile is no matter.
    const request = packed([
      ["nvjitlink link", this.#path],
      linkArguments(resolved, checked),
      checked.map(({ kind }) => `${TYPES[kind]}`),
      checked.map(({ name }) => name),
      checked.map(({ data }) => data),
    ]);
    let start = 0;
    const answer = await this.#tasks.run<Answer | Died>((done) => {
      start = performance.now();
      return ask(this.#library.worker, request, this.#memoryLimit, (result) =>
        done(result instanceof Error ? internal(result) : result),
      );
    }, resolved);
    return { ...readAnswer(answer, checked, resolved), milliseconds: performance.now() - start };
  }

  /** Ends the linker at once: links that are not done fail with `DISPOSED`. Twice without harm. */
  [Symbol.dispose](): void {
    this.#tasks.close();
  }

  /** Takes no new links and waits for those it has. Twice without harm. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tasks.finish();
  }
}

function internal(cause: Error): Error {
  return new LinkError("INTERNAL", `the linker failed: ${cause.message}`, { cause });
}

function missing(tried: Search<unknown>["tried"]): LinkError {
  const places = tried.map(({ place, outcome }) => `  - ${place}: ${outcome}`).join("\n");
  return new LinkError(
    "LIBRARY_MISSING",
    `expected nvJitLink, found none:\n${places}\ninstall a CUDA toolkit or the Python package nvidia-nvjitlink (in a clone: \`npm run setup -- --with nvjitlink\`), or name the library in ${variableOf("nvjitlink")}`,
  );
}
