// Compiles a share of the jobs here as well and compares: a worker whose answer differs is left out from then
// on.

import { type Backend, type BackendOutcome, type Source, writtenSource } from "@mm-ptx/cuda/backend";
import { FarmError } from "../error.js";
import type { Answer, Unmade } from "../frames/outcomes.js";
import type { ResolvedFarm } from "../options.js";
import type { OpenParcel } from "./parcels.js";

/** @throws FarmError `INVALID_ARGUMENT` if jobs are to be compared and this machine has no compiler */
export function openVerifier(
  { verify, local }: ResolvedFarm,
  backend: Backend | undefined,
): Verifier | undefined {
  if (verify === 0 || local === "only") return undefined;
  if (backend !== undefined) return new Verifier(verify, backend);
  throw new FarmError("INVALID_ARGUMENT", "option `verify`: expected a compiler of this machine, found none");
}

export class Verifier {
  /** Jobs that were compared. */
  compared = 0;
  /** How many of them did not compile. */
  failed = 0;
  readonly #share: number;
  readonly #local: Backend;
  readonly #leftOut = new Map<string, string>();

  /** @param share of the jobs, from 0 to 1 */
  constructor(share: number, local: Backend) {
    this.#share = share;
    this.#local = local;
  }

  /** The workers that are left out. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut.keys()].sort();
  }

  isLeftOut(worker: string): boolean {
    return this.#leftOut.has(worker);
  }

  /** Whether an answer agrees with this machine on the jobs that are compared; a promise if there are any. */
  accepts(parcel: OpenParcel, { worker, first, outcomes }: Answer): boolean | Promise<boolean> {
    if (this.#leftOut.has(worker)) return false;
    const compared = outcomes.flatMap((outcome, i) => {
      const entry = parcel.entries[first + i]!;
      return !entry.settled && Math.random() < this.#share && isComparable(outcome)
        ? [{ outcome, job: entry.job }]
        : [];
    });
    if (compared.length === 0) return true;
    const agreed = compared.map(
      ({ outcome, job }) =>
        new Promise<boolean>((resolve) => {
          // No worker can have compiled what this machine can't generate PTX for.
          if (!canBeWritten(job.source)) {
            resolve(false);
            return;
          }
          this.#local.start(job, (own) => {
            this.compared++;
            if (own.kind !== "compiled") this.failed++;
            resolve(!isComparable(own) || isSame(outcome, own));
          });
        }),
    );
    return Promise.all(agreed).then((all) => {
      const isRight = all.every((each) => each);
      if (!isRight && !this.#leftOut.has(worker)) this.#leaveOut(worker, parcel.pool);
      return isRight && !this.#leftOut.has(worker);
    });
  }

  #leaveOut(worker: string, pool: string): void {
    this.#leftOut.set(worker, pool);
    process.emitWarning(
      `the worker ${worker} of the pool ${pool} returned other machine code than this machine makes of the same PTX; its answers are no longer used. Stop it: its earlier answers may be wrong`,
      { code: "MM_PTX_FARM_WORKER" },
    );
  }
}

/** Limits of time and memory, and crashes, depend on the machine. */
const isComparable = (outcome: BackendOutcome | Unmade): outcome is BackendOutcome =>
  outcome.kind === "compiled" ||
  outcome.kind === "refused" ||
  (outcome.kind === "failed" && outcome.failure.is === "refused-by-compiler");

function isSame(a: BackendOutcome, b: BackendOutcome): boolean {
  if (a.kind === "compiled" && b.kind === "compiled") return Buffer.compare(a.cubin, b.cubin) === 0;
  return a.kind === b.kind;
}

function canBeWritten(source: Source): boolean {
  try {
    writtenSource(source);
    return true;
  } catch {
    return false;
  }
}
