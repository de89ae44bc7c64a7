// A compiler for each submitter, because PTX that takes over a compile process can give wrong results for later jobs there: they
// are jobs of the same submitter, and so are those that find the results in the cache.

import type { PtxCompilerOptions } from "@mm-ptx/cuda";
import { PtxCompileError } from "@mm-ptx/cuda";
import { type Backend, type BackendJob, type BackendOutcome, cachedBackend } from "@mm-ptx/cuda/backend";
import { FarmError } from "../error.js";

/** Compilers that are kept although their submitter has no jobs. */
const KEPT = 4;

interface Tenant {
  readonly backend: Backend;
  /** Jobs that are not done. */
  jobs: number;
}

export class Tenants {
  readonly #options: PtxCompilerOptions;
  /** By submitter, the one whose jobs came last at the end. */
  readonly #tenants = new Map<string, Tenant>();
  #ended = 0;

  /** @param options those of a backend that has been opened before */
  constructor(options: PtxCompilerOptions) {
    this.#options = options;
  }

  /** Compile processes that crashed. */
  get crashes(): number {
    let crashes = this.#ended;
    for (const { backend } of this.#tenants.values()) crashes += backend.stats().workersCrashed;
    return crashes;
  }

  /** @returns cancels the job. @throws PtxCompileError `UNAVAILABLE` */
  start(submitter: string, job: BackendJob, done: (outcome: BackendOutcome) => void): () => void {
    let tenant = this.#tenants.get(submitter);
    if (tenant === undefined)
      tenant = { backend: cachedBackend({ ...this.#options, tenant: submitter }), jobs: 0 };
    else this.#tenants.delete(submitter);
    this.#tenants.set(submitter, tenant);
    const { backend } = tenant;
    const counted = tenant;
    counted.jobs++;
    this.#endIdle();
    const cancel = backend.start(job, (outcome) => {
      counted.jobs--;
      done(outcome);
    });
    return () => {
      counted.jobs--;
      cancel();
    };
  }

  close(): void {
    for (const submitter of this.#tenants.keys()) this.#end(submitter);
  }

  #endIdle(): void {
    for (const [submitter, { jobs }] of this.#tenants) {
      if (this.#tenants.size <= KEPT) return;
      if (jobs === 0) this.#end(submitter);
    }
  }

  #end(submitter: string): void {
    const { backend } = this.#tenants.get(submitter)!;
    this.#ended += backend.stats().workersCrashed;
    this.#tenants.delete(submitter);
    backend.close();
  }
}

/** The backends that survive what crashes a compiler, in the order of preference. */
const BACKENDS = ["isolated", "nvjitlink"] as const;

/**
 * The options with the backend that this machine has, and that backend itself.
 *
 * @throws FarmError `NO_COMPILER`, `INVALID_ARGUMENT`
 */
export function openBackend(options: PtxCompilerOptions): readonly [PtxCompilerOptions, Backend] {
  const problems: PtxCompileError[] = [];
  for (const name of BACKENDS) {
    try {
      const found = { ...options, backend: name };
      return [found, cachedBackend(found)];
    } catch (error) {
      if (!(error instanceof PtxCompileError)) throw error;
      if (error.code !== "UNAVAILABLE")
        throw new FarmError("INVALID_ARGUMENT", error.message, { cause: error });
      problems.push(error);
    }
  }
  throw new FarmError("NO_COMPILER", problems.map(({ message }) => message).join("\n"), {
    cause: problems[0],
  });
}
